// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/beam/beam_tiles.h"
#include "engine/pipeline/stage.h"
#include "engine/schedule/plan.h"

#include <cstdint>
#include <span>

namespace tessera::search {

// What happens where a tile reaches beyond the end. Shifted: it is moved inwards, in a func without
// updates. Guarded: there is a condition around what is beyond. The second is tried where our rules
// refuse the first.
enum class BeamTails : std::uint8_t { Shifted, Guarded };

// Writes the loops that section 6 of Anderson et al. 2021 gives a stage, with serial loops of fewer
// than UNROLL_BELOW iterations in all unrolled (section 6.7).

// In a kernel of its own: blocks, threads, serial loops.
schedule::StagePlan rootStage(const pipeline::Stage &stage, const BeamTile &tile,
                              const BeamParameters &parameters, BeamTails tails);
// In the blocks of a kernel: what serial loops leave of these extents are threads.
schedule::StagePlan blockStage(const pipeline::Stage &stage, std::span<const std::int64_t> extents,
                               const BeamSizes &serial, const BeamParameters &parameters,
                               BeamTails tails);
// In a thread, which computes all of it. Unrolled, so that what is stored there can
// be in registers.
schedule::StagePlan threadStage(const pipeline::Stage &stage,
                                std::span<const std::int64_t> extents);
// While a kernel has no tiles yet: one warp in a block.
schedule::StagePlan untiledStage(const pipeline::Stage &stage);

} // namespace tessera::search
