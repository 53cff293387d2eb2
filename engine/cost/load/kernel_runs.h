// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/flat_loops.h"
#include "engine/cost/load/known_reads.h"
#include "engine/cost/load/launch.h"
#include "engine/cost/load/reads.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/bounds/bounds.h"

#include <array>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

namespace tessera::cost {

// Where the values of a func are while its kernel runs.
enum class MemorySpace : std::uint8_t {
  Global,
  Shared,
  Registers,
  Local, // an array of a thread that loops index: registers have no address
  Apart, // the same, of a block, whose threads each have other elements of it
};

// A stage that is not inlined, and what surrounds it in its kernel.
struct Run {
  pipeline::StageId stage{};
  schedule::Depth depth = schedule::Depth::Host;
  const Reads *reads = nullptr;
  std::vector<FlatLoop> loops; // innermost first
  std::size_t bodyLoops = 0;   // the innermost ones, that are straight-line code
  std::uint32_t numbers = 0; // the bit of each dimension that is a number in each copy of the body
  std::size_t hostLoop = SIZE_MAX;      // of the nest: the first around all blocks
  std::vector<pipeline::Interval> base; // of its dimensions in one iteration of its place
  bool isInMiddleThread = false;        // of a block; else in the first
  // Along each loop dimension of the stage, from one thread to the next along x, y, z.
  std::array<std::vector<double>, kBlockDims> threadSteps;
  std::array<std::int64_t, kBlockDims> threads{1, 1, 1};
  std::array<std::int64_t, kBlockDims> active{1, 1, 1}; // of those, with something to compute
  double times = 1;                                     // that it is run in a block, or by a thread
  double bodies = 1;                                    // that an active thread runs in a block
  double launches = 1;                                  // of its kernel
  std::uint32_t kernel = 0;                             // its place among the kernels

  // Whether each thread of the kernel runs through this loop.
  bool isInThread(const FlatLoop &loop) const {
    return !isThread(loop.kind) && loop.kind != schedule::LoopKind::Block && loop.loop < hostLoop;
  }
  std::span<const FlatLoop> body() const { return std::span(loops).first(bodyLoops); }
  // The loops around the body that a thread runs turn by turn, innermost first.
  auto turns() const {
    return loops | std::views::drop(bodyLoops) |
           std::views::filter([this](const FlatLoop &loop) { return isInThread(loop); });
  }
  // What the stage's loops run over in a body.
  void overBody(std::vector<pipeline::Interval> &over) const;
  // What a thread sees that is so many further along a dimension of the block.
  void shift(std::span<const pipeline::Interval> loops, std::size_t blockDim, double threadsFurther,
             std::vector<pipeline::Interval> &moved) const;
};

// The stages of some funcs with what surrounds them, and the kernels that they make. What they ask
// of the machine is in kernel_load.h.
class KernelRuns {
public:
  KernelRuns() = default;
  // Funcs by rising number; the shape has to have measured them.
  KernelRuns(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
             std::span<const pipeline::FuncId> funcs);

  // The same of another schedule, or of other funcs, in the room that there is.
  void renew(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
             std::span<const pipeline::FuncId> funcs);
  // Of another in which only a stage's loops are others, and neither the shape of another func nor
  // the place of one that is computed in them changes. The stage has no kernel of its own. Whether
  // that changes what other stages have to know: their block, or where what they read is kept.
  bool renew(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
             pipeline::StageId stage);

  struct Kernel {
    Launch launch;
    std::vector<pipeline::StageId> stages; // consumers first
  };
  std::span<const Kernel> kernels() const { // the last one first
    return std::span(m_kernels).first(m_kernelCount);
  }
  const Run &of(pipeline::StageId stage) const { return m_runs[m_slots[index(stage)]]; }
  const Kernel &kernelOf(const Run &run) const { return m_kernels[run.kernel]; }
  MemorySpace space(pipeline::FuncId func) const { return m_spaces[index(func)]; }

private:
  class Builder;
  class MemorySpaceFinder;
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void reset(const schedule::Schedule &schedule);
  bool contains(pipeline::StageId stage) const { return m_slots[index(stage)] != kNone; }

  pipeline::PipelinePtr m_pipeline;
  KnownReads m_reads;
  std::vector<pipeline::FuncId> m_funcs;
  std::vector<std::uint32_t> m_slots;       // by stage: its place among the runs
  std::vector<Run> m_runs;                  // consumers first, and room for more
  std::vector<MemorySpace> m_spaces;        // by func
  std::vector<pipeline::FuncId> m_dealtOut; // funcs whose registers a block's threads share out
  std::vector<Kernel> m_kernels;            // and room for more
  std::size_t m_kernelCount = 0;
};

} // namespace tessera::cost
