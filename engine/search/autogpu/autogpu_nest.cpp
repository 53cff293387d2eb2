// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_nest.h"

#include "engine/search/autogpu/autogpu_loop_order.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/edits/tiling.h"
#include "engine/search/kernels/expression_sizes.h"
#include "engine/search/kernels/place_depth.h"

#include <algorithm>
#include <vector>

// Sioutas et al. 2020, section 4.3.
namespace tessera::search {

using pipeline::FuncId;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Stage;
using pipeline::StageId;
using schedule::Bounds;
using schedule::Depth;
using schedule::DimTiling;
using schedule::Extent;
using schedule::FuncPlan;
using schedule::Loop;
using schedule::LoopKind;
using schedule::LoopRef;
using schedule::Place;
using schedule::Schedule;
using schedule::StagePlan;
using schedule::Tail;
using search::AutoGpuGroup;

namespace {

// "Inner intra-tile loops are then unrolled": short loops of convolution kernels and of colour
// channels. The paper gives no limit for the number of copies.
constexpr std::int64_t kMostCopies = 16;

StageId stageOf(const Pipeline &pipeline, FuncId func, std::size_t stage) {
  return static_cast<StageId>(index(pipeline.func(func).firstStage) + stage);
}

// Counts how many copies of a stage's expressions unrolling may still make.
class Unrolling {
public:
  Unrolling(double operations, const AutoGpuParameters &parameters)
      : m_operations(std::max(1., operations)), m_longest(parameters.longestUnrolled) {}

  bool take(std::int64_t extent) {
    if (extent < 1 || extent > m_longest || m_copies * extent > kMostCopies) return false;
    if (static_cast<double>(m_copies * extent) * m_operations > kLongestBody) return false;
    m_copies *= extent;
    return true;
  }

private:
  double m_operations;
  std::int64_t m_longest, m_copies = 1;
};

class GroupWriter {
public:
  GroupWriter(const Schedule &schedule, const AutoGpuGroup &group, const AutoGpuForm &form)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_group(group), m_form(form) {}

  bool writeAll(AutoGpuTails tails) {
    if (!writeOutput(tails)) return false;
    // Consumers are written first, so that their loops exist.
    std::vector<FuncId> members = m_group.members;
    std::ranges::sort(members, std::greater());
    for (const FuncId member : members)
      if (member != m_group.output && !writeInBlocks(member)) return false;
    for (const FuncId member : members)
      if (member != m_group.output && !unroll(member)) return false;
    return true;
  }

  bool writeAt(FuncId member, Place place, Depth depth) {
    FuncPlan plan;
    plan.compute = place;
    for (const Stage &stage : m_pipeline.stagesOf(member)) {
      plan.stages.push_back(inside(stage, depth));
      order(stage, plan.stages.back());
    }
    return set(member, std::move(plan));
  }

  // Unrolls the short loops of a member that has its place.
  bool unroll(FuncId member) {
    std::vector<FuncId> rising = m_group.members;
    std::ranges::sort(rising);
    if (!m_bounds) m_bounds.emplace(m_schedule, rising);
    FuncPlan plan = m_schedule.plan(member);
    for (std::size_t s = 0; s < plan.stages.size(); ++s) {
      const StageId id = stageOf(m_pipeline, member, s);
      Unrolling unrolling(ExpressionSizes(m_schedule).of(id), m_form.parameters);
      for (Loop &loop : plan.stages[s].nest.loops) {
        if (loop.kind != LoopKind::Serial) continue;
        const LoopDim &dim = m_pipeline.stage(id).loops[loop.ref.axis];
        const bool fixed = dim.kind == LoopDim::Kind::Pure
                               ? m_bounds->of(id).extents[loop.ref.axis] <= Extent::Adrift
                               : dim.fixed;
        if (fixed && unrolling.take(m_bounds->of(id).dims[loop.ref.axis]))
          loop.kind = LoopKind::Unrolled;
      }
    }
    return set(member, std::move(plan));
  }

  Schedule take() { return std::move(m_schedule); }

private:
  // All plans are set here, so that frozen decisions are kept.
  bool set(FuncId func, FuncPlan plan) {
    return m_form.frozen.setHeld(m_schedule, func, std::move(plan));
  }

  void order(const Stage &stage, StagePlan &plan) const {
    if (m_form.parameters.loopOrder == AutoGpuLoopOrder::Stride)
      orderByStride(m_schedule, stageOf(m_pipeline, stage.func, stage.index), plan.nest);
  }

  bool writeOutput(AutoGpuTails tails) {
    FuncPlan plan;
    const auto stages = m_pipeline.stagesOf(m_group.output);
    for (std::size_t s = 0; s < stages.size(); ++s) {
      StagePlan &stage = plan.stages.emplace_back();
      stage.nest = schedule::tiledNest(stages[s], tilingsOf(s, tails), Depth::Host);
      order(stages[s], stage);
    }
    return set(m_group.output, std::move(plan));
  }

  // Tilings of the output: at most three block loops, and threads along the dimensions that the
  // group gives threads, one for each point of a tile along them. The tile's other dimensions
  // become loops inside the threads, the first dimension innermost.
  std::vector<DimTiling> tilingsOf(std::size_t index, AutoGpuTails tails) const {
    const StageId id = stageOf(m_pipeline, m_group.output, index);
    const Stage &stage = m_pipeline.stage(id);
    const bool shifts =
        tails == AutoGpuTails::Automatic && m_pipeline.func(m_group.output).stageCount == 1;
    Unrolling unrolling(ExpressionSizes(m_schedule).of(id), m_form.parameters);
    std::vector<DimTiling> tilings(stage.loops.size());
    for (std::size_t d = 0; d < stage.loops.size(); ++d) {
      const LoopDim &loop = stage.loops[d];
      DimTiling &tiling = tilings[d];
      const std::int64_t extent = loop.range.extent();
      if (loop.kind == LoopDim::Kind::Reduction) {
        if (loop.fixed && unrolling.take(extent)) tiling.unroll = extent;
        continue;
      }
      const std::int64_t tile = m_group.tiles[*loop.argument];
      if (m_group.threads[*loop.argument])
        tiling.threads = tile;
      else if (unrolling.take(tile))
        tiling.unroll = tile;
      else
        tiling.inner = tile;
      tiling.tail = shifts && tile > 1 && extent >= tile ? Tail::ShiftInwards : Tail::GuardWithIf;
    }
    return tilings;
  }

  // The loops of a member over all points that a tile needs. If the member is computed at block
  // level, each point has a thread.
  StagePlan inside(const Stage &stage, Depth depth) const {
    StagePlan plan;
    plan.nest = schedule::plainNest(stage);
    std::vector<Loop> pure, reductions, threads;
    for (std::uint16_t d = 0; d < stage.loops.size(); ++d) {
      const LoopDim &loop = stage.loops[d];
      if (loop.kind == LoopDim::Kind::Reduction)
        reductions.push_back({LoopRef{d, 0}, LoopKind::Serial});
      else if (depth == Depth::Block &&
               search::autoGpuThreadDim(m_pipeline, m_group, stage.func, *loop.argument))
        threads.push_back({LoopRef{d, 0}, LoopKind::Thread});
      else
        pure.push_back({LoopRef{d, 0}, LoopKind::Serial});
    }
    plan.nest.loops = pure;
    plan.nest.loops.insert(plan.nest.loops.end(), reductions.begin(), reductions.end());
    plan.nest.loops.insert(plan.nest.loops.end(), threads.begin(), threads.end());
    return plan;
  }

  // The stage of the output in whose loops a stage of a member is computed.
  StageId stageOfOutput(StageId stage) const {
    for (FuncId func = m_pipeline.stage(stage).func; func != m_group.output;
         func = m_pipeline.stage(stage).func)
      stage = m_schedule.plan(func).compute.stage;
    return stage;
  }

  bool writeInBlocks(FuncId member) {
    if (const Place *frozen = m_form.frozen.place(member)) {
      if (frozen->kind != Place::Kind::At ||
          !m_schedule.plan(frozen->stage).nest.find(frozen->loop))
        return false;
      return writeAt(member, *frozen, depthOf(m_schedule, *frozen));
    }
    std::optional<StageId> anchor;
    for (const StageId reader : schedule::readersOf(m_schedule, member)) {
      const FuncId func = m_pipeline.stage(reader).func;
      if (func == member) continue;
      if (std::ranges::find(m_group.members, func) == m_group.members.end()) return false;
      const StageId of = stageOfOutput(reader);
      if (anchor && *anchor != of) return false;
      anchor = of;
    }
    if (!anchor) return false;
    const std::vector<Loop> &loops = m_schedule.plan(*anchor).nest.loops;
    const auto block = std::ranges::find(loops, LoopKind::Block, &Loop::kind);
    if (block == loops.end()) return false;
    return writeAt(member, Place::at(*anchor, block->ref), Depth::Block);
  }

  Schedule m_schedule;
  const Pipeline &m_pipeline;
  const AutoGpuGroup &m_group;
  const AutoGpuForm &m_form;
  std::optional<Bounds> m_bounds; // set when all members have their places
};

} // namespace

std::optional<Schedule> withOverlappedTiles(const Schedule &schedule, const AutoGpuGroup &group,
                                            AutoGpuTails tails, const AutoGpuForm &form) {
  GroupWriter writer(schedule, group, form);
  if (!writer.writeAll(tails)) return std::nullopt;
  return writer.take();
}

std::optional<Schedule> withMemberAt(const Schedule &schedule, const AutoGpuGroup &group,
                                     FuncId member, Place place, const AutoGpuForm &form) {
  GroupWriter writer(schedule, group, form);
  if (!writer.writeAt(member, place, depthOf(schedule, place)) || !writer.unroll(member))
    return std::nullopt;
  return writer.take();
}

} // namespace tessera::search
