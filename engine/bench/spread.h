// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tessera::bench {

// A summary of several samples of the same duration, in seconds.
struct Spread {
  double median = 0;
  double lower = 0, upper = 0; // quartiles
  int samples = 0;             // 0: not measured

  bool measured() const { return samples > 0; }
  friend bool operator==(const Spread &, const Spread &) = default;
};

// The median (for an even number, the mean of the two middle samples) and the quartiles.
inline Spread spreadOf(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::ranges::sort(samples);
  const std::size_t count = samples.size(), middle = count / 2;
  Spread spread;
  spread.median = count % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  spread.lower = samples[count / 4];
  spread.upper = samples[std::min(count - 1, 3 * count / 4)];
  spread.samples = static_cast<int>(count);
  return spread;
}

} // namespace tessera::bench
