// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tune/learning_rows.h"
#include "engine/tune/tune.h"
#include "engine/learn/training.h"
#include "engine/learn/weights.h"
#include "engine/search/search.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace tessera::tune {

// Makes batches of samples by the beam search of Anderson et al. 2021 (section 8). If the plan says
// so, the cost model that ranks them is trained before each batch, with all schedules that were
// measured until then. For use by one thread.
class BeamBatches {
public:
  // `done`: batches that an earlier run has made.
  BeamBatches(search::Problem problem, BeamPlan plan, std::size_t done);

  // To be told of each measured schedule of this pipeline, also of those of earlier runs.
  void learn(const schedule::Schedule &schedule, double seconds);
  // What is to be measured of the next batch, the sample of least cost first. Empty if there is no
  // further batch, or if it is not made by the given time.
  std::vector<schedule::Schedule> next(std::chrono::steady_clock::time_point until,
                                       const std::stop_token &stop);
  // How each training went.
  const std::vector<TrainedBatch> &trained() const { return m_trained; }

private:
  bool train(std::chrono::steady_clock::time_point until, const std::stop_token &stop);

  const search::Problem m_problem;
  const BeamPlan m_plan;
  std::size_t m_next; // batch
  LearningRows m_rows;
  learn::Application m_measured;
  double m_best = 0;                               // milliseconds; 0: nothing is measured
  std::shared_ptr<const learn::Weights> m_weights; // null: the analytic model ranks
  std::vector<TrainedBatch> m_trained;
};

} // namespace tessera::tune
