// SPDX-License-Identifier: MIT
#include "engine/search/beam/beam_nest.h"

#include "engine/schedule/edits/tiling.h"

#include <algorithm>

// Sections are those of Anderson et al. 2021.
namespace tessera::search {

using pipeline::LoopDim;
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

bool isPure(const LoopDim &loop) { return loop.kind == LoopDim::Kind::Pure; }

// Section 6.7: serial loops of fewer than 16 iterations together.
bool isUnrolled(const BeamSizes &serial, const BeamParameters &parameters) {
  return static_cast<double>(productOf(serial)) < parameters.unrollBelow;
}

Tail tailOf(const Stage &stage, std::int64_t size, std::int64_t extent, BeamTails tails) {
  const bool shifts = tails == BeamTails::Shifted && stage.index == 0 && size <= extent;
  return shifts ? Tail::ShiftInwards : Tail::GuardWithIf;
}

} // namespace

StagePlan rootStage(const Stage &stage, const BeamTile &tile, const BeamParameters &parameters,
                    BeamTails tails) {
  const bool unrolls = isUnrolled(tile.serial, parameters);
  std::vector<DimTiling> tilings(stage.loops.size());
  for (std::size_t l = 0; l < stage.loops.size(); ++l) {
    const LoopDim &loop = stage.loops[l];
    if (!isPure(loop)) continue;
    const std::size_t d = *loop.argument;
    tilings[l].threads = tile.threads[d];
    (unrolls ? tilings[l].unroll : tilings[l].inner) = tile.serial[d];
    tilings[l].tail = tailOf(stage, tile.threads[d] * tile.serial[d], loop.range.extent(), tails);
  }
  StagePlan plan;
  plan.nest = schedule::tiledNest(stage, tilings, Depth::Host);
  return plan;
}

StagePlan blockStage(const Stage &stage, std::span<const std::int64_t> extents,
                     const BeamSizes &serial, const BeamParameters &parameters, BeamTails tails) {
  const bool unrolls = isUnrolled(serial, parameters);
  LoopNest nest;
  nest.axes.resize(stage.loops.size());
  std::vector<Loop> unrolled, reductions, inner, threads, rest;
  for (std::uint16_t l = 0; l < stage.loops.size(); ++l) {
    if (!isPure(stage.loops[l])) {
      reductions.push_back({LoopRef{l, 0}, LoopKind::Serial});
      continue;
    }
    const std::int64_t size = serial[*stage.loops[l].argument];
    const bool isSplit = size > 1 && size < extents[l];
    const bool isSerial = size > 1 && !isSplit; // all of it in a thread
    const LoopKind kind = unrolls ? LoopKind::Unrolled : LoopKind::Serial;
    if (isSplit) {
      nest.axes[l].splits.push_back({size, tailOf(stage, size, extents[l], tails)});
      (unrolls ? unrolled : inner).push_back({LoopRef{l, 1}, kind});
    }
    if (isSerial)
      (unrolls ? unrolled : inner).push_back({LoopRef{l, 0}, kind});
    else if (extents[l] > 1 && threads.size() < kMostThreadDims)
      threads.push_back({LoopRef{l, 0}, LoopKind::Thread});
    else
      rest.push_back({LoopRef{l, 0}, LoopKind::Serial});
  }
  for (const std::vector<Loop> *loops : {&unrolled, &reductions, &inner, &rest, &threads})
    nest.loops.insert(nest.loops.end(), loops->begin(), loops->end());
  StagePlan plan;
  plan.nest = std::move(nest);
  return plan;
}

StagePlan threadStage(const Stage &stage, std::span<const std::int64_t> extents) {
  StagePlan plan;
  plan.nest = schedule::plainNest(stage);
  for (Loop &loop : plan.nest.loops)
    if (isPure(stage.loops[loop.ref.axis]) && extents[loop.ref.axis] > 1)
      loop.kind = LoopKind::Unrolled;
  // Within one step of a reduction, all points are computed before the next.
  std::ranges::stable_partition(plan.nest.loops,
                                [](const Loop &loop) { return loop.kind == LoopKind::Unrolled; });
  return plan;
}

StagePlan untiledStage(const Stage &stage) {
  std::vector<std::int64_t> extents;
  std::vector<std::size_t> loops;
  for (std::size_t l = 0; l < stage.loops.size(); ++l) {
    if (!isPure(stage.loops[l])) continue;
    extents.push_back(stage.loops[l].range.extent());
    loops.push_back(l);
  }
  std::vector<DimTiling> tilings(stage.loops.size());
  if (!extents.empty()) tilings[loops[innermostDimension(extents)]].threads = kBeamWarp;
  StagePlan plan;
  plan.nest = schedule::tiledNest(stage, tilings, Depth::Host);
  return plan;
}

} // namespace tessera::search
