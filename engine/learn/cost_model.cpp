// SPDX-License-Identifier: MIT
#include "engine/learn/cost_model.h"

#include "engine/learn/algorithm_features.h"

#include <numeric>

namespace tessera::learn {

const std::vector<double> &CostModel::costs(const schedule::Schedule &schedule) {
  if (m_pipeline != schedule.pipeline()) {
    m_pipeline = schedule.pipeline();
    m_embeddings = m_network.embed(algorithmFeatures(*m_pipeline));
  }
  const std::vector<ScheduleFeatures> &stages = m_featurizer.of(schedule);
  m_costs.clear();
  for (std::size_t s = 0; s < stages.size(); ++s)
    m_costs.push_back(m_network.cost(m_embeddings[s], stages[s], m_cores));
  return m_costs;
}

double CostModel::milliseconds(const schedule::Schedule &schedule) {
  const std::vector<double> &stages = costs(schedule);
  return std::accumulate(stages.begin(), stages.end(), 0.0);
}

} // namespace tessera::learn
