// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/flat_loops.h"
#include "engine/cost/load/known_reads.h"
#include "engine/cost/load/launch.h"
#include "engine/cost/load/memory_space.h"
#include "engine/cost/load/reads.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/schedule.h"

#include <array>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

namespace tessera::cost {

// A stage that is not inlined: its loops, its threads, and how often its kernel runs it.
struct Run {
  pipeline::StageId stage{};
  schedule::Depth depth = schedule::Depth::Host;
  const Reads *reads = nullptr;
  std::vector<FlatLoop> loops; // innermost first
  std::size_t bodyLoops = 0;   // how many of the innermost loops are straight-line code
  std::uint32_t numbers = 0;   // bit set: dimensions whose index is constant in each unrolled copy
  std::size_t hostLoop = SIZE_MAX; // position in the nest of the innermost loop on the host
  // Where a thread in the middle of the region begins: its first iteration along each dimension of
  // the stage.
  std::vector<pipeline::Interval> base;
  bool isInMiddleThread = false; // `base` is in the middle thread of a block, not the first
  // For the thread dimensions x, y and z: the distance of neighbouring threads along each loop
  // dimension of the stage.
  std::array<std::vector<double>, kBlockDims> threadSteps;
  std::array<std::int64_t, kBlockDims> threads{1, 1, 1};
  std::array<std::int64_t, kBlockDims> active{1, 1, 1}; // threads with something to compute
  double times = 1;         // runs per block, or per thread if it is computed there
  double bodies = 1;        // number of bodies that an active thread runs per block
  double launches = 1;      // launches of the kernel in one run of the pipeline
  std::uint32_t kernel = 0; // index among the kernels

  // Whether the loop runs inside each thread of the kernel.
  bool isInThread(const FlatLoop &loop) const {
    return !isThread(loop.kind) && loop.kind != schedule::LoopKind::Block && loop.loop < hostLoop;
  }
  std::span<const FlatLoop> body() const { return std::span(loops).first(bodyLoops); }
  // The loops around the body that a thread runs sequentially, innermost first.
  auto turns() const {
    return loops | std::views::drop(bodyLoops) |
           std::views::filter([this](const FlatLoop &loop) { return isInThread(loop); });
  }
  // The intervals of the stage's loops in a body.
  void overBody(std::vector<pipeline::Interval> &over) const;
  // Shifts the loop intervals to the thread that is `threadsFurther` threads away along a dimension
  // of the block.
  void shift(std::span<const pipeline::Interval> loops, std::size_t blockDim, double threadsFurther,
             std::vector<pipeline::Interval> &moved) const;
};

// The stages of some funcs, each with its Run, and the kernels that they form. The load of these
// kernels on the machine is in kernel_load.h. Extern stages are in no kernel, since nothing is
// known of what their function does. They have a run only where others are computed in their loops.
class KernelRuns {
public:
  KernelRuns() = default;
  // `funcs` are in ascending order, and `bounds` has to cover them.
  KernelRuns(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
             std::span<const pipeline::FuncId> funcs);

  // Replaces the contents by those for another schedule or other funcs, and reuses the memory.
  void renew(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
             std::span<const pipeline::FuncId> funcs);
  // Updates the contents after only the loops of `stage` have changed. Neither the shape of another
  // func nor the place of a func computed in these loops may have changed. The stage must not have
  // a kernel of its own. Returns whether other stages are affected: the size of their block
  // changed, or the memory space of something that they read.
  bool renew(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
             pipeline::StageId stage);

  struct Kernel {
    Launch launch;
    std::vector<pipeline::StageId> stages; // consumers first
  };
  std::span<const Kernel> kernels() const { // the kernel launched last comes first
    return std::span(m_kernels).first(m_kernelCount);
  }
  // Whether the stage has a run.
  bool contains(pipeline::StageId stage) const { return m_slots[index(stage)] != kNone; }
  const Run &of(pipeline::StageId stage) const { return m_runs[m_slots[index(stage)]]; }
  const Kernel &kernelOf(const Run &run) const { return m_kernels[run.kernel]; }
  MemorySpace space(pipeline::FuncId func) const { return m_spaces[index(func)]; }

private:
  class Builder;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void reset(const schedule::Schedule &schedule);

  pipeline::PipelinePtr m_pipeline;
  KnownReads m_reads;
  std::vector<pipeline::FuncId> m_funcs;
  std::vector<std::uint32_t> m_slots; // indexed by stage: index in m_runs
  std::vector<Run> m_runs;            // consumers first; may have unused runs at the end
  std::vector<MemorySpace> m_spaces;  // indexed by func
  // Funcs in registers at block level: each thread holds a part.
  std::vector<pipeline::FuncId> m_dealtOut;
  std::vector<Kernel> m_kernels; // may have unused kernels at the end
  std::size_t m_kernelCount = 0;
};

} // namespace tessera::cost
