// SPDX-License-Identifier: MIT
#include "engine/search/group.h"

#include "engine/schedule/shape.h"
#include "engine/schedule/tiling.h"
#include "engine/search/block_nest.h"
#include "engine/search/place_depth.h"
#include "engine/search/tile_dims.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Stage;
using pipeline::StageId;
using schedule::Depth;
using schedule::DimTiling;
using schedule::FuncPlan;
using schedule::Loop;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::LoopRef;
using schedule::Place;
using schedule::Schedule;
using schedule::Shape;
using schedule::StagePlan;
using schedule::Tail;

namespace {

constexpr std::int64_t kMostUnrolled = 16;     // steps of a reduction
constexpr std::int64_t kMostInRegisters = 100; // points of a func that a thread keeps
constexpr std::int64_t kMostTurns = 24;        // of a block's threads, unrolled

// Along a dimension a block does all: what would be its number is a loop of each thread. Not where
// it counts several dimensions.
void keepInBlock(LoopNest &nest, std::size_t dim) {
  const LoopRef ref{static_cast<std::uint16_t>(dim), 0};
  const auto block = std::ranges::find(nest.loops, Loop{ref, LoopKind::Block});
  const auto thread = std::ranges::find(nest.loops, LoopKind::Thread, &Loop::kind);
  if (block == nest.loops.end() || thread == nest.loops.end()) return;
  block->kind = LoopKind::Serial;
  std::rotate(thread, block, block + 1);
}

// The loops around the threads of a block, in each thread instead and unrolled; nothing where those
// are too many.
std::optional<LoopNest> withUnrolledTurns(LoopNest nest, const Stage &stage,
                                          std::span<const std::int64_t> extents) {
  const auto isTurn = [&](const Loop &loop) {
    return loop.kind == LoopKind::Serial && loop.ref.part == 0 &&
           stage.loops[loop.ref.axis].kind == LoopDim::Kind::Pure;
  };
  std::int64_t turns = 1;
  for (Loop &loop : nest.loops) {
    if (!isTurn(loop)) continue;
    turns *= schedule::partExtent(nest.axes[loop.ref.axis], extents[loop.ref.axis], 0);
    if (turns > kMostTurns) return std::nullopt;
  }
  if (turns == 1) return std::nullopt;
  std::ranges::stable_partition(nest.loops, isTurn);
  for (Loop &loop : nest.loops)
    if (isTurn(loop)) loop.kind = LoopKind::Unrolled;
  return nest;
}

std::int64_t cappedPower(std::int64_t wanted, std::int64_t extent) {
  return std::min(wanted, static_cast<std::int64_t>(std::bit_ceil(
                              static_cast<std::uint64_t>(std::max<std::int64_t>(1, extent)))));
}

class StageTiler {
public:
  StageTiler(const Pipeline &pipeline, const Tile &tile) : m_pipeline(pipeline), m_tile(tile) {}

  // Of the output: dimensions that are cut, and what of the sizes there is room for.
  struct Sizes {
    bool atomic = false;
    std::array<std::size_t, 2> dims{kNone, kNone};
    std::array<std::int64_t, 2> threads{1, 1}, points{1, 1};
  };
  Sizes sizesOf(const Stage &stage, bool mayBeAtomic) const {
    Sizes sizes;
    if (isStrips(stage)) {
      sizes.dims = insideStrip(stage);
      sizes.threads = m_tile.threads;
      return sizes;
    }
    sizes.atomic = mayBeAtomic && m_tile.spread && wantsAtomics(m_pipeline, stage);
    sizes.dims = tiledDims(m_pipeline, stage, sizes.atomic, m_tile.longWhole);
    for (std::size_t t = 0; t < sizes.dims.size(); ++t) {
      if (sizes.dims[t] == kNone) continue;
      const std::int64_t extent = extentOf(stage.loops[sizes.dims[t]]);
      sizes.threads[t] = cappedPower(m_tile.threads[t], extent);
      if (!sizes.atomic)
        sizes.points[t] =
            std::min(m_tile.points[t], std::max<std::int64_t>(1, extent / sizes.threads[t]));
    }
    return sizes;
  }

  // Of the output: blocks of tiles.
  StagePlan root(const Stage &stage, bool mayBeAtomic) const {
    StagePlan plan;
    if (isStrips(stage)) {
      plan.nest = strip(stage);
      return plan;
    }
    const Sizes sizes = sizesOf(stage, mayBeAtomic);
    const bool atomic = sizes.atomic;
    const std::array<std::size_t, 2> &dims = sizes.dims;
    std::vector<DimTiling> tilings = reductionTilings(stage);
    for (std::size_t t = 0; t < dims.size(); ++t) {
      if (dims[t] == kNone) continue;
      DimTiling &tiling = tilings[dims[t]];
      tiling = {};
      tiling.threads = sizes.threads[t];
      tiling.unroll = sizes.points[t];
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
    // Reductions that run side by side are cut as if they were none.
    Stage spread = stage;
    for (std::size_t d = 0; d < spread.loops.size(); ++d)
      if (d == dims[0] || d == dims[1]) spread.loops[d].kind = LoopDim::Kind::Pure;
    plan.nest = schedule::tiledNest(spread, tilings, Depth::Host);
    plan.atomic = schedule::Atomic::Proven;
    return plan;
  }

  // In a block: the same threads, in steps.
  StagePlan inBlock(const Stage &stage) const {
    StagePlan plan;
    std::vector<DimTiling> tilings = reductionTilings(stage);
    auto dims = threadDims(stage, false);
    if (m_tile.longWhole == Whole::Block) dims = longFirst(stage);
    for (std::size_t t = 0; t < dims.size(); ++t)
      if (dims[t] != kNone && stage.loops[dims[t]].kind == LoopDim::Kind::Pure)
        tilings[dims[t]].threads = m_tile.threads[t];
    plan.nest = schedule::tiledNest(stage, tilings, Depth::Block);
    return plan;
  }

  // In a block, by what it has of a stage: sums into few points over their reduction, if they may.
  bool isSpread(const Stage &stage, std::span<const std::int64_t> extents) const {
    return m_tile.spreadMembers && maySpreadInBlock(m_pipeline, stage) &&
           2 * pointsOf(stage, extents) <= m_tile.threads[0] * m_tile.threads[1];
  }

  StagePlan sharedOut(const Stage &stage, std::span<const std::int64_t> extents,
                      bool mayBeAtomic) const {
    StagePlan plan;
    const bool spread = mayBeAtomic && isSpread(stage, extents);
    BlockShare share{spread ? spreadLoops(stage, extents) : longerThanOne(stage, extents),
                     m_tile.threads};
    if (spread) share.ahead = m_tile.steps;
    std::vector<std::int64_t> unrolled;
    for (const DimTiling &tiling : reductionTilings(stage))
      unrolled.push_back(spread ? 1 : tiling.unroll);
    plan.nest = blockNest(stage, extents, unrolled, share);
    if (spread) plan.atomic = schedule::Atomic::Proven;
    return plan;
  }

  // In a thread: points unrolled, the reduction around them. What data index stays in memory, and
  // how much it is may depend on the size.
  StagePlan inThread(const Stage &stage, std::span<const std::int64_t> extents) const {
    StagePlan plan;
    plan.nest = schedule::plainNest(stage);
    const std::vector<std::size_t> sequential = sequentialDims(m_pipeline, stage.func);
    std::int64_t points = 1;
    for (std::size_t d = 0; d < stage.loops.size(); ++d)
      if (stage.loops[d].kind == LoopDim::Kind::Pure) points *= extents[d];
    const std::size_t stepped = steppedReduction(stage);
    const auto isWhole = [&](std::size_t reduction) {
      const LoopDim &loop = stage.loops[reduction];
      if (stepped == kNone) return loop.fixed && extentOf(loop) <= kShort;
      return reduction == stepped && unrolledSteps(loop, m_tile.steps) == extentOf(loop);
    };
    std::vector<Loop> pure, reductions;
    for (std::uint16_t d = 0; d < stage.loops.size(); ++d) {
      const bool isPure = stage.loops[d].kind == LoopDim::Kind::Pure;
      const bool isLong =
          isPure && std::ranges::find(sequential, *stage.loops[d].argument) != sequential.end();
      const bool unrolled =
          isPure ? points <= kMostInRegisters && extents[d] > 1 && !isLong : isWhole(d);
      (isPure ? pure : reductions)
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

private:
  // Only what copies partial results is cut so: of others, the last dimension is as good as any.
  bool isStrips(const Stage &stage) const {
    return m_tile.strips && m_pipeline.func(stage.func).stageCount == 1;
  }

  std::array<std::size_t, 2> insideStrip(const Stage &stage) const {
    const std::size_t last = stage.loops.size() - 1;
    return threadDims(stage, false, {&last, 1});
  }

  LoopNest strip(const Stage &stage) const {
    std::vector<std::int64_t> extents;
    for (const LoopDim &loop : stage.loops)
      extents.push_back(extentOf(loop));
    return blockNest(stage, extents, std::vector<std::int64_t>(extents.size(), 1),
                     {insideStrip(stage), m_tile.threads, 1, stage.loops.size() - 1});
  }

  static std::int64_t pointsOf(const Stage &stage, std::span<const std::int64_t> extents) {
    std::int64_t points = 1;
    for (std::size_t d = 0; d < stage.loops.size(); ++d)
      if (stage.loops[d].kind == LoopDim::Kind::Pure) points *= extents[d];
    return points;
  }

  // The first two loops of a kind that are longer than one, in a block.
  static std::array<std::size_t, 2> longerThanOne(const Stage &stage,
                                                  std::span<const std::int64_t> extents) {
    std::array<std::size_t, 2> dims{kNone, kNone};
    std::size_t found = 0;
    for (std::size_t d = 0; d < stage.loops.size() && found < dims.size(); ++d)
      if (stage.loops[d].kind == LoopDim::Kind::Pure && extents[d] > 1) dims[found++] = d;
    return dims;
  }

  // The innermost reduction that is long, and the longest of what else there is.
  static std::array<std::size_t, 2> spreadLoops(const Stage &stage,
                                                std::span<const std::int64_t> extents) {
    std::size_t along = kNone, beside = kNone;
    for (std::size_t d = 0; d < stage.loops.size(); ++d)
      if (stage.loops[d].kind == LoopDim::Kind::Reduction &&
          (along == kNone || (extents[along] <= kShort && extents[d] > kShort)))
        along = d;
    for (std::size_t d = 0; d < stage.loops.size(); ++d)
      if (d != along && extents[d] > 1 && (beside == kNone || extents[d] > extents[beside]))
        beside = d;
    return {along, beside};
  }

  // As in the output: along a scan, whose steps no threads share, then along another dimension.
  std::array<std::size_t, 2> longFirst(const Stage &stage) const {
    const std::vector<std::size_t> sequential = sequentialDims(m_pipeline, stage.func);
    if (sequential.empty()) return threadDims(stage, false);
    std::array<std::size_t, 2> dims{kNone, kNone};
    for (std::size_t d = stage.loops.size(); d-- > 0;) {
      const auto argument = stage.loops[d].argument;
      if (!argument) continue;
      const bool isLong = std::ranges::find(sequential, *argument) != sequential.end();
      dims[isLong ? 0 : 1] = d; // the first that there is
    }
    return dims;
  }

  // The reduction that is unrolled by steps; none where steps are one.
  std::size_t steppedReduction(const Stage &stage) const {
    return m_tile.steps > 1 ? longReduction(stage) : kNone;
  }

  // Short ones whole, so that no loop is left of them.
  std::vector<DimTiling> reductionTilings(const Stage &stage) const {
    std::vector<DimTiling> tilings(stage.loops.size());
    std::int64_t unrolled = 1;
    if (const std::size_t d = steppedReduction(stage); d != kNone)
      unrolled = tilings[d].unroll = unrolledSteps(stage.loops[d], m_tile.steps);
    for (std::size_t d = 0; d < stage.loops.size(); ++d) {
      const LoopDim &loop = stage.loops[d];
      if (loop.kind == LoopDim::Kind::Pure || !loop.fixed) continue;
      if (unrolled * extentOf(loop) > kMostUnrolled) continue;
      tilings[d].unroll = extentOf(loop);
      unrolled *= extentOf(loop);
    }
    return tilings;
  }

  // Without a guard around each point where that computes nothing twice that must not be.
  Tail tailOf(const Stage &stage, std::int64_t extent, std::int64_t perBlock) const {
    const bool isPure = m_pipeline.func(stage.func).stageCount == 1;
    return isPure && extent >= perBlock && perBlock > 1 ? Tail::ShiftInwards : Tail::GuardWithIf;
  }

  const Pipeline &m_pipeline;
  const Tile &m_tile;
};

class GroupWriter {
public:
  GroupWriter(const Schedule &schedule, const Group &group, const FrozenDecisions &frozen,
              Shape &shape)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_group(group), m_frozen(frozen),
        m_tile(group.tile.value_or(Tile{})), m_tiler(m_pipeline, m_tile), m_shape(shape) {}

  std::optional<Schedule> write() {
    m_shape.renew(m_schedule, {});
    m_funcs.reserve(m_group.members.size() + 1);
    if (m_group.tile && !writeOutput()) return std::nullopt;
    m_funcs.push_back(m_group.output);
    // Consumers first, so that their loops are there.
    for (std::size_t m = m_group.members.size(); m-- > 0;) {
      const Member &member = m_group.members[m];
      if (m_group.tile ? !writeMember(member) : !isInside(member.func)) return std::nullopt;
      m_funcs.push_back(member.func);
    }
    return std::move(m_schedule);
  }

private:
  bool writeOutput() {
    FuncPlan plan;
    for (const Stage &stage : m_pipeline.stagesOf(m_group.output))
      plan.stages.push_back(m_tiler.root(stage, m_frozen.allowsAtomic(stage)));
    return set(m_group.output, std::move(plan));
  }

  // The only way into the schedule.
  bool set(FuncId func, FuncPlan plan) {
    auto held = m_frozen.held(func, std::move(plan));
    if (held) m_schedule.set(func, std::move(*held));
    return held.has_value();
  }

  bool writeMember(const Member &member) {
    const auto place = placeOf(member);
    if (!place) return false;
    const Depth depth = depthOf(m_schedule, *place);
    if (depth == Depth::Host) return false;
    FuncPlan plan;
    plan.compute = *place;
    const auto stages = m_pipeline.stagesOf(member.func);
    for (const Stage &stage : stages)
      plan.stages.push_back(depth == Depth::Block ? m_tiler.inBlock(stage)
                                                  : StagePlan{schedule::plainNest(stage)});
    const bool bySize = m_tile.unrolledTurns || m_tile.strips || m_tile.spreadMembers;
    if (depth == Depth::Block && !bySize) return set(member.func, std::move(plan));
    if (!set(member.func, plan)) return false;
    // How much a block or a thread needs is known once it is there.
    measureWritten();
    m_shape.add(m_schedule, member.func);
    for (std::size_t s = 0; s < stages.size(); ++s) {
      const auto extents = m_shape.of(idOf(m_pipeline, stages[s])).dims;
      plan.stages[s] = depth == Depth::Thread
                           ? m_tiler.inThread(stages[s], extents)
                           : inBlock(stages[s], extents, std::move(plan.stages[s]));
    }
    if (!set(member.func, std::move(plan))) return false;
    m_shape.add(m_schedule, member.func);
    ++m_measured;
    return true;
  }

  // What a block does of a stage, now that it is known how much that is.
  StagePlan inBlock(const Stage &stage, std::span<const std::int64_t> extents,
                    StagePlan plan) const {
    const bool mayBeAtomic = m_frozen.allowsAtomic(stage) && isOnePlace(m_schedule, stage);
    const bool spread = mayBeAtomic && m_tiler.isSpread(stage, extents);
    if (m_tile.strips || spread) plan = m_tiler.sharedOut(stage, extents, mayBeAtomic);
    if (!m_tile.unrolledTurns || spread) return plan;
    if (auto nest = withUnrolledTurns(plan.nest, stage, extents)) plan.nest = std::move(*nest);
    return plan;
  }

  void measureWritten() {
    for (; m_measured < m_funcs.size(); ++m_measured)
      m_shape.add(m_schedule, m_funcs[m_measured]);
  }

  std::optional<Place> placeOf(const Member &member) const {
    const std::vector<StageId> readers = schedule::readersOf(m_schedule, member.func);
    const auto anchor = anchorOf(readers);
    if (!anchor) return std::nullopt;
    if (const Place *frozen = m_frozen.place(member.func))
      return isThere(*frozen) ? std::optional(*frozen) : std::nullopt;
    return member.placement == Placement::Block ? placeIn(*anchor, LoopKind::Block)
                                                : threadPlace(readers, *anchor);
  }

  // Whether a stage is one of the group's by now.
  bool isHere(StageId stage) const {
    return std::ranges::find(m_funcs, m_pipeline.stage(stage).func) != m_funcs.end();
  }

  bool isThere(const Place &place) const {
    return place.kind == Place::Kind::At && isHere(place.stage) &&
           m_schedule.plan(place.stage).nest.find(place.loop);
  }

  // Where it is, in a group that stays as it is but for those that left.
  bool isInside(FuncId func) const {
    return isThere(m_schedule.plan(func).compute) &&
           std::ranges::all_of(schedule::readersOf(m_schedule, func),
                               [this](StageId reader) { return isHere(reader); });
  }

  // The output's stage whose blocks a stage runs in.
  std::optional<StageId> anchorOf(StageId stage) const {
    const FuncId func = m_pipeline.stage(stage).func;
    if (func == m_group.output) return stage;
    if (!m_group.find(func)) return std::nullopt;
    const Place &place = m_schedule.plan(func).compute;
    return place.kind == Place::Kind::At ? anchorOf(place.stage) : std::nullopt;
  }

  std::optional<StageId> anchorOf(std::span<const StageId> readers) const {
    std::optional<StageId> anchor;
    for (const StageId reader : readers) {
      const auto of = anchorOf(reader);
      if (!of || (anchor && *anchor != *of)) return std::nullopt;
      anchor = of;
    }
    return anchor;
  }

  // The innermost loop of that kind.
  std::optional<Place> placeIn(StageId stage, LoopKind kind) const {
    const LoopNest &nest = m_schedule.plan(stage).nest;
    const auto loop = std::ranges::find(nest.loops, kind, &Loop::kind);
    if (loop == nest.loops.end()) return std::nullopt;
    return Place::at(stage, loop->ref);
  }

  // In the threads that read it: of the output where all of those are its own.
  std::optional<Place> threadPlace(std::span<const StageId> readers, StageId anchor) const {
    const auto inOutput = placeIn(anchor, LoopKind::Thread);
    const bool all = inOutput && std::ranges::all_of(readers, [&](StageId reader) {
                       return reader == anchor ||
                              m_schedule.plan(m_pipeline.stage(reader).func).compute == *inOutput;
                     });
    if (all) return inOutput;
    const bool one =
        std::ranges::all_of(readers, [&](StageId reader) { return reader == readers.front(); });
    if (!one) return std::nullopt;
    const FuncId reader = m_pipeline.stage(readers.front()).func;
    const Place &around = m_schedule.plan(reader).compute;
    if (depthOf(m_schedule, around) == Depth::Thread) return around;
    return placeIn(readers.front(), LoopKind::Thread);
  }

  Schedule m_schedule;
  const Pipeline &m_pipeline;
  const Group &m_group;
  const FrozenDecisions &m_frozen;
  const Tile m_tile;
  const StageTiler m_tiler;
  std::vector<FuncId> m_funcs; // written so far, falling
  Shape &m_shape;
  std::size_t m_measured = 0; // of those, and the one that is being written
};

} // namespace

// Funcs of the blocks take as many threads as the tile says; others see what is written of the
// output alone.
Tile effective(const Pipeline &pipeline, const Group &group, const Tile &tile,
               const FrozenDecisions &frozen) {
  const bool takesThreads = hasTurns(group) || !frozen.empty();
  Tile least = tile;
  least.points = {1, 1};
  if (!takesThreads) least.threads = {1, 1};
  const StageTiler tiler(pipeline, tile);
  for (const Stage &stage : pipeline.stagesOf(group.output)) {
    const StageTiler::Sizes sizes = tiler.sizesOf(stage, frozen.allowsAtomic(stage));
    for (std::size_t t = 0; t < sizes.dims.size(); ++t) {
      least.points[t] = std::max(least.points[t], sizes.points[t]);
      least.threads[t] = std::max(least.threads[t], sizes.threads[t]);
    }
  }
  return least;
}

std::vector<FuncId> Group::funcs() const {
  std::vector<FuncId> funcs;
  for (const Member &member : members)
    funcs.push_back(member.func);
  funcs.push_back(output);
  std::ranges::sort(funcs);
  return funcs;
}

const Member *Group::find(FuncId func) const {
  const auto found = std::ranges::find(members, func, &Member::func);
  return found == members.end() ? nullptr : &*found;
}

std::optional<Schedule> withGroup(const Schedule &schedule, const Group &group,
                                  const FrozenDecisions &frozen) {
  Shape room;
  return withGroup(schedule, group, frozen, room);
}

std::optional<Schedule> withGroup(const Schedule &schedule, const Group &group,
                                  const FrozenDecisions &frozen, Shape &room) {
  return GroupWriter(schedule, group, frozen, room).write();
}

// Its loops are plain, as an export has it, so that the exported schedule is the same.
std::optional<Schedule> withInlined(Schedule schedule, FuncId func, const FrozenDecisions &frozen) {
  FuncPlan plan;
  plan.compute = Place::inlined();
  if (frozen.contains(func))
    plan.stages = schedule.plan(func).stages;
  else
    for (const Stage &stage : schedule.pipeline()->stagesOf(func))
      plan.stages.push_back({schedule::plainNest(stage)});
  auto held = frozen.held(func, std::move(plan));
  if (!held) return std::nullopt;
  schedule.set(func, std::move(*held));
  return schedule;
}

std::vector<Group> groupsOf(const Schedule &schedule) {
  const Shape shape(schedule);
  std::map<FuncId, Group> groups; // by output
  std::set<FuncId> others;        // outputs of what is no group
  for (std::uint32_t f = 0; f < schedule.pipeline()->funcs().size(); ++f) {
    const FuncId func{f};
    const FuncPlan &plan = schedule.plan(func);
    if (plan.isInline()) continue;
    const FuncId output = shape.of(func).kernel;
    Group &group = groups[output];
    group.output = output;
    group.tile.reset();
    for (const StagePlan &stage : plan.stages) {
      if (!stage.computeWith) continue;
      others.insert(output);
      others.insert(shape.of(schedule.pipeline()->stage(stage.computeWith->stage).func).kernel);
    }
    if (func == output) continue;
    const Depth depth = shape.of(func).depth;
    if (depth == Depth::Host) others.insert(output);
    group.members.push_back({func, depth == Depth::Thread ? Placement::Thread : Placement::Block});
  }
  std::vector<Group> all;
  for (auto &[output, group] : groups)
    if (!others.contains(output)) all.push_back(std::move(group));
  return all;
}

} // namespace tessera::search
