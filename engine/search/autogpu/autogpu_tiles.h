// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/autogpu/autogpu_parameters.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::search {

// Sioutas et al. 2020, "Schedule Synthesis for Halide Pipelines on GPUs" (AutoGPU), section 4.2.
// During the grouping, few tile sizes are tried. Afterwards the final tiles of each group are
// chosen from many sizes.
enum class AutoGpuPhase : std::uint8_t { Grouping, FinalTiles };

// The dimensions of a group's output that are tiled: those with at least 64 points. If there are
// none, the largest dimension.
//
//   {1536, 2560, 3}    {true, true, false}
//   {12, 40, 3}        {false, true, false}
//
// The authors' code tiles the first dimension, and with it the longest of those with more than 16
// points, at most three in all. If that is one alone, more than 8 points are enough.
//
//   {1536, 2560, 3, 32}    {true, true, false, true}
std::vector<bool> autoGpuTiledDims(std::span<const std::int64_t> extents,
                                   AutoGpuReading reading = AutoGpuReading::Paper);

// The sizes to try along one of `tiledDims` tiled dimensions, in ascending order. The bounds are
// those of the paper:
//
//   T_min = 8 where the extent is at least 64, else 2
//   T_max = extent / 128 where it is at least 1024 and no other dimension is tiled,
//           extent / 32 where it is at least 1024 and others are, else extent / 2
//
// Sizes between them are powers of two while grouping, and multiples of two at the end. If T_max is
// below T_min (an extent below 4), the whole extent is the only size. The paper does not treat this
// case. Sizes above `ceiling` are left out, but T_min stays.
std::vector<std::int64_t> autoGpuTileSizes(std::int64_t extent, int tiledDims, AutoGpuPhase phase,
                                           std::int64_t ceiling = INT64_MAX);

} // namespace tessera::search
