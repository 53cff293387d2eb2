// SPDX-License-Identifier: MIT
#include "engine/search/kernels/stage_tiler.h"

#include "engine/cost/load/run_facts.h"
#include "engine/schedule/rules/narrowed_halves.h"
#include "engine/schedule/rules/shuffled_bytes.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tessera::search {

using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Stage;
using schedule::Depth;
using schedule::DimTiling;
using schedule::Loop;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::LoopRef;
using schedule::StagePlan;
using schedule::Tail;

namespace {

// Short reductions are unrolled completely if their loops together have at most this many
// iterations. So is a dimension that each thread computes completely.
constexpr std::int64_t kMostUnrolled = 16;
// Largest number of points of a func that a thread keeps.
constexpr std::int64_t kMostInRegisters = 100;
constexpr std::int64_t kMostTurns = 24;   // largest number of unrolled iterations of a thread
constexpr std::int64_t kLoadedBits = 128; // largest number of bits that a thread loads at once

// LLVM sees the sums of a block as one array, and has to find out that each thread uses only its
// own elements. For each load of a sum it looks back a hundred instructions for the store
// (memdep-block-scan-limit, LLVM 21). If it does not find one, the whole array becomes local
// memory, which is 30 times as slow (mat_mul on an H200). The next two limits keep the store that
// near.
constexpr std::int64_t kMostFetches = 12; // fetches of a func, per thread and group of steps
constexpr std::int64_t kMostAdded = 64;   // unrolled additions (of values or vectors) in a loop

bool isPure(const LoopDim &loop) { return loop.kind == LoopDim::Kind::Pure; }

// The loop that is contiguous in memory, or kNone.
std::size_t firstOf(const Stage &stage) {
  for (std::size_t d = 0; d < stage.loops.size(); ++d)
    if (stage.loops[d].argument && *stage.loops[d].argument == 0) return d;
  return kNone;
}

// Makes a block compute a dimension completely: the block loop becomes a serial loop in each
// thread. Does nothing if the block loop is fused from several dimensions.
void keepInBlock(LoopNest &nest, std::size_t dim) {
  const LoopRef ref{static_cast<std::uint16_t>(dim), 0};
  const auto block = std::ranges::find(nest.loops, Loop{ref, LoopKind::Block});
  const auto thread = std::ranges::find(nest.loops, LoopKind::Thread, &Loop::kind);
  if (block == nest.loops.end() || thread == nest.loops.end()) return;
  block->kind = LoopKind::Serial;
  std::rotate(thread, block, block + 1);
}

// Moves a loop outside of the thread loops, so that all threads run each of its iterations
// together.
void putAroundThreads(LoopNest &nest, std::size_t dim) {
  const LoopRef ref{static_cast<std::uint16_t>(dim), 0};
  const auto loop = std::ranges::find(nest.loops, ref, &Loop::ref);
  const auto threads = std::find_if(nest.loops.rbegin(), nest.loops.rend(), [](const Loop &one) {
                         return one.kind == LoopKind::Thread;
                       }).base();
  if (loop < threads) std::rotate(loop, loop + 1, threads);
}

// The largest vector length that divides the number of contiguous points per thread.
std::int64_t vectorOf(std::int64_t points, const pipeline::ScalarType &type) {
  for (std::int64_t vector = kLoadedBits / std::max<std::int64_t>(8, type.bits); vector > 1;
       vector /= 2)
    if (points % vector == 0) return vector;
  return 1;
}

// Whether a stage may be vectorised along `loop`, whatever is inlined into it (Rule::VectorHalves,
// Rule::VectorBytes).
bool mayStoreVectors(const Pipeline &pipeline, const Stage &stage, std::size_t loop) {
  const auto mayBeInline = [&](pipeline::FuncId func) {
    return pipeline.func(func).mayBeInlined();
  };
  const pipeline::StageId id = idOf(pipeline, stage);
  const std::array loops{static_cast<std::uint16_t>(loop)};
  return !schedule::mayStoreNarrowed(pipeline, id, mayBeInline) &&
         !schedule::shufflesBytes(pipeline, id, {loops, kLoadedBits / 8}, mayBeInline);
}

std::int64_t cappedPower(std::int64_t wanted, std::int64_t extent) {
  return std::min(wanted, static_cast<std::int64_t>(std::bit_ceil(
                              static_cast<std::uint64_t>(std::max<std::int64_t>(1, extent)))));
}

std::int64_t pointsOf(const Stage &stage, std::span<const std::int64_t> extents) {
  std::int64_t points = 1;
  for (std::size_t d = 0; d < stage.loops.size(); ++d)
    if (isPure(stage.loops[d])) points *= extents[d];
  return points;
}

// The first two pure loops that have more than one iteration in a block.
std::array<std::size_t, 2> longerThanOne(const Stage &stage,
                                         std::span<const std::int64_t> extents) {
  std::array<std::size_t, 2> dims{kNone, kNone};
  std::size_t found = 0;
  for (std::size_t d = 0; d < stage.loops.size() && found < dims.size(); ++d)
    if (isPure(stage.loops[d]) && extents[d] > 1) dims[found++] = d;
  return dims;
}

// The first pure loop with more than one iteration, and the two longest other pure loops.
std::array<std::size_t, 3> firstAndLongest(const Stage &stage,
                                           std::span<const std::int64_t> extents) {
  std::array<std::size_t, 3> dims{longerThanOne(stage, extents)[0], kNone, kNone};
  for (std::size_t t = 1; t < dims.size(); ++t)
    for (std::size_t d = 0; d < stage.loops.size(); ++d)
      if (isPure(stage.loops[d]) && extents[d] > 1 && std::ranges::find(dims, d) == dims.end() &&
          (dims[t] == kNone || extents[d] > extents[dims[t]]))
        dims[t] = d;
  return dims;
}

// The innermost long reduction (or the innermost one if none is long), and the longest other loop.
std::array<std::size_t, 2> spreadLoops(const Stage &stage, std::span<const std::int64_t> extents) {
  std::size_t along = kNone, beside = kNone;
  for (std::size_t d = 0; d < stage.loops.size(); ++d)
    if (!isPure(stage.loops[d]) &&
        (along == kNone || (extents[along] <= kShort && extents[d] > kShort)))
      along = d;
  for (std::size_t d = 0; d < stage.loops.size(); ++d)
    if (d != along && extents[d] > 1 && (beside == kNone || extents[d] > extents[beside]))
      beside = d;
  return {along, beside};
}

// Whether LLVM can find out that each thread adds only to its own elements, so that they stay in
// registers. This depends on the code of the loop inside of the loop that fetches.
bool isKeptInRegisters(const Stage &stage, std::span<const DimTiling> tilings, std::size_t step,
                       std::int64_t points) {
  std::int64_t added = points;
  bool hasLoop = tilings[step].inner > 1;
  for (std::size_t d = 0; d < stage.loops.size(); ++d) {
    if (isPure(stage.loops[d])) {
      added /= tilings[d].vector;
    } else {
      added *= tilings[d].unroll;
      if (d != step) hasLoop = hasLoop || tilings[d].unroll < extentOf(stage.loops[d]);
    }
  }
  return hasLoop && added <= kMostAdded;
}

// Whether each thread of a block runs all iterations of a loop, for one point after the other.
bool isTurn(const Loop &loop, const Stage &stage) {
  const bool isDim = loop.ref.axis < stage.loops.size(); // false: fused from several dimensions
  return loop.kind == LoopKind::Serial && loop.ref.part == 0 &&
         (!isDim || isPure(stage.loops[loop.ref.axis]));
}

std::int64_t turnsOf(const LoopNest &nest, const Loop &loop,
                     std::span<const std::int64_t> extents) {
  return schedule::loopExtent(nest, loop.ref, extents);
}

std::int64_t turnsOf(const LoopNest &nest, const Stage &stage,
                     std::span<const std::int64_t> extents) {
  std::int64_t turns = 1;
  for (const Loop &loop : nest.loops)
    if (isTurn(loop, stage)) turns = std::min(turns * turnsOf(nest, loop, extents), kMostTurns + 1);
  return turns;
}

// Unrolls the innermost of the loops with isTurn(), as long as the unrolled loops together have at
// most `most` iterations.
LoopNest unrolled(LoopNest nest, const Stage &stage, std::span<const std::int64_t> extents,
                  std::int64_t most) {
  std::int64_t turns = 1;
  for (Loop &loop : nest.loops) {
    if (!isTurn(loop, stage)) continue;
    turns *= turnsOf(nest, loop, extents);
    if (turns > most) break;
    loop.kind = LoopKind::Unrolled;
  }
  std::ranges::stable_partition(nest.loops,
                                [](const Loop &loop) { return loop.kind == LoopKind::Unrolled; });
  return nest;
}

// For loops with too many iterations to be unrolled completely: splits the innermost of them and
// unrolls a number of iterations that divides it. The loads of the unrolled iterations are then in
// flight together.
std::optional<LoopNest> partlyUnrolled(LoopNest nest, const Stage &stage,
                                       std::span<const std::int64_t> extents) {
  constexpr std::int64_t kMost = 8, kLeast = 4;
  const auto turn = std::ranges::find_if(nest.loops, [&](const Loop &loop) {
    return isTurn(loop, stage) && turnsOf(nest, loop, extents) > 1;
  });
  schedule::Axis &axis = nest.axes[turn->ref.axis];
  if (axis.splits.empty() || !axis.fused.empty()) return std::nullopt;
  const std::int64_t turns = turnsOf(nest, *turn, extents);
  std::int64_t together = kMost;
  while (together >= kLeast && turns % together != 0)
    --together;
  if (together < kLeast) return std::nullopt;
  const std::uint16_t dim = turn->ref.axis;
  for (Loop &loop : nest.loops)
    if (loop.ref.axis == dim && loop.ref.part > 0) ++loop.ref.part;
  axis.splits.insert(axis.splits.begin(),
                     {axis.splits.front().factor * together, axis.splits.front().tail});
  nest.loops.insert(nest.loops.begin(), {{dim, 1}, LoopKind::Unrolled});
  return nest;
}

// Unrolls short reductions completely, so that no loop remains.
void unrollShort(const Stage &stage, std::int64_t unrolled, std::vector<DimTiling> &tilings) {
  for (std::size_t d = 0; d < stage.loops.size(); ++d) {
    const LoopDim &loop = stage.loops[d];
    if (isPure(loop) || !loop.fixed || tilings[d].unroll > 1 || tilings[d].inner > 1) continue;
    if (unrolled * extentOf(loop) > kMostUnrolled) continue;
    tilings[d].unroll = extentOf(loop);
    unrolled *= extentOf(loop);
  }
}

} // namespace

std::optional<LoopNest> withUnrolledTurns(LoopNest nest, const Stage &stage,
                                          std::span<const std::int64_t> extents) {
  const std::int64_t turns = turnsOf(nest, stage, extents);
  if (turns == 1) return std::nullopt;
  if (turns > kMostTurns) return partlyUnrolled(std::move(nest), stage, extents);
  return unrolled(std::move(nest), stage, extents, kMostTurns);
}

StageTiler::Sizes StageTiler::sizesOf(const Stage &stage, bool mayBeAtomic) const {
  Sizes sizes;
  const std::array threads = allThreads();
  const std::array points{m_tile.points[0], m_tile.points[1], m_tile.deepPoints};
  if (isStrips(stage)) {
    std::ranges::copy(insideStrip(stage), sizes.dims.begin());
    sizes.threads = threads;
    return sizes;
  }
  sizes.atomic = mayBeAtomic && m_tile.spread && wantsAtomics(m_pipeline, stage);
  const auto dims = tiledDims(m_pipeline, stage, sizes.atomic, m_tile.longWhole);
  std::ranges::copy(dims, sizes.dims.begin());
  if (!sizes.atomic && m_tile.longWhole == Whole::None) sizes.dims = withThird(stage, dims);
  for (std::size_t t = 0; t < sizes.dims.size(); ++t) {
    if (sizes.dims[t] == kNone) continue;
    const std::int64_t extent = extentOf(stage.loops[sizes.dims[t]]);
    sizes.threads[t] = cappedPower(threads[t], extent);
    if (!sizes.atomic)
      sizes.points[t] = std::min(points[t], std::max<std::int64_t>(1, extent / sizes.threads[t]));
  }
  // Sums have the same vectors (Rule::FrameAlignment).
  if (m_tile.staged > 0 && sizes.dims[0] == 0 && mayStoreVectors(m_pipeline, stage, 0))
    sizes.vector = vectorOf(sizes.points[0], m_pipeline.func(stage.func).types.front());
  return sizes;
}

StagePlan StageTiler::root(const Stage &stage, bool mayBeAtomic) const {
  StagePlan plan;
  if (isStrips(stage)) {
    plan.nest = strip(stage);
    return plan;
  }
  const Sizes sizes = sizesOf(stage, mayBeAtomic);
  const bool atomic = sizes.atomic;
  const std::array<std::size_t, 3> &dims = sizes.dims;
  std::vector<DimTiling> tilings = reductionTilings(stage);
  for (std::size_t t = 0; t < dims.size(); ++t) {
    if (dims[t] == kNone) continue;
    DimTiling &tiling = tilings[dims[t]];
    tiling = {};
    tiling.threads = sizes.threads[t];
    tiling.vector = t == 0 ? sizes.vector : 1;
    tiling.unroll = sizes.points[t] / tiling.vector;
    tiling.tail = tailOf(stage, extentOf(stage.loops[dims[t]]), tiling.perBlock());
  }
  if (m_tile.shortWhole && !atomic)
    for (std::size_t d = 0; d < stage.loops.size(); ++d)
      if (isShort(stage.loops[d]) && d != dims[0]) tilings[d].unroll = extentOf(stage.loops[d]);
  if (m_tile.longWhole == Whole::Thread)
    for (const std::size_t d : wholeDims(m_pipeline, idOf(m_pipeline, stage))) {
      const std::int64_t extent = extentOf(stage.loops[d]);
      (extent <= kMostUnrolled ? tilings[d].unroll : tilings[d].inner) = extent;
    }
  if (!atomic) {
    plan.nest = schedule::tiledNest(stage, tilings, Depth::Host);
    if (m_tile.longWhole == Whole::Block) keepInBlock(plan.nest, dims[0]);
    return plan;
  }
  // Reductions that run in parallel are tiled like pure dimensions.
  Stage spread = stage;
  for (std::size_t d = 0; d < spread.loops.size(); ++d)
    if (d == dims[0] || d == dims[1]) spread.loops[d].kind = LoopDim::Kind::Pure;
  plan.nest = schedule::tiledNest(spread, tilings, Depth::Host);
  plan.atomic = schedule::Atomic::Proven;
  return plan;
}

StagePlan StageTiler::inBlock(const Stage &stage) const {
  StagePlan plan;
  std::vector<DimTiling> tilings = reductionTilings(stage);
  const bool isLongFirst = m_tile.longWhole == Whole::Block;
  const auto dims = withThird(stage, isLongFirst ? longFirst(stage) : threadDims(stage, false));
  const std::array threads = allThreads();
  for (std::size_t t = 0; t < dims.size(); ++t)
    if (dims[t] != kNone && isPure(stage.loops[dims[t]])) tilings[dims[t]].threads = threads[t];
  plan.nest = schedule::tiledNest(stage, tilings, Depth::Block);
  return plan;
}

bool StageTiler::isSpread(const Stage &stage, std::span<const std::int64_t> extents) const {
  return m_tile.spreadMembers && maySpreadInBlock(m_pipeline, stage) &&
         2 * pointsOf(stage, extents) <= m_tile.threads[0] * m_tile.threads[1];
}

StagePlan StageTiler::sharedOut(const Stage &stage, std::span<const std::int64_t> extents,
                                bool mayBeAtomic) const {
  StagePlan plan;
  const bool spread = mayBeAtomic && isSpread(stage, extents);
  BlockShare share = shareOf(spread ? spreadLoops(stage, extents) : longerThanOne(stage, extents));
  if (spread) share.ahead = m_tile.steps;
  plan.nest = blockNest(
      stage, extents,
      spread ? std::vector<std::int64_t>(extents.size(), 1) : unrolledReductions(stage), share);
  if (spread) plan.atomic = schedule::Atomic::Proven;
  return plan;
}

std::optional<StagePlan> StageTiler::joined(const Stage &stage,
                                            std::span<const std::int64_t> extents) const {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < stage.loops.size(); ++d)
    if (isPure(stage.loops[d]) && extents[d] > 1) dims.push_back(d);
  const auto hasWork = [&](std::int64_t inRow) { return 2 * inRow > m_tile.threads[0]; };
  if (dims.size() < 2 || hasWork(extents[dims.front()])) return std::nullopt;
  auto last = dims.end() - 1; // the last dimension that may be fused
  if (m_tile.turns == Turns::Joined) {
    // A position in a fused loop is a remainder by the dimension's length, which is as slow as a
    // division if the length is no constant. Only the outermost dimension needs no remainder, so
    // only that one may have a variable length.
    const auto isWhole = [&](std::size_t d) {
      return cost::isWhole(m_pipeline, stage, d, extents[d]);
    };
    last = std::ranges::stable_partition(dims, isWhole).begin();
    if (last == dims.begin()) return std::nullopt;
  }

  BlockShare share{.threads = allThreads()};
  std::int64_t inRow = 1;
  for (auto dim = dims.begin(); dim != dims.end(); ++dim) {
    if (hasWork(inRow) || dim > last) {
      share.loops[1] = *dim;
      break;
    }
    share.joined.push_back(*dim);
    inRow *= extents[*dim];
  }
  if (share.joined.size() < 2) return std::nullopt;
  return StagePlan{.nest = blockNest(stage, extents, unrolledReductions(stage), share)};
}

std::optional<StagePlan> StageTiler::inOwnThreads(const Stage &stage,
                                                  std::span<const std::int64_t> extents,
                                                  const Sizes &like, std::size_t step) const {
  std::vector<DimTiling> tilings(stage.loops.size());
  std::int64_t points = 1;
  for (std::size_t d = 0; d < stage.loops.size(); ++d) {
    if (!isPure(stage.loops[d])) continue;
    const auto cut = std::ranges::find(like.dims, d);
    if (cut == like.dims.end()) {
      tilings[d].unroll = extents[d];
    } else {
      const auto t = static_cast<std::size_t>(cut - like.dims.begin());
      tilings[d].threads = like.threads[t];
      const bool isVector = d == firstOf(stage) && t == 0 && mayStoreVectors(m_pipeline, stage, d);
      tilings[d].vector = isVector ? like.vector : 1;
      tilings[d].unroll = like.points[t] / tilings[d].vector;
    }
    points *= tilings[d].unroll * tilings[d].vector;
  }
  if (points > kMostInRegisters) return std::nullopt;
  std::int64_t ahead = 1;
  if (step != kNone) {
    ahead = std::min(m_tile.steps, m_tile.staged);
    tilings[step].inner = m_tile.staged / ahead;
    tilings[step].unroll = ahead;
  }
  unrollShort(stage, ahead, tilings);
  if (step != kNone && !isKeptInRegisters(stage, tilings, step, points)) return std::nullopt;
  StagePlan plan;
  plan.nest = schedule::tiledNest(stage, tilings, Depth::Block);
  if (step != kNone) putAroundThreads(plan.nest, step);
  return plan;
}

StagePlan StageTiler::fetched(const Stage &stage, std::span<const std::int64_t> extents,
                              const LoopDim &steps,
                              const std::array<std::int64_t, 3> &threads) const {
  StagePlan plan;
  plan.nest = blockNest(stage, extents, std::vector<std::int64_t>(extents.size(), 1),
                        {firstAndLongest(stage, extents), threads});
  if (!steps.fixed || extentOf(steps) % m_tile.staged != 0) return plan;
  plan.nest = unrolled(std::move(plan.nest), stage, extents, kMostFetches);
  return plan;
}

StagePlan StageTiler::inThread(const Stage &stage, std::span<const std::int64_t> extents) const {
  StagePlan plan;
  plan.nest = schedule::plainNest(stage);
  const std::vector<std::size_t> sequential = sequentialDims(m_pipeline, stage.func);
  const std::int64_t points = pointsOf(stage, extents);
  const std::size_t stepped = steppedReduction(stage);
  const auto isWhole = [&](std::size_t reduction) {
    const LoopDim &loop = stage.loops[reduction];
    if (stepped == kNone) return loop.fixed && extentOf(loop) <= kShort;
    return reduction == stepped && unrolledSteps(loop, m_tile.steps) == extentOf(loop);
  };
  std::vector<Loop> pure, reductions;
  for (std::uint16_t d = 0; d < stage.loops.size(); ++d) {
    const LoopDim &loop = stage.loops[d];
    const bool isLong =
        isPure(loop) && std::ranges::find(sequential, *loop.argument) != sequential.end();
    const bool unrolled =
        isPure(loop) ? points <= kMostInRegisters && extents[d] > 1 && !isLong : isWhole(d);
    (isPure(loop) ? pure : reductions)
        .push_back({LoopRef{d, 0}, unrolled ? LoopKind::Unrolled : LoopKind::Serial});
  }
  plan.nest.loops = pure;
  if (stepped != kNone && !isWhole(stepped)) {
    const std::int64_t steps = unrolledSteps(stage.loops[stepped], m_tile.steps);
    plan.nest.axes[stepped].splits = {{steps, Tail::GuardWithIf}};
    plan.nest.loops.push_back({{static_cast<std::uint16_t>(stepped), 1}, LoopKind::Unrolled});
  }
  plan.nest.loops.insert(plan.nest.loops.end(), reductions.begin(), reductions.end());
  return plan;
}

BlockShare StageTiler::shareOf(const std::array<std::size_t, 2> &loops) const {
  return {{loops[0], loops[1], kNone}, {m_tile.threads[0], m_tile.threads[1], 1}};
}

// Adds a third dimension if the tile has threads or points for it.
std::array<std::size_t, 3> StageTiler::withThird(const Stage &stage,
                                                 std::array<std::size_t, 2> dims) const {
  const bool isDeep = m_tile.deepThreads * m_tile.deepPoints > 1 && dims[1] != kNone;
  return {dims[0], dims[1], isDeep ? thirdDim(stage, dims) : kNone};
}

// Whether the stage is divided into strips (Tile::strips), as copies of partial results may be.
bool StageTiler::isStrips(const Stage &stage) const {
  return m_tile.strips && m_pipeline.func(stage.func).stageCount == 1;
}

std::array<std::size_t, 2> StageTiler::insideStrip(const Stage &stage) const {
  const std::size_t last = stage.loops.size() - 1;
  return threadDims(stage, false, {&last, 1});
}

LoopNest StageTiler::strip(const Stage &stage) const {
  std::vector<std::int64_t> extents;
  for (const LoopDim &loop : stage.loops)
    extents.push_back(extentOf(loop));
  BlockShare share = shareOf(insideStrip(stage));
  share.block = stage.loops.size() - 1;
  return blockNest(stage, extents, std::vector<std::int64_t>(extents.size(), 1), share);
}

// The loops for the threads: first a loop along a dimension whose updates cannot run in parallel,
// such as that of a scan, then a loop along another dimension, as in the output.
std::array<std::size_t, 2> StageTiler::longFirst(const Stage &stage) const {
  const std::vector<std::size_t> sequential = sequentialDims(m_pipeline, stage.func);
  if (sequential.empty()) return threadDims(stage, false);
  std::array<std::size_t, 2> dims{kNone, kNone};
  for (std::size_t d = stage.loops.size(); d-- > 0;) {
    const auto argument = stage.loops[d].argument;
    if (!argument) continue;
    const bool isLong = std::ranges::find(sequential, *argument) != sequential.end();
    dims[isLong ? 0 : 1] = d; // the last assignment, and so the first such dimension, counts
  }
  return dims;
}

// The reduction that is unrolled by Tile::steps; kNone if Tile::steps is 1.
std::size_t StageTiler::steppedReduction(const Stage &stage) const {
  return m_tile.steps > 1 ? longReduction(stage) : kNone;
}

std::vector<DimTiling> StageTiler::reductionTilings(const Stage &stage) const {
  std::vector<DimTiling> tilings(stage.loops.size());
  std::int64_t unrolled = 1;
  if (const std::size_t d = steppedReduction(stage); d != kNone)
    unrolled = tilings[d].unroll = unrolledSteps(stage.loops[d], m_tile.steps);
  unrollShort(stage, unrolled, tilings);
  return tilings;
}

std::vector<std::int64_t> StageTiler::unrolledReductions(const Stage &stage) const {
  std::vector<std::int64_t> unrolled;
  for (const DimTiling &tiling : reductionTilings(stage))
    unrolled.push_back(tiling.unroll);
  return unrolled;
}

// The tail of a split. No guard is needed if the last tile may be shifted inwards, which computes
// some points twice. That is not allowed if the func has updates.
Tail StageTiler::tailOf(const Stage &stage, std::int64_t extent, std::int64_t perBlock) const {
  const bool isAlone = m_pipeline.func(stage.func).stageCount == 1;
  return isAlone && extent >= perBlock && perBlock > 1 ? Tail::ShiftInwards : Tail::GuardWithIf;
}

} // namespace tessera::search
