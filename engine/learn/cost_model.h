// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/network.h"
#include "engine/learn/schedule_features.h"
#include "engine/machine/machine.h"
#include "engine/pipeline/pipeline.h"
#include "engine/schedule/schedule.h"

#include <vector>

namespace tessera::learn {

// What the learned network says of schedules: features and network in one. It keeps memory and what
// depends on the pipeline alone, so each thread needs one of its own.
class CostModel {
public:
  CostModel(const Weights &weights, const machine::Machine &machine)
      : m_network(weights), m_cores(machine.multiprocessors), m_featurizer(machine) {}

  // Milliseconds of each stage of schedule.pipeline(). The schedule has to be legal. The reference
  // is valid until the next call.
  const std::vector<double> &costs(const schedule::Schedule &schedule);
  double milliseconds(const schedule::Schedule &schedule); // the sum of all stages

private:
  Network m_network;
  std::int64_t m_cores;
  ScheduleFeaturizer m_featurizer;
  pipeline::PipelinePtr m_pipeline; // of the embeddings
  std::vector<StageEmbedding> m_embeddings;
  std::vector<double> m_costs;
};

} // namespace tessera::learn
