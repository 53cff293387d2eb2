// SPDX-License-Identifier: MIT
#include "engine/session/assemble.h"

#include <algorithm>
#include <utility>

namespace tessera::session {

using schedule::KernelReport;

Result<std::vector<KernelReport>> assemble(const ScheduledPipeline &pipeline, int registerCap,
                                           const machine::Machine &machine,
                                           ScheduleCompiler &compiler, const std::string &folder,
                                           std::stop_token stop,
                                           const job::ProgressCallback &progress) {
  if (machine.api != machine::Api::Cuda)
    return Error{ErrorCode::Usage, machine.title + " is no machine that ptxas compiles for",
                 "choose another machine, or do without ptxas"};
  CompileRequest request;
  request.pipeline = pipeline;
  request.registerCap = registerCap;
  request.limits = machine.limits;
  request.architecture = "sm_" + std::to_string(machine.major) + std::to_string(machine.minor);
  request.output = folder;
  CompileAnswer answer = compiler.compile(request, std::move(stop), progress);
  if (answer.outcome != Outcome::Ok)
    return Error{errorCode(answer.outcome), answer.error.message, answer.error.hint};
  if (!std::ranges::all_of(answer.report.kernels,
                           [](const KernelReport &kernel) { return kernel.assembler.has_value(); }))
    return Error{ErrorCode::System, "no ptxas is found, so there are no registers to go by",
                 "put it into the search path, or do without"};
  return std::move(answer.report.kernels);
}

} // namespace tessera::session
