// SPDX-License-Identifier: MIT
#include "engine/session/refine.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/legality.h"
#include "engine/schedule/lower.h"
#include "engine/search/register_caps.h"

#include <algorithm>

namespace tessera::session {

using machine::Machine;
using search::Candidate;

namespace {

// The best, the best with other caps, then the rest from the best on.
std::vector<Candidate> worthCompiling(std::span<const Candidate> candidates, std::size_t most,
                                      const Machine &machine) {
  std::vector<Candidate> sorted(candidates.begin(), candidates.end());
  std::ranges::stable_sort(sorted, {}, &Candidate::seconds);
  std::vector<Candidate> chosen;
  const auto add = [&](const schedule::Schedule &schedule, double seconds) {
    const bool isKnown = std::ranges::find(chosen, schedule, &Candidate::schedule) != chosen.end();
    if (chosen.size() < most && !isKnown && schedule::isLegal(schedule, machine))
      chosen.push_back({schedule, seconds});
  };
  for (const Candidate &candidate : sorted) {
    add(candidate.schedule, candidate.seconds);
    if (&candidate != &sorted.front() || search::isRegisterCapFrozen(candidate.schedule)) continue;
    for (const int cap : search::kRegisterCaps)
      add(search::withRegisterCap(candidate.schedule, cap), candidate.seconds);
  }
  return chosen;
}

CompileRequest requestOf(const Candidate &candidate, const Machine &machine,
                         const ScheduledPipeline &pipeline, const std::string &folder) {
  CompileRequest request;
  request.pipeline = pipeline;
  request.pipeline.directives = schedule::lower(candidate.schedule);
  request.pipeline.promises = candidate.schedule.settings().promises;
  request.registerCap = candidate.schedule.settings().registerCap;
  request.architecture = "sm_" + std::to_string(machine.major) + std::to_string(machine.minor);
  request.output = folder;
  return request;
}

bool isAssembled(const schedule::CompileReport &report) {
  return std::ranges::all_of(report.kernels, [](const schedule::KernelReport &kernel) {
    return kernel.assembler.has_value();
  });
}

} // namespace

Result<Refined> refine(std::span<const Candidate> candidates, std::size_t most,
                       const Machine &machine, const ScheduledPipeline &pipeline,
                       ScheduleCompiler &compiler, const std::string &folder, std::stop_token stop,
                       const job::ProgressCallback &progress) {
  if (machine.api != machine::Api::Cuda)
    return Error{ErrorCode::Usage, machine.title + " is no machine that ptxas compiles for",
                 "choose another machine, or leave refining out"};
  std::optional<Refined> refined;
  std::vector<Error> failures;
  std::size_t compiled = 0;
  const std::vector<Candidate> chosen = worthCompiling(candidates, most, machine);
  for (std::size_t c = 0; c < chosen.size() && !stop.stop_requested(); ++c) {
    if (progress)
      progress({"compiling " + std::to_string(c + 1) + " of " + std::to_string(chosen.size()),
                static_cast<double>(c) / static_cast<double>(chosen.size())});
    const CompileAnswer answer = compiler.compile(
        requestOf(chosen[c], machine, pipeline, folder + "/" + std::to_string(c)), stop);
    if (answer.outcome != Outcome::Ok) {
      failures.push_back(answer.error);
      continue;
    }
    if (!isAssembled(answer.report))
      return Error{ErrorCode::System, "no ptxas is found, so there are no registers to go by",
                   "put it into the search path, or leave refining out"};
    ++compiled;
    const double seconds =
        cost::predict(chosen[c].schedule, machine, answer.report.kernels).seconds;
    if (!refined || seconds < refined->best.seconds)
      refined = Refined{{chosen[c].schedule, seconds}, 0, {}};
  }
  if (!refined)
    return failures.empty() ? Error{ErrorCode::Cancelled, "refining was cancelled", {}}
                            : failures.front();
  refined->compiled = compiled;
  refined->failures = std::move(failures);
  return std::move(*refined);
}

} // namespace tessera::session
