// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/loop_nest.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

inline bool isThread(schedule::LoopKind kind) {
  return kind == schedule::LoopKind::Thread || kind == schedule::LoopKind::Lane;
}

inline std::int64_t divideUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// A loop of a stage that steps along one of its dimensions. A fused loop becomes several of these.
struct FlatLoop {
  schedule::LoopKind kind = schedule::LoopKind::Serial;
  std::uint16_t dim = 0;
  std::uint16_t loop = 0; // position in the nest, innermost 0
  std::int64_t iterations = 1;
  std::int64_t step = 1; // distance of successive iterations along the dimension

  // The distance from the first iteration to the last.
  std::int64_t reach() const { return (iterations - 1) * step; }
};

// Lists the loops of a nest that have more than one iteration, innermost first. `dims` has the
// extents of the stage's dimensions.
void flatten(const schedule::LoopNest &nest, std::span<const std::int64_t> dims,
             std::vector<FlatLoop> &loops);

} // namespace tessera::cost
