// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/machine/machine.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::block {

// What a loop of a stage is in its kernel. Turn: a serial loop that each thread runs. Host: a loop
// on the CPU, which launches the kernel in each iteration.
enum class LoopRole : std::uint8_t { Host, Block, Thread, Turn, Unrolled, Vector };
std::string_view name(LoopRole role); // "turn"

struct BlockLoop {
  LoopRole role = LoopRole::Turn;
  std::string name;      // as in directives: "x_thread"
  std::uint16_t dim = 0; // the dimension of the stage along which it steps
  std::int64_t iterations = 1;
  std::int64_t step = 1; // distance of two iterations along the dimension
};

// What a thread of the block does for the stage. Halo: it computes nothing of the block's own part
// (ThreadBlock::own), only elements that a neighbouring block owns.
enum class Duty : std::uint8_t { Computes, Halo, Idle };
std::string_view name(Duty duty); // "halo"

using ThreadPlace = std::array<std::int64_t, cost::kBlockDims>; // x, y, z

// One element that a thread computes: where it is in the func, and when the thread computes it.
struct OwnedPoint {
  std::vector<std::int64_t> at; // by dimension of the func
  std::int64_t turn = 0, copy = 0, vector = 0;
};

// Which thread computes each element of the block in two dimensions of the func, at the first index
// in all other dimensions.
struct OwnerMap {
  static constexpr std::int32_t kNobody = -1;

  std::size_t across = 0, down = 0; // dimensions of the func; equal if only one is shown
  pipeline::Interval x{0, 0}, y{0, 0};
  std::vector<std::int32_t> threads; // numbers, row by row

  std::int32_t at(std::int64_t column, std::int64_t row) const {
    return threads[static_cast<std::size_t>((row - y.min) * x.extent() + (column - x.min))];
  }
};

// The block of a kernel as one of its stages uses it: a grid of threads in warps, and what each of
// them computes. It is a block in the middle, where no boundary is near.
class ThreadBlock {
public:
  ThreadBlock() = default;
  ThreadBlock(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
              const cost::KernelRuns &runs, const machine::Machine &machine,
              pipeline::StageId stage);

  pipeline::StageId stage{};
  schedule::Depth depth = schedule::Depth::Host; // where the stage is computed
  ThreadPlace threads{1, 1, 1};                  // of the block
  ThreadPlace active{1, 1, 1};                   // those with something to compute
  std::int64_t warpSize = 32;
  std::vector<std::string> dims; // names of the func's dimensions, like all boxes below
  std::vector<BlockLoop> loops;  // of the stage, innermost first, those with several iterations
  std::vector<pipeline::Interval>
      computed; // in this block, in one iteration of the loops around the stage
  // The part of `computed` that counts as this block's. Of the elements that two neighbouring
  // blocks both compute, each owns half.
  std::vector<pipeline::Interval> own;
  std::vector<std::int64_t> tile; // the box that a thread computes at a time: its register tile
  std::int64_t turns = 1, copies = 1, vector = 1; // of a thread; see points()
  std::vector<Duty> duties;                       // by number of the thread, x first

  std::int64_t all() const { return threads[0] * threads[1] * threads[2]; }
  std::int64_t warps() const { return (all() + warpSize - 1) / warpSize; }
  std::int64_t emptyLanes() const { return warps() * warpSize - all(); } // of the last warp
  std::int64_t points() const { return turns * copies * vector; }        // of a thread
  std::int64_t count(Duty duty) const;
  std::int64_t numberOf(const ThreadPlace &thread) const {
    return thread[0] + threads[0] * (thread[1] + threads[1] * thread[2]);
  }
  ThreadPlace placeOf(std::int64_t number) const {
    return {number % threads[0], number / threads[0] % threads[1],
            number / (threads[0] * threads[1])};
  }
  Duty dutyOf(const ThreadPlace &thread) const {
    return duties[static_cast<std::size_t>(numberOf(thread))];
  }
  double redundancy() const; // computed elements divided by those in `own`, minus 1

  // The points of a thread, in the order in which it computes them; at most kMostPoints.
  std::vector<OwnedPoint> ownedBy(const ThreadPlace &thread) const;
  static constexpr std::int64_t kMostPoints = 4096;

  // owners() covers at most kMostSide elements along each of its two dimensions.
  static constexpr std::int64_t kMostSide = 256;
  const OwnerMap &owners() const { return m_owners; }

private:
  // The offsets of a thread's points along one dimension of the stage, from its first point.
  using Offsets = std::vector<std::int64_t>;

  void setLoops(const schedule::Schedule &schedule, const cost::Run &run);
  void setTile();
  std::vector<Offsets> offsetsOfThread() const;
  void setDuties(const std::vector<Offsets> &offsets);
  void setOwners(const std::vector<Offsets> &offsets);
  std::vector<std::int64_t> firstOf(const ThreadPlace &thread) const;
  bool isWithin(std::size_t dim, std::int64_t first, std::int64_t at) const;
  bool reachesOwn(const std::vector<std::int64_t> &first,
                  const std::vector<Offsets> &offsets) const;

  pipeline::PipelinePtr m_pipeline;
  std::vector<std::int64_t> m_start;   // of the first thread, by dimension of the stage
  std::vector<std::int64_t> m_extents; // by dimension of the stage
  std::array<std::vector<double>, cost::kBlockDims> m_threadSteps;
  OwnerMap m_owners;
};

} // namespace tessera::block
