// SPDX-License-Identifier: MIT
#include "engine/tune/refine.h"

#include "engine/cost/prediction.h"
#include "engine/measure/assemble.h"
#include "engine/schedule/directives/lower.h"
#include "engine/schedule/rules/legality.h"
#include "engine/search/kernels/register_caps.h"
#include "engine/search/tuning/kernel_tuning.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace tessera::tune {

using machine::Machine;
using search::Candidate;

namespace {

measure::ScheduledPipeline scheduledWith(const schedule::Schedule &schedule,
                                         measure::ScheduledPipeline pipeline) {
  pipeline.directives = schedule::lower(schedule);
  pipeline.promises = schedule.settings().promises;
  return pipeline;
}

// How many of at most `most` compilations are for candidates from the caller. The rest are for
// variations of their kernels.
std::size_t givenOf(std::size_t most) { return (5 * most + 7) / 8; }

// Whether the error comes from the machine or the installation, so that every candidate would fail
// with it.
bool isOfTheInstallation(const Error &error) {
  return error.code == ErrorCode::Usage || error.code == ErrorCode::System;
}

// Refuses a schedule whose code ptxas is known to compile wrongly.
Status checkCode(const std::vector<report::KernelReport> &kernels) {
  const auto wrong = std::ranges::find_if(
      kernels, [](const report::KernelReport &kernel) { return kernel.wrongLine > 0; });
  if (wrong == kernels.end()) return Done{};
  return Error{ErrorCode::InputRefused, "ptxas computes an address of " + wrong->name + " wrongly",
               "choose other tiles or another padding"};
}

// Compiles one schedule after the other, and learns from the predicted time of each kernel.
class Refining {
public:
  Refining(const Machine &machine, const measure::ScheduledPipeline &pipeline,
           measure::ScheduleCompiler &compiler, std::string folder, std::stop_token stop,
           const learn::Correction *correction)
      : m_correction(correction), m_machine(machine), m_pipeline(pipeline), m_compiler(compiler),
        m_folder(std::move(folder)), m_stop(std::move(stop)), m_kernels(machine, kSeed) {}

  // Returns an error only if every other schedule would fail with it too.
  std::optional<Error> compile(const schedule::Schedule &schedule) {
    m_known.insert(schedule.hash());
    const auto kernels = measure::assemble(scheduledWith(schedule, m_pipeline),
                                           schedule.settings().registerCap, m_machine, m_compiler,
                                           m_folder + "/" + std::to_string(m_known.size()), m_stop);
    if (!kernels && isOfTheInstallation(kernels.error())) return kernels.error();
    const Status usable = kernels ? checkCode(*kernels) : Status(kernels.error());
    if (!usable) {
      m_kernels.fail(schedule.hash());
      m_failures.push_back(usable.error());
      return std::nullopt;
    }
    ++m_compiled;
    const cost::Prediction prediction = corrected(cost::predict(schedule, m_machine, *kernels));
    if (!m_best || prediction.seconds < m_best->seconds)
      m_best = Candidate{schedule, prediction.seconds};
    std::vector<search::MeasuredKernel> learned;
    for (const auto &[load, time] : prediction.kernels)
      learned.push_back({schedule.pipeline()->stage(load.stage).func, time.seconds});
    m_kernels.learn(schedule, learned, prediction.seconds);
    return std::nullopt;
  }

  std::optional<Candidate> proposed() { return m_kernels.next(m_known); }

  Result<Refined> take() {
    if (m_best) return Refined{std::move(*m_best), m_compiled, std::move(m_failures)};
    return m_failures.empty() ? Error{ErrorCode::Cancelled, "refining was cancelled", {}}
                              : m_failures.front();
  }

private:
  static constexpr std::uint64_t kSeed = 0;

  cost::Prediction corrected(cost::Prediction prediction) const {
    if (!m_correction) return prediction;
    const auto kernels = learn::correctionsOf(*m_correction, prediction, true, m_machine);
    prediction.seconds = learn::correctedSeconds(prediction, kernels);
    for (std::size_t k = 0; k < kernels.size(); ++k)
      prediction.kernels[k].time.seconds *= kernels[k].factor;
    return prediction;
  }

  const learn::Correction *m_correction; // nullptr: none
  const Machine &m_machine;
  const measure::ScheduledPipeline &m_pipeline;
  measure::ScheduleCompiler &m_compiler;
  const std::string m_folder;
  const std::stop_token m_stop;
  search::KernelTuning m_kernels;
  std::set<std::uint64_t> m_known; // hashes of all schedules tried so far
  std::optional<Candidate> m_best;
  std::size_t m_compiled = 0;
  std::vector<Error> m_failures;
};

} // namespace

// The order: the best candidate, the best with other register caps, then the rest by predicted
// time.
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
                       const Machine &machine, const measure::ScheduledPipeline &pipeline,
                       measure::ScheduleCompiler &compiler, const std::string &folder,
                       std::stop_token stop, const job::ProgressCallback &progress,
                       const learn::Correction *correction) {
  Refining refining(machine, pipeline, compiler, folder, stop, correction);
  const std::vector<Candidate> given = worthCompiling(candidates, givenOf(most), machine);
  for (std::size_t c = 0; c < most && !stop.stop_requested(); ++c) {
    if (progress)
      progress({"compiling " + std::to_string(c + 1) + " of up to " + std::to_string(most),
                static_cast<double>(c) / static_cast<double>(most)});
    const bool isGiven = c < given.size();
    const std::optional<Candidate> next = isGiven ? given[c] : refining.proposed();
    if (!next) break;
    if (auto error = refining.compile(next->schedule)) return *error;
  }
  return refining.take();
}

} // namespace tessera::tune
