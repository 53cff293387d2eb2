// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/overlapped_nest.h"

#include "engine/schedule/edits/tiling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Jangda and Guha 2020, figure 3.
namespace tessera::search {

using pipeline::FuncId;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Stage;
using schedule::Depth;
using schedule::DimTiling;
using schedule::FuncPlan;
using schedule::Loop;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::Place;
using schedule::Schedule;
using schedule::Tail;

namespace {

// "PolyMage's compiler adds conditionals to ensure that for the given image sizes, the tile lies
// within the correct bounds of current stage" (section 5).
constexpr Tail kTail = Tail::GuardWithIf;

class TileWriter {
public:
  TileWriter(const Schedule &schedule, const DpGroup &group, const DpSizes &sizes,
             const FrozenDecisions &frozen)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_group(group), m_sizes(sizes),
        m_frozen(frozen), m_threadDims(threadDimsOf(m_pipeline.func(group.output))) {}

  std::optional<Schedule> write() {
    if (!writeOutput()) return std::nullopt;
    if (m_group.members.size() == 1) return std::move(m_schedule);
    const auto alignments = alignmentsTo(m_schedule, m_group.output);
    for (const FuncId member : m_group.members)
      if (member != m_group.output && !writeMember(member, alignments.at(member)))
        return std::nullopt;
    return std::move(m_schedule);
  }

private:
  // All plans are set here, so that frozen decisions are kept. The paper does not change layouts.
  bool set(FuncId func, FuncPlan plan) {
    plan.layout = m_schedule.plan(func).layout;
    return m_frozen.setHeld(m_schedule, func, std::move(plan));
  }

  // Whether the threads lie along x, y or z (0, 1, 2) of the block; none of these: 3.
  std::size_t threadOf(const LoopDim &loop, const Alignment *alignment) const {
    if (!loop.argument) return m_sizes.block.size();
    std::size_t dim = *loop.argument;
    if (alignment) {
      const std::optional<AlignedDim> &aligned = (*alignment)[dim];
      if (!aligned) return m_sizes.block.size();
      dim = aligned->output;
    }
    const auto found = std::ranges::find(m_threadDims, dim);
    return found == m_threadDims.end() ? m_sizes.block.size()
                                       : static_cast<std::size_t>(found - m_threadDims.begin());
  }

  // `threads` gets the loop of the stage that each of x, y and z divides, or SIZE_MAX. Of two loops
  // along one of them, as in f(x, x), the first has the threads.
  std::vector<DimTiling> tilingsOf(const Stage &stage, const Alignment *alignment,
                                   std::vector<std::size_t> &threads) const {
    std::vector<DimTiling> tilings(stage.loops.size());
    std::vector<bool> isTaken(m_sizes.block.size() + 1);
    threads.assign(m_sizes.block.size(), SIZE_MAX);
    for (std::size_t l = 0; l < stage.loops.size(); ++l) {
      const std::size_t i = threadOf(stage.loops[l], alignment);
      if (i == m_sizes.block.size() || isTaken[i]) continue;
      isTaken[i] = true;
      threads[i] = l;
      tilings[l].threads = m_sizes.block[i];
      if (!alignment) tilings[l].outer = m_sizes.tile[i];
      tilings[l].tail = kTail;
    }
    return tilings;
  }

  LoopNest nestOf(const Stage &stage, const Alignment *alignment) const {
    std::vector<std::size_t> threads;
    const auto tilings = tilingsOf(stage, alignment, threads);
    LoopNest nest = schedule::tiledNest(stage, tilings, alignment ? Depth::Block : Depth::Host);
    // Turns are loops in a thread, so that threads do not wait for each other between them.
    const auto first = std::ranges::find(nest.loops, LoopKind::Thread, &Loop::kind);
    const auto blocks = std::ranges::find(nest.loops, LoopKind::Block, &Loop::kind);
    const auto loops = std::stable_partition(
        first, blocks, [](const Loop &loop) { return loop.kind != LoopKind::Thread; });
    std::ranges::stable_sort(loops, blocks, {}, [&](const Loop &loop) {
      return std::ranges::find(threads, loop.ref.axis) - threads.begin();
    });
    return nest;
  }

  bool writeOutput() {
    FuncPlan plan;
    for (const Stage &stage : m_pipeline.stagesOf(m_group.output))
      plan.stages.push_back({nestOf(stage, nullptr)});
    return set(m_group.output, std::move(plan));
  }

  bool writeMember(FuncId member, const Alignment &alignment) {
    const pipeline::StageId output = m_pipeline.func(m_group.output).firstStage;
    const auto &loops = m_schedule.plan(output).nest.loops;
    const auto block = std::ranges::find(loops, LoopKind::Block, &Loop::kind);
    if (block == loops.end()) return false;
    FuncPlan plan;
    plan.compute = Place::at(output, block->ref);
    for (const Stage &stage : m_pipeline.stagesOf(member))
      plan.stages.push_back({nestOf(stage, &alignment)});
    return set(member, std::move(plan));
  }

  Schedule m_schedule;
  const Pipeline &m_pipeline;
  const DpGroup &m_group;
  const DpSizes &m_sizes;
  const FrozenDecisions &m_frozen;
  const std::vector<std::size_t> m_threadDims; // of the output
};

} // namespace

std::optional<Schedule> withOverlappedTile(const Schedule &schedule, const DpGroup &group,
                                           const DpSizes &sizes, const FrozenDecisions &frozen) {
  return TileWriter(schedule, group, sizes, frozen).write();
}

} // namespace tessera::search
