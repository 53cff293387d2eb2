// SPDX-License-Identifier: MIT
#include "engine/tune/beam_batches.h"

#include "engine/search/beam/beam_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tessera::tune {

namespace {

using Clock = std::chrono::steady_clock;

// Steps of ADAM before each batch, whatever was measured. Of batches of a chain of stencils, 600
// left pairs of samples in an order that was hardly better than before.
constexpr std::size_t kSteps = 2000;

int epochsFor(std::size_t samples, const learn::TrainingOptions &options) {
  const std::size_t stepsOfEpoch = (samples + options.batch - 1) / options.batch;
  return static_cast<int>((kSteps + stepsOfEpoch - 1) / stepsOfEpoch);
}

} // namespace

BeamBatches::BeamBatches(search::Problem problem, BeamPlan plan, std::size_t done)
    : m_problem(std::move(problem)), m_plan(std::move(plan)), m_next(done),
      m_rows(m_problem.machine), m_measured{.name = m_problem.start.pipeline()->name(),
                                            .samples = {}},
      m_weights(m_plan.weights) {}

void BeamBatches::learn(const schedule::Schedule &schedule, double seconds) {
  if (!m_plan.isTrained) return;
  m_rows.add(schedule,
             {.application = m_measured.name, .commit = "", .milliseconds = seconds * 1e3});
  for (learn::DataRow &row : m_rows.take()) {
    m_best = m_best > 0 ? std::min(m_best, row.sample.milliseconds) : row.sample.milliseconds;
    m_measured.samples.push_back(std::move(row.sample));
  }
}

bool BeamBatches::train(Clock::time_point until, const std::stop_token &stop) {
  learn::TrainingOptions options;
  options.seed = m_problem.seed + m_next;
  if (m_measured.samples.size() < options.leastBatch) {
    // The paper begins with random weights.
    if (!m_weights)
      m_weights = std::make_shared<const learn::Weights>(learn::randomWeights(options.seed));
    return true;
  }
  options.epochs = epochsFor(m_measured.samples.size(), options);
  TrainedBatch trained{.samples = m_measured.samples.size(), .bestSeconds = m_best * 1e-3};
  bool goesOn = true;
  const learn::Weights weights =
      learn::train({&m_measured, 1}, options, m_weights.get(), [&](int, double loss) {
        trained.loss = loss;
        goesOn = !stop.stop_requested() && Clock::now() < until;
        return goesOn;
      });
  if (!goesOn) return false;
  m_weights = std::make_shared<const learn::Weights>(weights);
  m_trained.push_back(trained);
  return true;
}

std::vector<schedule::Schedule> BeamBatches::next(Clock::time_point until,
                                                  const std::stop_token &stop) {
  if (m_next >= m_plan.batches) return {};
  if (m_plan.isTrained && !train(until, stop)) return {};
  search::Problem problem = m_problem;
  problem.seed += m_next;
  if (m_weights)
    problem.parameters.try_emplace("COST", static_cast<double>(search::BeamCostKind::Learned));
  search::BeamSearch search(std::move(problem), m_weights);
  const auto isInTime = [&] { return !stop.stop_requested() && Clock::now() < until; };
  bool isGoing = true;
  while (isGoing && isInTime())
    isGoing = search.step();
  std::vector<schedule::Schedule> batch;
  const std::size_t most = std::min(search.samples(), m_plan.measured);
  while (batch.size() < most && isInTime())
    batch.push_back(search.lowered(batch.size()));
  if (!isInTime()) return {};
  ++m_next;
  return batch;
}

} // namespace tessera::tune
