// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <array>
#include <cstdint>

namespace tessera::cost {

inline constexpr std::size_t kBlockDims = 3; // x, y, z

inline double product(const std::array<std::int64_t, kBlockDims> &of) {
  return static_cast<double>(of[0] * of[1] * of[2]);
}

// How often a kernel is launched, with how many blocks, and their size.
struct Launch {
  pipeline::StageId stage{}; // the stage that owns the blocks
  double launches = 1;
  double blocks = 1; // blocks per launch
  std::array<std::int64_t, kBlockDims> blockThreads{1, 1, 1};
  std::int64_t sharedBytes = 0;

  std::int64_t threads() const { return blockThreads[0] * blockThreads[1] * blockThreads[2]; }
};

} // namespace tessera::cost
