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

// A loop of a stage as steps along one of its dimensions: fused loops are several of these.
struct FlatLoop {
  schedule::LoopKind kind = schedule::LoopKind::Serial;
  std::uint16_t dim = 0;
  std::uint16_t loop = 0; // its place in the nest, innermost 0
  std::int64_t iterations = 1;
  std::int64_t step = 1; // along the dimension, from one iteration to the next

  // How far its iterations reach beyond the first.
  std::int64_t reach() const { return (iterations - 1) * step; }
};

// All loops of a nest with more than one iteration, innermost first, when the stage's dimensions
// have these extents.
void flatten(const schedule::LoopNest &nest, std::span<const std::int64_t> dims,
             std::vector<FlatLoop> &loops);

} // namespace tessera::cost
