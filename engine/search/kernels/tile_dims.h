// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/kernels/group.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Which dimensions of a stage a tile cuts, and what tiles of a group may choose between.
namespace tessera::search {

inline constexpr std::int64_t kShort = 4; // a dimension that one thread may take whole
inline constexpr std::int64_t kSteps = 8; // unrolled, of a reduction that is too long to be whole
inline constexpr std::int64_t kScanSteps = 16; // of a scan, each of whose steps needs the last
inline constexpr std::int64_t kAllSteps = 64;  // reductions that are no longer, whole
inline constexpr std::size_t kNone = SIZE_MAX; // no dimension

inline std::int64_t extentOf(const pipeline::LoopDim &loop) { return loop.range.extent(); }
pipeline::StageId idOf(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage);
bool isShort(const pipeline::LoopDim &loop);

// The dimensions along which what a func adds to has no place of its own in a loop: data choose it,
// or it is what the step before has stored.
std::vector<std::size_t> sequentialDims(const pipeline::Pipeline &pipeline, pipeline::FuncId func);
// The loops with which an output reads a histogram or a scan along them.
std::vector<std::size_t> wholeDims(const pipeline::Pipeline &pipeline, pipeline::StageId id);
// The two dimensions that threads count through: the first long ones, neighbours in memory first.
std::array<std::size_t, 2> threadDims(const pipeline::Stage &stage, bool reductions,
                                      std::span<const std::size_t> without = {});
// The next long dimension of no reduction; kNone: there is none.
std::size_t thirdDim(const pipeline::Stage &stage, std::span<const std::size_t> others);
// The dimensions that a tile's threads count through; `whole` says which of an output's they leave
// to each thread, or take all of first.
std::array<std::size_t, 2> tiledDims(const pipeline::Pipeline &pipeline,
                                     const pipeline::Stage &stage, bool atomic, Whole whole);

// A stage whose sums may be made in any order and at once, and that has nothing else to spread.
bool wantsAtomics(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage);
bool maySpread(const pipeline::Pipeline &pipeline, pipeline::FuncId func);
// The same of a sum that a block computes: how many points it has there depends on the block. Of
// integers alone: floats in shared memory are exchanged until nobody was there before, and on the
// CPU's OpenCL (PoCL 3.1) for ever.
bool maySpreadInBlock(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage);
// Whether Halide sees that an update stores where it has loaded. Where data choose the place, it
// compares two expressions, which boundaries and sums of loops in them make different by then; an
// addition that it does not see is no atomic one.
bool isOnePlace(const schedule::Schedule &schedule, const pipeline::Stage &update);
// The innermost of a stage's reductions that is no loop of few steps.
std::size_t longReduction(const pipeline::Stage &stage);
// How many of its iterations are unrolled, in a tile of so many steps.
std::int64_t unrolledSteps(const pipeline::LoopDim &reduction, std::int64_t steps);

// What differs between the tiles of a group, besides sizes: where nothing is short, or long, all
// choices are the first.
std::vector<bool> shortChoices(const pipeline::Pipeline &pipeline, pipeline::FuncId output);
std::vector<Whole> wholeChoices(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage);
// Whether something is computed by all threads of a block, which may take several turns.
bool hasTurns(const Group &group);
std::vector<Turns> turnChoices(const pipeline::Pipeline &pipeline, const Group &group);
std::vector<bool> memberSpreadChoices(const pipeline::Pipeline &pipeline, const Group &group);
// Whether an output copies partial results, so that a block may have one strip of them.
std::vector<bool> stripChoices(const schedule::Schedule &schedule, pipeline::FuncId output);
std::vector<std::int64_t> stepChoices(const pipeline::Pipeline &pipeline, const Group &group);

// Tiles worth a look for a group: few at first, many in the end.
enum class TileEffort : std::uint8_t { Few, Many };
std::vector<Tile> tilesFor(const pipeline::Pipeline &pipeline, const Group &group,
                           TileEffort effort);
// The same and, of partial results, strips.
std::vector<Tile> tilesFor(const schedule::Schedule &schedule, const Group &group,
                           TileEffort effort);
// A step away from a tile, in one direction each.
std::vector<Tile> tilesNear(const pipeline::Pipeline &pipeline, const Group &group,
                            const Tile &tile);

} // namespace tessera::search
