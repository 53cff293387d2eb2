// SPDX-License-Identifier: MIT
#include "engine/measure/assemble.h"

#include <algorithm>
#include <utility>

namespace tessera::measure {

using report::KernelReport;

Result<std::vector<KernelReport>> assemble(const ScheduledPipeline &pipeline, int registerCap,
                                           const machine::Machine &machine,
                                           ScheduleCompiler &compiler, const std::string &folder,
                                           std::stop_token stop,
                                           const job::ProgressCallback &progress) {
  if (machine.api != machine::Api::Cuda)
    return Error{ErrorCode::Usage, machine.title + " is not a machine that ptxas compiles for",
                 "choose another machine, or do not use ptxas"};
  CompileAnswer answer = compiler.compile(
      bundleRequest(pipeline, registerCap, targetOf(machine), folder), std::move(stop), progress);
  if (answer.outcome != Outcome::Ok) return errorOf(answer.outcome, answer.error);
  if (!std::ranges::all_of(answer.report.kernels,
                           [](const KernelReport &kernel) { return kernel.assembler.has_value(); }))
    return Error{ErrorCode::System, "ptxas was not found, so it cannot report the registers",
                 "put it into the search path, or do not use ptxas"};
  return std::move(answer.report.kernels);
}

} // namespace tessera::measure
