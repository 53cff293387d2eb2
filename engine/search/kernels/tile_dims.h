// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/kernels/group.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The dimensions of a stage that a tile cuts, and the choices for tiles of a group.
namespace tessera::search {

inline constexpr std::int64_t kShort = 4; // longest dimension that a thread may compute completely
inline constexpr std::int64_t kSteps = 8; // unrolled steps of a long reduction
inline constexpr std::int64_t kScanSteps = 16; // unrolled steps of a scan
inline constexpr std::int64_t kAllSteps = 64;  // longest reduction that may be unrolled completely
inline constexpr std::size_t kNone = SIZE_MAX; // no such dimension

inline std::int64_t extentOf(const pipeline::LoopDim &loop) { return loop.range.extent(); }
pipeline::StageId idOf(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage);
bool isShort(const pipeline::LoopDim &loop);

// The dimensions of a func along which its updates cannot run in parallel, because the index
// depends on data or each step reads what the previous step has stored.
std::vector<std::size_t> sequentialDims(const pipeline::Pipeline &pipeline, pipeline::FuncId func);
// The loops of an output that move along sequentialDims() of a histogram or a scan that it reads.
std::vector<std::size_t> wholeDims(const pipeline::Pipeline &pipeline, pipeline::StageId id);
// The dimensions of threads: the first two long ones, starting with the one that is contiguous in
// memory. If no dimension is long, the first one.
std::array<std::size_t, 2> threadDims(const pipeline::Stage &stage, bool reductions,
                                      std::span<const std::size_t> without = {});
// The next long pure dimension, or kNone.
std::size_t thirdDim(const pipeline::Stage &stage, std::span<const std::size_t> others);
// The dimensions of a tile's threads. With Whole::Thread, wholeDims() are not among them, because
// each thread computes these completely. With Whole::Block, the first of wholeDims() comes first.
std::array<std::size_t, 2> tiledDims(const pipeline::Pipeline &pipeline,
                                     const pipeline::Stage &stage, bool atomic, Whole whole);

// Whether a stage is a sum that atomics may add up in any order, and has too few points to be
// spread otherwise.
bool wantsAtomics(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage);
bool maySpread(const pipeline::Pipeline &pipeline, pipeline::FuncId func);
// Whether a sum that a block computes may be spread over threads with atomics, if it has few points
// in the block. Only integers are allowed: adding floats in shared memory is a compare-and-swap
// loop, which never ends with OpenCL on CPUs (PoCL 3.1).
bool maySpreadInBlock(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage);
// Whether Halide recognises that an update stores to the element that it has loaded. If the index
// depends on data, Halide compares two expressions, which differ if they contain boundary
// conditions or sums of loop indices. Then it does not recognise an addition and emits no atomic
// addition.
bool isOnePlace(const schedule::Schedule &schedule, const pipeline::Stage &update);
// The innermost reduction of a stage that has more than a few steps.
std::size_t longReduction(const pipeline::Stage &stage);
// How many iterations of a reduction are unrolled if Tile::steps is `steps`: all, if their number
// is fixed and at most `steps`; otherwise at most kSteps, or kScanSteps if `steps` is kScanSteps.
std::int64_t unrolledSteps(const pipeline::LoopDim &reduction, std::int64_t steps);

// The values to try for the parts of a Tile other than sizes. If the values make no difference for
// the group, only the first one is given.
std::vector<bool> shortChoices(const pipeline::Pipeline &pipeline, pipeline::FuncId output);
std::vector<Whole> wholeChoices(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage);
// Whether all threads of a block compute some member together. Each thread may then have several
// turns (see Turns).
bool hasTurns(const Group &group);
std::vector<Turns> turnChoices(const pipeline::Pipeline &pipeline, const Group &group);
std::vector<bool> memberSpreadChoices(const pipeline::Pipeline &pipeline, const Group &group);
// {false, true} if an output copies partial results, so that a block may have one strip of them;
// otherwise {false}.
std::vector<bool> stripChoices(const schedule::Schedule &schedule, pipeline::FuncId output);
std::vector<std::int64_t> stepChoices(const pipeline::Pipeline &pipeline, const Group &group);

// Tiles to try for a group: few at first, many at the end.
enum class TileEffort : std::uint8_t { Few, Many };
std::vector<Tile> tilesFor(const pipeline::Pipeline &pipeline, const Group &group,
                           TileEffort effort);
// The tiles of the other tilesFor(), and also those with strips for partial results.
std::vector<Tile> tilesFor(const schedule::Schedule &schedule, const Group &group,
                           TileEffort effort);
// Tiles that differ from `tile` in `turns`, or in one number by a factor of two, or in two numbers
// by a factor of two in opposite directions.
std::vector<Tile> tilesNear(const pipeline::Pipeline &pipeline, const Group &group,
                            const Tile &tile);

} // namespace tessera::search
