// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/counters.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tessera::bench {

// Derives Tessera's counters from NVIDIA's metrics. Works on numbers only, without CUPTI.
class CounterMetrics {
public:
  // `isCounted` tells whether this GPU counts a metric.
  explicit CounterMetrics(const std::function<bool(const std::string &)> &isCounted);

  const std::vector<std::string> &names() const { return m_names; }
  // The counters that cannot be derived on this GPU, for the user.
  const std::vector<std::string> &absent() const { return m_absent; }

  // The counters of one launch. `values` is in the order of names().
  KernelCounters of(std::span<const double> values) const;

private:
  std::vector<std::string> m_names;
  std::vector<std::string> m_absent;
};

// Combines all launches of a kernel in a run: counts and times are added, shares are averaged with
// the times as weights.
KernelCounters together(const std::string &kernel, std::span<const KernelCounters> launches);

} // namespace tessera::bench
