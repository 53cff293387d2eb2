// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/counters.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tessera::bench {

// Which of NVIDIA's metrics our counters come from, and how: numbers only, no library.
class CounterMetrics {
public:
  // Those that this GPU counts.
  explicit CounterMetrics(const std::function<bool(const std::string &)> &isCounted);

  const std::vector<std::string> &names() const { return m_names; }
  // Our counters that cannot be made of them, for a person.
  const std::vector<std::string> &absent() const { return m_absent; }

  // Of one launch: values in the order of names().
  KernelCounters of(std::span<const double> values) const;

private:
  std::vector<std::string> m_names;
  std::vector<std::string> m_absent;
};

// All launches of a kernel in a run: counts and times are added, shares weighed by their time.
KernelCounters together(const std::string &kernel, std::span<const KernelCounters> launches);

} // namespace tessera::bench
