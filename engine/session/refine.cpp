// SPDX-License-Identifier: MIT
#include "engine/session/refine.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/legality.h"
#include "engine/schedule/lower.h"
#include "engine/search/register_caps.h"
#include "engine/session/assemble.h"

#include <algorithm>

namespace tessera::session {

using machine::Machine;
using search::Candidate;

namespace {

ScheduledPipeline scheduledWith(const schedule::Schedule &schedule, ScheduledPipeline pipeline) {
  pipeline.directives = schedule::lower(schedule);
  pipeline.promises = schedule.settings().promises;
  return pipeline;
}

// No other candidate would fare better.
bool isOfTheInstallation(const Error &error) {
  return error.code == ErrorCode::Usage || error.code == ErrorCode::System;
}

} // namespace

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

Result<Refined> refine(std::span<const Candidate> candidates, std::size_t most,
                       const Machine &machine, const ScheduledPipeline &pipeline,
                       ScheduleCompiler &compiler, const std::string &folder, std::stop_token stop,
                       const job::ProgressCallback &progress) {
  std::optional<Refined> refined;
  std::vector<Error> failures;
  std::size_t compiled = 0;
  const std::vector<Candidate> chosen = worthCompiling(candidates, most, machine);
  for (std::size_t c = 0; c < chosen.size() && !stop.stop_requested(); ++c) {
    if (progress)
      progress({"compiling " + std::to_string(c + 1) + " of " + std::to_string(chosen.size()),
                static_cast<double>(c) / static_cast<double>(chosen.size())});
    const schedule::Schedule &schedule = chosen[c].schedule;
    const auto kernels =
        assemble(scheduledWith(schedule, pipeline), schedule.settings().registerCap, machine,
                 compiler, folder + "/" + std::to_string(c), stop);
    if (!kernels && isOfTheInstallation(kernels.error())) return kernels.error();
    if (!kernels) {
      failures.push_back(kernels.error());
      continue;
    }
    ++compiled;
    const double seconds = cost::predict(schedule, machine, *kernels).seconds;
    if (!refined || seconds < refined->best.seconds) refined = Refined{{schedule, seconds}, 0, {}};
  }
  if (!refined)
    return failures.empty() ? Error{ErrorCode::Cancelled, "refining was cancelled", {}}
                            : failures.front();
  refined->compiled = compiled;
  refined->failures = std::move(failures);
  return std::move(*refined);
}

} // namespace tessera::session
