// SPDX-License-Identifier: MIT
#pragma once

#include "engine/learn/training.h"
#include "engine/learn/weights.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::learn::testing {

// The cost model inside of Halide's plugin libautoschedule_anderson2021.so, which exports the two
// functions that Halide compiled its network to. Calls them as the plugin does.
class PluginNetwork {
public:
  // The reason, if the library cannot be loaded.
  explicit PluginNetwork(const std::string &library);

  bool isLoaded() const { return m_costs != nullptr && m_train != nullptr; }
  const std::string &whyNot() const { return m_whyNot; }

  // The costs of the stages of one schedule.
  std::vector<double> costs(const Weights &weights, std::span<const AlgorithmFeatures> algorithm,
                            std::span<const ScheduleFeatures> stages, int cores) const;

  struct Step {
    double loss = 0;
    Weights weights;              // after a step of ADAM from the beginning
    std::vector<double> gradient; // of the loss, by weight
  };
  // The samples have the same stages and cores.
  Step train(const Weights &weights, std::span<const Sample *const> samples, double rate) const;

private:
  void *m_library = nullptr, *m_costs = nullptr, *m_train = nullptr;
  std::string m_whyNot;
};

} // namespace tessera::learn::testing
