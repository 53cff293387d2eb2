// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_search.h"

#include "engine/search/beam/beam_trace.h"
#include "engine/search/beam/learned_beam_cost.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/search/kernels/kept_kernels.h"

#include <algorithm>

// Sections are those of Anderson et al. 2021.
namespace tessera::search {

using pipeline::FuncId;

BeamSearch::BeamSearch(Problem problem, std::shared_ptr<const learn::Weights> weights)
    : KernelSearch(std::move(problem)), m_parameters(beamParameters(m_problem.parameters)),
      m_weights(std::move(weights)), m_legality(m_problem.machine) {
  begin();
}

std::string_view BeamSearch::phase() const {
  if (m_isOver) return "done";
  if (m_staging) return "staging";
  if (m_samples > 0) return "greedy samples";
  return m_sample->phase();
}

double BeamSearch::progress() const {
  if (m_isOver) return 1;
  if (m_staging) return 1;
  return (static_cast<double>(m_samples) + m_sample->progress()) / m_parameters.samples;
}

std::vector<std::string> BeamSearch::remarks() const {
  std::vector<std::string> remarks;
  if (m_parameters.costKind() == BeamCostKind::Learned && !m_weights)
    remarks.emplace_back("no learned weights are loaded, so COST=analytic ranked the states");
  std::vector<std::string> names;
  for (const FuncId func : m_frozen)
    names.push_back(m_pipeline->func(func).name);
  if (!names.empty())
    remarks.push_back(std::to_string(names.size()) +
                      (names.size() == 1 ? " func was" : " funcs were") +
                      " frozen by the pre-pass of the beam sample: " + listed(names));
  if (m_staged > 0)
    remarks.push_back(std::to_string(m_staged) + (m_staged == 1 ? " load is" : " loads are") +
                      " staged in registers");
  return remarks;
}

// What ranked the chosen sample, before its loads were staged. A learned cost has rows of inlined
// funcs too.
std::vector<KernelCost> BeamSearch::kernelCosts() const {
  std::vector<KernelCost> costs;
  if (!m_isOver || !m_chosen) return costs;
  for (const FuncId func : m_pipeline->allFuncs())
    if (const double cost = m_chosen->costs[index(func)]; cost > 0)
      costs.push_back({m_pipeline->func(func).name, {{m_cost->name(), cost}}});
  return costs;
}

// Each func becomes a kernel of its own, except for what is kept and what is frozen. Returns
// whether that is legal.
bool BeamSearch::resetTo(const std::set<FuncId> &kept) {
  m_kept = withTheirInlined(m_problem.start, kept);
  m_schedule = resetAround(m_kept);
  const FrozenDecisions frozen(m_problem.start);
  for (const FuncId func : m_pipeline->allFuncs()) {
    if (m_kept.contains(func) || m_pipeline->func(func).externCall) continue;
    if (frozen.contains(func)) {
      m_schedule.set(func, m_problem.start.plan(func));
      continue;
    }
    schedule::FuncPlan plan;
    for (const pipeline::Stage &stage : m_pipeline->stagesOf(func))
      plan.stages.push_back({schedule::kernelNest(stage)});
    m_schedule.set(func, std::move(plan));
  }
  return m_legality.isLegal(m_schedule) && keepsFrozen(m_problem.start, m_schedule);
}

std::unique_ptr<BeamCost> BeamSearch::makeCost() const {
  if (m_parameters.costKind() == BeamCostKind::Learned && m_weights)
    return std::make_unique<LearnedBeamCost>(*m_weights, m_problem.machine);
  return std::make_unique<AnalyticBeamCost>(m_schedule, m_problem.machine);
}

void BeamSearch::begin() {
  const std::set<FuncId> kept = keptFuncs(m_problem.start);
  std::set<FuncId> whole = kept;
  for (const FuncId func : keptAlone(m_problem.start, kept))
    whole.erase(func);
  // If nothing can be begun anew around what is frozen, the search ends at once.
  if (!resetTo(whole) && !resetTo(kept)) {
    m_isOver = true;
    return;
  }
  m_cost = makeCost();
  if (m_cost->name() == "analytic") m_trace.setUnit("s");
  m_moves = std::make_unique<BeamMoves>(m_problem.start, m_schedule, m_kept, m_problem.machine,
                                        m_parameters, *m_cost);
  beginSample();
}

// Section 8: a batch is one sample by beam search and 79 greedy ones.
void BeamSearch::beginSample() {
  m_sample.emplace(*m_moves, m_parameters, m_samples == 0 ? SampleKind::Beam : SampleKind::Greedy,
                   m_problem.seed * 0x9e3779b97f4a7c15U + m_samples);
}

bool BeamSearch::step() {
  if (m_isOver) return false;
  if (m_staging) {
    if (!m_staging->step()) endStaging();
    return !m_isOver;
  }
  const bool isGoing = m_sample->step();
  m_evaluations += m_sample->takeEvaluations();
  if (const auto pass = m_sample->takeEnded()) tracePass(*pass);
  if (!isGoing)
    endSample();
  else if (isOutOfEvaluations())
    finish();
  return !m_isOver;
}

void BeamSearch::endSample() {
  if (m_samples == 0)
    for (const auto &[func, choice] : m_sample->frozen())
      m_frozen.insert(func);
  addSample(*m_sample->best());
  ++m_samples;
  if (static_cast<double>(m_samples) >= m_parameters.samples || isOutOfEvaluations())
    return finish();
  beginSample();
}

// A kernel with a tile may be known from another state, so the whole is checked once more.
void BeamSearch::addSample(const BeamState &found) {
  const auto isSame = [&](const BeamStatePtr &other) { return other->schedule == found.schedule; };
  if (!m_legality.isLegal(found.schedule)) return traceSample(found, "it is not legal");
  if (std::ranges::any_of(m_found, isSame)) return traceSample(found, "an earlier one is the same");
  const auto sample = std::make_shared<BeamState>(found);
  sample->parent = nullptr; // 80 samples with all states that they came from are many
  const auto isDearer = [](double cost, const BeamStatePtr &other) { return cost < other->cost; };
  const auto place = std::upper_bound(m_found.begin(), m_found.end(), found.cost, isDearer);
  const bool isFirst = place == m_found.begin();
  traceSample(found, isFirst ? "" : "an earlier one costs less");
  m_found.insert(place, sample);
  if (!isFirst) return;
  m_schedule = found.schedule;
  report(Report::IfBetter);
}

void BeamSearch::finish() {
  if (!m_found.empty()) {
    const auto rank = static_cast<std::size_t>(m_parameters.rank);
    m_chosen = m_found[std::min(rank, m_found.size()) - 1];
    m_trace.add([&] {
      TraceRow row{
          "samples", "the sample of rank " + std::to_string(rank), {}, finiteCost(m_chosen->cost)};
      row.outcome = TraceOutcome::Taken;
      return row;
    });
    m_staging.emplace(m_chosen->schedule, m_problem.machine, m_parameters, *m_cost);
    return;
  }
  m_isOver = true;
  m_schedule = m_sample->best()->schedule;
  report(Report::IfBetter);
}

schedule::Schedule BeamSearch::lowered(std::size_t sample) const {
  StagedLoads staging(m_found[sample]->schedule, m_problem.machine, m_parameters, *m_cost);
  while (staging.step()) {
  }
  return staging.schedule();
}

// Of the beam sample: what it did, and what its pre-pass froze. Greedy samples are many.
void BeamSearch::tracePass(const EndedPass &pass) {
  if (m_samples > 0) return;
  m_trace.add([&] { return rowOf(pass); });
  if (!pass.isPrePass) return;
  for (const auto &[func, choice] : m_sample->frozen())
    m_trace.add([&] { return rowOf(choice, nameOf(func)); });
}

void BeamSearch::traceSample(const BeamState &found, std::string_view refusal) {
  m_trace.add([&] { return sampleRow(m_samples, found.cost, refusal); });
}

void BeamSearch::endStaging() {
  m_isOver = true;
  m_schedule = m_staging->schedule();
  m_staged = m_staging->staged();
  m_trace.add([&] {
    TraceRow row{"staging", "stage loads in registers"};
    row.outcome = TraceOutcome::Taken;
    row.counts = {{"loads", static_cast<double>(m_staged)}};
    return row;
  });
  report(Report::Always);
}

} // namespace tessera::search
