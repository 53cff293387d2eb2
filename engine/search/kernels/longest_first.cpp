// SPDX-License-Identifier: MIT
#include "engine/search/kernels/longest_first.h"

#include <algorithm>
#include <functional>

namespace tessera::search {

cost::Prediction longestFirst(const schedule::Schedule &schedule, const machine::Machine &machine) {
  cost::Prediction prediction = cost::predict(schedule, machine);
  std::ranges::stable_sort(prediction.kernels, std::greater<>{},
                           [](const auto &kernel) { return kernel.time.seconds; });
  return prediction;
}

} // namespace tessera::search
