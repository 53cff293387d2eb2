// SPDX-License-Identifier: MIT
#include "engine/schedule/default_schedule.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tessera::schedule {

using pipeline::Edge;
using pipeline::FuncId;
using pipeline::LoopDim;
using pipeline::OpKind;
using pipeline::Pipeline;
using pipeline::PipelinePtr;
using pipeline::Stage;

namespace {

// Inlined expressions grow by what they swallow; Halide's time grows with them.
constexpr std::uint32_t kMostOperations = 48;

// Threads of the innermost dimensions: neighbours in memory side by side, 256 in all.
constexpr std::array<std::int64_t, 3> kThreads{32, 8, 4};
constexpr std::int64_t kBlockThreads = 256;
constexpr std::int64_t kMostGridYZ = 65535;

std::uint32_t operations(const Stage &stage) {
  std::uint32_t sum = 0;
  for (const pipeline::OpCount &count : stage.operations)
    sum += count.count;
  return sum;
}

std::int64_t powerOfTwoAtLeast(std::int64_t extent) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent)));
}

// Splits pure dimensions into blocks and threads while three of each last, and collects the rest.
class KernelNest {
public:
  explicit KernelNest(const Stage &stage) : m_nest(plainNest(stage)) {
    for (std::uint16_t d = 0; d < stage.loops.size(); ++d) {
      if (stage.loops[d].kind == LoopDim::Kind::Reduction)
        m_serial.push_back({{d, 0}, LoopKind::Serial});
      else
        spread(d, std::max<std::int64_t>(1, stage.loops[d].range.extent()));
    }
  }

  LoopNest take() {
    if (m_blocks.empty()) {
      m_nest.singleThread = true;
      return std::move(m_nest);
    }
    fuseBlocks();
    m_nest.loops = m_serial;
    m_nest.loops.insert(m_nest.loops.end(), m_threads.begin(), m_threads.end());
    for (const Counted &block : m_blocks)
      m_nest.loops.push_back({block.ref, LoopKind::Block});
    return std::move(m_nest);
  }

private:
  struct Counted {
    LoopRef ref;
    std::int64_t extent;
  };

  void spread(std::uint16_t dim, std::int64_t extent) {
    const std::size_t used = m_threads.size();
    std::int64_t threads = 1;
    if (used < kThreads.size())
      threads = std::min({kThreads[used], kBlockThreads / m_inBlock, powerOfTwoAtLeast(extent)});
    if (threads <= 1 && !(m_threads.empty() && dim + 1U == m_nest.axes.size())) {
      m_blocks.push_back({{dim, 0}, extent});
      return;
    }
    m_inBlock *= threads;
    Axis &axis = m_nest.axes[dim];
    axis.splits.push_back({threads, Tail::GuardWithIf});
    m_threads.push_back({{dim, 1}, LoopKind::Thread});
    m_blocks.push_back({{dim, 0}, partExtent(axis, extent, 0)});
  }

  // Everything from block loop `first` on becomes one.
  void fuseFrom(std::size_t first) {
    Axis axis;
    std::int64_t extent = 1;
    for (std::size_t b = first; b < m_blocks.size(); ++b) {
      axis.fused.push_back(m_blocks[b].ref);
      extent = pipeline::saturatingMultiply(extent, m_blocks[b].extent);
    }
    m_blocks.resize(first);
    m_blocks.push_back({{static_cast<std::uint16_t>(m_nest.axes.size()), 0}, extent});
    m_nest.axes.push_back(std::move(axis));
  }

  void fuseBlocks() {
    if (m_blocks.size() > 3) fuseFrom(2);
    const auto tooMany = [](const Counted &block) { return block.extent > kMostGridYZ; };
    if (std::any_of(m_blocks.begin() + 1, m_blocks.end(), tooMany)) fuseFrom(0);
  }

  LoopNest m_nest;
  std::vector<Loop> m_serial, m_threads;
  std::vector<Counted> m_blocks;
  std::int64_t m_inBlock = 1;
};

} // namespace

LoopNest kernelNest(const Stage &stage) { return KernelNest(stage).take(); }

bool isTrivial(const Pipeline &pipeline, FuncId func) {
  const pipeline::Func &of = pipeline.func(func);
  const auto readers = pipeline.edgesFrom(func);
  if (of.isOutput || of.stageCount != 1 || readers.size() != 1) return false;
  const Stage &stage = pipeline.stagesOf(func).front();
  if (operations(stage) > kMostOperations) return false;
  const Edge &edge = pipeline.edge(readers.front());
  if (edge.loads != 1) return false;
  // Read once a point, and by a stage without a reduction, which would read it again and again.
  const Stage &consumer = pipeline.stage(edge.consumer);
  return std::ranges::none_of(
      consumer.loops, [](const LoopDim &loop) { return loop.kind == LoopDim::Kind::Reduction; });
}

Schedule defaultSchedule(PipelinePtr base) {
  Schedule schedule(base);
  const Pipeline &pipeline = *base;
  // Producers first: what an expression swallowed counts when it is swallowed itself.
  std::vector<std::uint32_t> size(pipeline.stages().size());
  for (std::size_t s = 0; s < size.size(); ++s)
    size[s] = operations(pipeline.stages()[s]);
  for (std::size_t f = 0; f < pipeline.funcs().size(); ++f) {
    const auto id = static_cast<FuncId>(f);
    FuncPlan plan = schedule.plan(id);
    const std::size_t first = index(pipeline.func(id).firstStage);
    if (isTrivial(pipeline, id) && size[first] <= kMostOperations) {
      plan.compute = Place::inlined();
      size[index(pipeline.edge(pipeline.edgesFrom(id).front()).consumer)] += size[first];
    } else {
      for (std::size_t s = 0; s < plan.stages.size(); ++s)
        plan.stages[s].nest = kernelNest(pipeline.stagesOf(id)[s]);
    }
    schedule.set(id, std::move(plan));
  }
  return schedule;
}

} // namespace tessera::schedule
