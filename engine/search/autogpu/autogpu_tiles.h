// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::search {

// Sioutas et al. 2020, "Schedule Synthesis for Halide Pipelines on GPUs" (AutoGPU), section 4.2:
// groups are merged with few tile sizes at hand, then the tiles of each group are chosen anew among
// many.
enum class AutoGpuPhase : std::uint8_t { Grouping, FinalTiles };

// Which dimensions of a group's output are tiled: those of at least 64; where there is none, the
// largest.
//
//   {1536, 2560, 3}    {true, true, false}
//   {12, 40, 3}        {false, true, false}
std::vector<bool> autoGpuTiledDims(std::span<const std::int64_t> extents);

// The sizes to try along one of `tiledDims` tiled dimensions, ascending. The bounds are the
// paper's:
//
//   T_min = 8 where the extent is at least 64, else 2
//   T_max = extent / 128 where it is at least 1024 and no other dimension is tiled,
//           extent / 32 where it is at least 1024 and others are, else extent / 2
//
// Between them powers of two while grouping, steps of two at the end. Where T_max is below T_min
// (an extent below 4) the whole extent is the only size: ours, the paper is silent.
std::vector<std::int64_t> autoGpuTileSizes(std::int64_t extent, int tiledDims, AutoGpuPhase phase);

} // namespace tessera::search
