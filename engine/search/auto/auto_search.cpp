// SPDX-License-Identifier: MIT
#include "engine/search/auto/auto_search.h"

#include "engine/search/auto/layouts.h"
#include "engine/search/auto/staged_sums.h"
#include "engine/cost/prediction.h"
#include "engine/search/kernels/copies.h"
#include "engine/search/kernels/longest_first.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tessera::search {

using pipeline::FuncId;

namespace {

constexpr std::size_t kMostCopies = 64; // each copy adds a func and derives a new pipeline

// Polishing is limited to kPolished evaluations, or to the number of earlier evaluations divided by
// kPartPolished if that is more. Pipelines of a thousand stages then take only seconds.
constexpr std::size_t kPolished = 20'000, kPartPolished = 8;

// The progress at the beginning of each phase, and at the end.
constexpr std::array<double, 8> kProgress{0, 0.35, 0.45, 0.55, 0.75, 0.8, 0.9, 1};

// Gains below 3 % are not worth a further func, given the error of the cost model.
constexpr double kClearly = 0.97;
constexpr std::size_t kMostParted = 3; // sums for which partial results are tried

// The outputs of the kernels, the slowest first.
std::vector<FuncId> byTime(const schedule::Schedule &schedule, const machine::Machine &machine) {
  const cost::Prediction prediction = longestFirst(schedule, machine);
  std::vector<FuncId> outputs;
  for (const auto &kernel : prediction.kernels)
    outputs.push_back(schedule.pipeline()->stage(kernel.load.stage).func);
  return outputs;
}

} // namespace

AutoSearch::AutoSearch(Problem problem)
    : m_problem(std::move(problem)), m_search(std::make_unique<PlacementSearch>(m_problem)),
      m_best(m_search->best()), m_trace(m_problem.traceRows) {
  m_trace.setUnit("s");
  take();
}

bool AutoSearch::step() {
  if (m_phase == Phase::Done) return false;
  if (m_search) {
    const bool goesOn = m_search->step();
    take();
    if (goesOn) return true;
    m_evaluations += m_search->evaluations();
    traceSearch();
    m_search.reset();
  }
  // A search around some funcs (Problem::around) adds no funcs. Copies in its start are treated
  // like other funcs.
  const bool goesOnWith = m_problem.around.empty() && m_evaluations < m_problem.evaluations;
  if (goesOnWith && m_phase < Phase::Sums && beginCopies(Phase::Sums)) return true;
  if (goesOnWith && m_phase <= Phase::Parts && beginParts()) return true;
  if (goesOnWith && m_phase < Phase::Copies && beginCopies(Phase::Copies)) return true;
  if (goesOnWith && m_phase <= Phase::StagedSums && beginStagedSum()) return true;
  if (goesOnWith && m_phase < Phase::Polish) {
    m_phase = Phase::Polish;
    return beginPolish(m_best.schedule, PlacementSearch::Work::Polish);
  }
  if (goesOnWith && m_phase < Phase::Layouts && beginLayouts()) return true;
  m_phase = Phase::Done;
  return false;
}

bool AutoSearch::beginPolish(schedule::Schedule start, PlacementSearch::Work work) {
  Problem problem = m_problem;
  problem.start = std::move(start);
  problem.evaluations = std::min(problem.evaluations - m_evaluations,
                                 std::max(kPolished, m_evaluations / kPartPolished));
  m_search = std::make_unique<PlacementSearch>(std::move(problem), work);
  return true;
}

// Returns false if there is nothing to do.
bool AutoSearch::beginCopies(Phase phase) {
  const std::vector<FuncId> outputs = byTime(m_best.schedule, m_problem.machine);
  WithCopies copied = phase == Phase::Sums
                          ? withCopiesOfSums(m_best.schedule, outputs, kMostCopies)
                          : withCopiesOfReads(m_best.schedule, outputs, kMostCopies);
  if (copied.around.empty()) return false;
  m_phase = phase;
  beginTrying(phase == Phase::Sums ? "copies that write the results of sums"
                                   : "copies of what is read",
              copied);
  search(std::move(copied), PlacementSearch::Work::Added);
  return true;
}

// Tries partial results for the next sum, or another number of strips for the sum that was tried
// before. Returns false if nothing is left.
bool AutoSearch::beginParts() {
  if (m_forms.empty()) {
    if (m_parted.size() == kMostParted) return false;
    for (const Sum &sum : sumsToPart(m_best.schedule, m_problem.machine)) {
      if (std::ranges::find(m_parted, sum) != m_parted.end()) continue;
      m_parted.push_back(sum);
      m_forms = withPartialSums(m_best.schedule, sum, m_problem.machine);
      std::ranges::reverse(m_forms);
      if (!m_forms.empty() || m_parted.size() == kMostParted) break;
    }
    m_withoutParts = m_best.seconds;
  }
  if (m_forms.empty()) return false;
  m_phase = Phase::Parts;
  beginTrying("partial results of " + m_parted.back().func, m_forms.back());
  search(std::move(m_forms.back()), PlacementSearch::Work::Anew);
  m_forms.pop_back();
  return true;
}

// Tries to stage the reads of one more sum. Returns false if no sum is left.
bool AutoSearch::beginStagedSum() {
  const std::vector<Sum> sums = sumsToStage(m_best.schedule, m_problem.machine);
  const auto sum = std::ranges::find_if(sums, [this](const Sum &one) {
    return std::ranges::find(m_stagedSums, one) == m_stagedSums.end();
  });
  if (sum == sums.end()) return false;
  m_phase = Phase::StagedSums;
  m_stagedSums.push_back(*sum);
  Staged staged = withStages(m_best.schedule, *sum, m_problem.machine);
  m_evaluations += staged.evaluations;
  const double before = m_best.seconds;
  if (staged.schedule) take({std::move(*staged.schedule), 0});
  m_trace.add([&] {
    const bool isTaken = m_best.seconds < before;
    TraceRow row{
        std::string(phase()), "fetch the reads of the sum some steps at a time", {sum->func}};
    row.outcome = isTaken ? TraceOutcome::Taken : TraceOutcome::Refused;
    if (isTaken) row.cost = m_best.seconds;
    if (isTaken) row.benefit = before - m_best.seconds;
    if (!isTaken) row.reason = staged.schedule ? kNotFaster : "no legal tile for that is faster";
    return row;
  });
  return true;
}

// Returns false if no other layout is better, or if no evaluations are left.
bool AutoSearch::beginLayouts() {
  m_phase = Phase::Layouts;
  Laid laid = withLayouts(m_best.schedule, m_problem.machine);
  m_evaluations += laid.evaluations;
  if (laid.changed == 0 || m_evaluations >= m_problem.evaluations) return false;
  m_trace.add([&] {
    TraceRow row{std::string(phase()), "other layouts"};
    row.outcome = TraceOutcome::Taken;
    row.counts = {{"funcs", static_cast<double>(laid.changed)}};
    return row;
  });
  take({laid.schedule, 0});
  return beginPolish(std::move(laid.schedule), PlacementSearch::Work::Relaid);
}

void AutoSearch::search(WithCopies start, PlacementSearch::Work work) {
  Problem problem = m_problem;
  problem.start = std::move(start.schedule);
  problem.around = std::move(start.around);
  problem.evaluations -= m_evaluations;
  m_search = std::make_unique<PlacementSearch>(std::move(problem), work);
}

void AutoSearch::beginTrying(std::string_view what, const WithCopies &start) {
  if (!m_trace.isOn()) return;
  m_trying.emplace();
  m_trying->phase = phase();
  m_trying->what = what;
  m_trying->cost = m_best.seconds;
  for (const FuncId func : start.around)
    m_trying->funcs.push_back(start.schedule.pipeline()->func(func).name);
}

// The rows of the search of this phase, and what became of it as a whole.
void AutoSearch::traceSearch() {
  if (!m_trace.isOn()) return;
  m_trace.append(m_search->trace(), m_phase == Phase::Places ? "" : phase());
  const std::optional<TraceRow> trying = std::exchange(m_trying, std::nullopt);
  if (!trying) return;
  m_trace.add([&] {
    TraceRow row = *trying;
    const double before = *trying->cost;
    const bool isTaken = m_best.seconds < before;
    row.cost = isTaken ? m_best.seconds : m_search->best().seconds;
    row.benefit = before - *row.cost;
    row.outcome = isTaken ? TraceOutcome::Taken : TraceOutcome::Refused;
    if (!isTaken) row.reason = row.benefit > 0 ? kGainsTooLittle : kNotFaster;
    return row;
  });
}

bool AutoSearch::isBetter(const Candidate &candidate) const {
  if (m_phase == Phase::Parts && candidate.seconds >= kClearly * m_withoutParts) return false;
  return candidate.seconds < m_best.seconds || candidate.schedule == m_best.schedule;
}

void AutoSearch::take() {
  for (Candidate &candidate : m_search->takeCandidates())
    take(std::move(candidate));
}

void AutoSearch::take(Candidate candidate) {
  if (m_phase != Phase::Places) {
    candidate.schedule = withoutIdleCopies(candidate.schedule);
    candidate.seconds = cost::predict(candidate.schedule, m_problem.machine).seconds;
  }
  if (!isBetter(candidate)) return;
  m_best = candidate;
  m_fresh.push_back(std::move(candidate));
}

std::vector<Candidate> AutoSearch::takeCandidates() { return std::exchange(m_fresh, {}); }

Trace AutoSearch::trace() const {
  if (!m_search || !m_trace.isOn()) return m_trace.trace();
  TraceWriter soFar = m_trace;
  soFar.append(m_search->trace(), m_phase == Phase::Places ? "" : phase());
  return soFar.trace();
}

std::string_view AutoSearch::phase() const {
  switch (m_phase) {
  case Phase::Places:
    return m_search->phase();
  case Phase::Sums:
    return "sums";
  case Phase::Parts:
    return "partial sums";
  case Phase::Layouts:
    return "layouts";
  case Phase::Copies:
    return "copies";
  case Phase::StagedSums:
    return "staged sums";
  case Phase::Polish:
    return "polishing";
  default:
    return "done";
  }
}

double AutoSearch::progress() const {
  const auto phase = static_cast<std::size_t>(m_phase);
  if (!m_search) return kProgress[phase];
  return kProgress[phase] + (kProgress[phase + 1] - kProgress[phase]) * m_search->progress();
}

std::size_t AutoSearch::evaluations() const {
  return m_evaluations + (m_search ? m_search->evaluations() : 0);
}

} // namespace tessera::search
