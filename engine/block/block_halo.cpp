// SPDX-License-Identifier: MIT
#include "engine/block/block_halo.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tessera::block {

using cost::FlatLoop;
using cost::KernelRuns;
using cost::Reads;
using cost::Run;
using pipeline::FuncId;
using pipeline::Interval;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using pipeline::StageId;
using schedule::Bounds;
using schedule::Depth;
using schedule::LoopKind;
using schedule::Schedule;

namespace {

using Box = std::vector<Interval>;

// The loops of the stage that owns the blocks, over one block.
Box overBlock(const Run &owner, const Box &first) {
  Box over = first;
  for (const FlatLoop &loop : owner.loops)
    if (loop.kind != LoopKind::Block && loop.loop < owner.hostLoop)
      over[loop.dim].max += loop.reach();
  return over;
}

// The boxes that one block computes of the funcs of a kernel. They follow from the loops of the
// stage that owns the blocks, and from what each stage reads.
class BlockBoxes {
public:
  BlockBoxes(const Schedule &schedule, const KernelRuns &runs, const KernelRuns::Kernel &kernel)
      : m_pipeline(*schedule.pipeline()), m_runs(runs), m_kernel(kernel) {}

  // The box of the func; empty if no stage of the kernel reads it.
  Box of(FuncId func, const Box &ownerLoops) {
    m_boxes.clear();
    const StageId owner = m_kernel.launch.stage;
    for (const StageId stage : m_kernel.stages) {
      const Stage &reader = m_pipeline.stage(stage);
      if (reader.func == func) continue;
      const bool isOwner = stage == owner || reader.func == m_pipeline.stage(owner).func;
      if (!isOwner && !m_boxes.contains(reader.func)) continue;
      const Box loops = stage == owner ? ownerLoops
                        : isOwner      ? loopsOf(reader, storedBy(owner, ownerLoops))
                                       : loopsOf(reader, m_boxes.at(reader.func));
      add(*m_runs.of(stage).reads, loops);
    }
    const auto box = m_boxes.find(func);
    return box == m_boxes.end() ? Box() : box->second;
  }

private:
  Box storedBy(StageId stage, const Box &loops) const {
    Box box;
    for (const pipeline::IndexMap &map : m_pipeline.stage(stage).store.indices)
      box.push_back(pipeline::evaluate(map, loops));
    return box;
  }

  static Box loopsOf(const Stage &stage, const Box &box) {
    Box loops;
    for (const pipeline::LoopDim &loop : stage.loops)
      loops.push_back(loop.argument ? box[*loop.argument] : loop.range);
    return loops;
  }

  void add(const Reads &reads, const Box &loops) {
    reads.evaluate(loops, m_read);
    for (const Reads::Source &source : reads.sources()) {
      if (source.inlined || source.self || source.producer.kind == Producer::Kind::Input) continue;
      const auto read = source.boxIn(m_read);
      Box &box = m_boxes[static_cast<FuncId>(source.producer.index)];
      if (box.empty()) box.resize(read.size());
      for (std::size_t d = 0; d < read.size(); ++d)
        box[d] = pipeline::hull(box[d], read[d]);
    }
  }

  const Pipeline &m_pipeline;
  const KernelRuns &m_runs;
  const KernelRuns::Kernel &m_kernel;
  std::map<FuncId, Box> m_boxes;
  Box m_read;
};

// The part of a box that is the block's own if the next block's box begins `step` elements later.
Interval ownOf(const Interval &box, std::int64_t step) {
  if (step <= 0 || box.extent() <= step) return box;
  const std::int64_t min = box.min + (box.extent() - step) / 2;
  return {min, min + step - 1};
}

// What the block computes of the func that owns the blocks: the tile, limited to the func's region.
Box tileOf(const Pipeline &pipeline, const Run &run, const Box &first) {
  const Stage &stage = pipeline.stage(run.stage);
  const Box &region = pipeline.func(stage.func).region;
  const Box over = overBlock(run, first);
  Box box;
  for (std::size_t d = 0; d < region.size(); ++d) {
    const Interval stored = pipeline::evaluate(stage.store.indices[d], over);
    box.push_back(stored.bounded() ? pipeline::intersection(stored, region[d]) : region[d]);
  }
  return box;
}

} // namespace

std::vector<Interval> firstIteration(const Schedule &schedule, const Run &run) {
  const Stage &stage = schedule.pipeline()->stage(run.stage);
  const auto &region = schedule.pipeline()->func(stage.func).region;
  std::vector<Interval> first = run.base;
  if (!run.isInMiddleThread) return first;
  // Goes back from the middle thread to the first thread, which begins where the block does.
  for (const FlatLoop &loop : run.loops) {
    if (!cost::isThread(loop.kind) || !stage.loops[loop.dim].argument) continue;
    std::int64_t block = 1;
    for (const FlatLoop &other : run.loops)
      if (other.dim == loop.dim && other.kind != LoopKind::Block)
        block = std::max(block, other.iterations * other.step);
    const std::int64_t whole = region[*stage.loops[loop.dim].argument].extent();
    constexpr std::int64_t kFewBlocks = 2; // as in cost::KernelRuns
    if (kFewBlocks * block < whole) continue;
    const std::int64_t away =
        std::min(loop.iterations, cost::divideUp(whole, loop.step)) / 2 * loop.step;
    first[loop.dim] = {run.base[loop.dim].min - away, run.base[loop.dim].min - away};
  }
  return first;
}

BlockShare shareOf(const Schedule &schedule, const Bounds &bounds, const KernelRuns &runs,
                   StageId stage) {
  const Pipeline &pipeline = *schedule.pipeline();
  const FuncId func = pipeline.stage(stage).func;
  const Run &run = runs.of(stage);
  const KernelRuns::Kernel &kernel = runs.kernelOf(run);
  const Run &owner = runs.of(kernel.launch.stage);
  const Box first = firstIteration(schedule, owner);
  if (run.depth == Depth::Host) {
    const Box tile = tileOf(pipeline, run, firstIteration(schedule, run));
    return {tile, tile};
  }
  BlockShare share;
  share.computed.assign(bounds.of(func).computed.begin(), bounds.of(func).computed.end());
  BlockBoxes boxes(schedule, runs, kernel);
  const Box loops = overBlock(owner, first);
  const Box whole = boxes.of(func, loops);
  // What each thread computes for itself is shown for the whole block.
  if (run.depth == Depth::Thread && !whole.empty()) share.computed = whole;
  share.own = share.computed;
  if (whole.empty()) return share;
  std::vector<std::int64_t> steps(whole.size(), 0);
  for (const FlatLoop &loop : owner.loops) {
    if (loop.kind != LoopKind::Block) continue;
    Box next = loops;
    next[loop.dim].min += loop.step;
    next[loop.dim].max += loop.step;
    const Box there = boxes.of(func, next);
    for (std::size_t d = 0; d < whole.size(); ++d)
      if (const std::int64_t step = there[d].min - whole[d].min;
          step > 0 && (steps[d] == 0 || step < steps[d]))
        steps[d] = step;
  }
  // If one iteration of a loop around the stage computes only a part of the block's box, this part
  // overlaps with that of the next iteration in the same block. This overlap is no halo.
  for (std::size_t d = 0; d < whole.size(); ++d)
    if (share.computed[d].extent() >= whole[d].extent())
      share.own[d] = ownOf(share.computed[d], steps[d]);
  return share;
}

} // namespace tessera::block
