// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_nest.h"

#include "engine/search/mullapudi/member_threads.h"
#include "engine/search/mullapudi/mullapudi_tiles.h"
#include "engine/schedule/edits/tiling.h"
#include "engine/search/kernels/expression_sizes.h"

#include <algorithm>
#include <vector>

// Mullapudi et al. 2016, sections 4.4 and 5.4.
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
using schedule::StagePlan;
using schedule::Tail;

namespace {

// "unrolls the innermost loop if it contains only a small number of iterations" (section 4.4). The
// paper has no number.
constexpr std::int64_t kSmall = 16;

class KernelWriter {
public:
  KernelWriter(const Schedule &schedule, const MullapudiKernel &kernel,
               std::span<const double> reuse, NestForm form, const FrozenDecisions &frozen)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_kernel(kernel), m_form(form),
        m_frozen(frozen), m_threads(tileThreads(kernel.tile)) {
    const std::vector<std::size_t> order = byReuse(reuse);
    m_rank.resize(reuse.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      m_rank[order[i]] = i + 1;
    // "never move the innermost dimension of the output function's loop nest out of its starting
    // position"
    if (!m_rank.empty()) m_rank[0] = 0;
  }

  std::optional<Schedule> write() {
    if (!writeOutput()) return std::nullopt;
    // Consumers are written first, so that their loops exist.
    const std::vector<FuncId> &members = m_kernel.group.members;
    for (std::size_t m = members.size(); m-- > 0;)
      if (members[m] != m_kernel.group.output && !writeMember(members[m])) return std::nullopt;
    return std::move(m_schedule);
  }

private:
  // All plans are set here, so that frozen decisions are kept. The layout is not the paper's
  // matter.
  bool set(FuncId func, FuncPlan plan) {
    plan.layout = m_schedule.plan(func).layout;
    return m_frozen.setHeld(m_schedule, func, std::move(plan));
  }

  bool writeOutput() {
    FuncPlan plan;
    for (const StageId id : m_pipeline.stageIdsOf(m_kernel.group.output)) {
      const Stage &stage = m_pipeline.stage(id);
      StagePlan &of = plan.stages.emplace_back();
      of.nest = schedule::tiledNest(stage, tilingsOf(id), Depth::Host);
      if (isTiled(id)) moveReductionTilesOut(stage, of.nest);
      if (m_form.order == NestForm::Order::ByReuse) sortByReuse(stage, of.nest);
    }
    return set(m_kernel.group.output, std::move(plan));
  }

  bool isTiled(StageId id) const {
    return m_form.reductions == NestForm::Reductions::Tiled && m_kernel.reductions &&
           m_kernel.reductions->stage == id;
  }

  std::vector<DimTiling> tilingsOf(StageId id) const {
    const Stage &stage = m_pipeline.stage(id);
    const bool shifts =
        m_form.tails == NestForm::Tails::Shifted && m_pipeline.func(stage.func).stageCount == 1;
    std::vector<DimTiling> tilings(stage.loops.size());
    for (std::size_t l = 0; l < stage.loops.size(); ++l) {
      const LoopDim &loop = stage.loops[l];
      const std::int64_t extent = loop.range.extent();
      if (loop.kind == LoopDim::Kind::Reduction) {
        if (isTiled(id) && m_kernel.reductions->sizes[l] < extent)
          tilings[l].inner = m_kernel.reductions->sizes[l];
        continue;
      }
      const std::int64_t tile = m_kernel.tile[*loop.argument];
      (m_threads[*loop.argument] ? tilings[l].threads : tilings[l].inner) = tile;
      tilings[l].tail =
          shifts && tile > 1 && extent >= tile ? Tail::ShiftInwards : Tail::GuardWithIf;
    }
    unrollInnermost(id, tilings);
    return tilings;
  }

  // The innermost loop in a thread: of a reduction, or else of what has no threads.
  void unrollInnermost(StageId id, std::vector<DimTiling> &tilings) const {
    const Stage &stage = m_pipeline.stage(id);
    const auto innermost = [&](LoopDim::Kind kind) -> DimTiling * {
      for (std::size_t l = 0; l < stage.loops.size(); ++l)
        if (stage.loops[l].kind == kind &&
            (kind == LoopDim::Kind::Reduction || tilings[l].inner > 1))
          return &tilings[l];
      return nullptr;
    };
    DimTiling *tiling = innermost(LoopDim::Kind::Reduction);
    std::int64_t extent = 0;
    if (tiling) {
      const LoopDim &loop = stage.loops[static_cast<std::size_t>(tiling - tilings.data())];
      if (tiling->inner > 1)
        extent = tiling->inner;
      else if (loop.fixed)
        extent = loop.range.extent();
    } else if (tiling = innermost(LoopDim::Kind::Pure); tiling) {
      extent = tiling->inner;
    }
    if (!tiling || extent < 2 || extent > kSmall ||
        static_cast<double>(extent) * ExpressionSizes(m_schedule).of(id) > kLongestBody)
      return;
    tiling->inner = 1;
    tiling->unroll = extent;
  }

  // The loops over tiles of a reduction go around the threads, as trx does in figure 3.
  static void moveReductionTilesOut(const Stage &stage, LoopNest &nest) {
    std::vector<Loop> inside, tiles, outside;
    bool isOutside = false;
    for (const Loop &loop : nest.loops) {
      const bool isReduction = loop.ref.axis < stage.loops.size() &&
                               stage.loops[loop.ref.axis].kind == LoopDim::Kind::Reduction;
      isOutside = isOutside || loop.kind == LoopKind::Block;
      if (isReduction && loop.ref.part == 0 && nest.axes[loop.ref.axis].parts() > 1)
        tiles.push_back(loop);
      else
        (isOutside ? outside : inside).push_back(loop);
    }
    nest.loops = std::move(inside);
    nest.loops.insert(nest.loops.end(), tiles.begin(), tiles.end());
    nest.loops.insert(nest.loops.end(), outside.begin(), outside.end());
  }

  // "reorder each group output function's loops in order of maximal input locality": among loops of
  // one kind next to each other, the one with the greatest reuse is innermost. Reductions keep
  // their order, which their values depend on, and so do block loops that are fused.
  void sortByReuse(const Stage &stage, LoopNest &nest) const {
    const auto isSortable = [&](const Loop &loop) {
      return loop.ref.axis < stage.loops.size() &&
             stage.loops[loop.ref.axis].kind == LoopDim::Kind::Pure;
    };
    const auto rank = [&](const Loop &loop) {
      return m_rank[*stage.loops[loop.ref.axis].argument];
    };
    for (auto first = nest.loops.begin(); first != nest.loops.end();) {
      if (!isSortable(*first)) {
        ++first;
        continue;
      }
      const auto last = std::find_if(first, nest.loops.end(), [&](const Loop &loop) {
        return !isSortable(loop) || loop.kind != first->kind;
      });
      std::stable_sort(first, last,
                       [&](const Loop &a, const Loop &b) { return rank(a) < rank(b); });
      first = last;
    }
  }

  // At the innermost block loop of the stage of the output that reads it, with all members between.
  bool writeMember(FuncId member) {
    std::optional<StageId> anchor;
    for (const StageId reader : schedule::readersOf(m_schedule, member)) {
      const FuncId func = m_pipeline.stage(reader).func;
      if (func == member) continue;
      if (!std::ranges::binary_search(m_kernel.group.members, func)) return false;
      const StageId of =
          func == m_kernel.group.output ? reader : m_schedule.plan(func).compute.stage;
      if (anchor && *anchor != of) return false;
      anchor = of;
    }
    if (!anchor) return false;
    const std::vector<Loop> &loops = m_schedule.plan(*anchor).nest.loops;
    const auto block = std::ranges::find(loops, LoopKind::Block, &Loop::kind);
    if (block == loops.end()) return false;
    FuncPlan plan;
    plan.compute = Place::at(*anchor, block->ref);
    for (const Stage &stage : m_pipeline.stagesOf(member))
      plan.stages.push_back(inBlock(stage));
    return set(member, std::move(plan));
  }

  // The loops of a member over all that a tile needs, with a thread for each point along the
  // dimensions that have threads, and the reductions inside.
  StagePlan inBlock(const Stage &stage) const {
    StagePlan plan;
    plan.nest = schedule::plainNest(stage);
    const auto threadLoops = memberThreadLoops(m_pipeline, m_kernel.group.output, m_threads, stage);
    std::vector<Loop> pure, reductions, threads;
    for (const std::size_t l : threadLoops)
      threads.push_back({LoopRef{static_cast<std::uint16_t>(l), 0}, LoopKind::Thread});
    for (std::uint16_t l = 0; l < stage.loops.size(); ++l) {
      if (std::ranges::find(threadLoops, l) != threadLoops.end()) continue;
      const bool isReduction = stage.loops[l].kind == LoopDim::Kind::Reduction;
      (isReduction ? reductions : pure).push_back({LoopRef{l, 0}, LoopKind::Serial});
    }
    plan.nest.loops = std::move(pure);
    plan.nest.loops.insert(plan.nest.loops.end(), reductions.begin(), reductions.end());
    plan.nest.loops.insert(plan.nest.loops.end(), threads.begin(), threads.end());
    return plan;
  }

  Schedule m_schedule;
  const Pipeline &m_pipeline;
  const MullapudiKernel &m_kernel;
  const NestForm m_form;
  const FrozenDecisions &m_frozen;
  std::vector<bool> m_threads;     // by dimension of the output
  std::vector<std::size_t> m_rank; // by dimension of the output: 0 is innermost
};

} // namespace

std::optional<Schedule> withMullapudiKernel(const Schedule &schedule, const MullapudiKernel &kernel,
                                            std::span<const double> reuse, NestForm form,
                                            const FrozenDecisions &frozen) {
  return KernelWriter(schedule, kernel, reuse, form, frozen).write();
}

} // namespace tessera::search
