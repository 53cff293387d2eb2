// SPDX-License-Identifier: MIT
#include "engine/cost/stage_seconds.h"

#include <algorithm>
#include <numeric>

namespace tessera::cost {

namespace {

double issuedOf(const StageLoad &stage) {
  return stage.warps * stage.bodies *
         (stage.arithmetic.all() + stage.loads + stage.stores + stage.sharedAccesses +
          stage.localAccesses + stage.atomics);
}

} // namespace

std::vector<double> stageSecondsOf(const Prediction::Kernel &kernel) {
  std::vector<double> seconds(kernel.load.stages.size());
  std::ranges::transform(kernel.load.stages, seconds.begin(), issuedOf);
  const double all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  for (double &part : seconds)
    part = kernel.time.seconds * (all > 0 ? part / all : 1.0 / static_cast<double>(seconds.size()));
  return seconds;
}

} // namespace tessera::cost
