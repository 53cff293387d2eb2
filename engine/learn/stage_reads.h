// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/schedule.h"

#include <array>
#include <span>
#include <vector>

namespace tessera::learn {

// Bytes, and pieces of memory without a gap, in which they lie.
struct Amount {
  double bytes = 0, lines = 0;

  Amount &operator+=(const Amount &other) {
    bytes += other.bytes;
    lines += other.lines;
    return *this;
  }
};

// What a stage reads, by the memory that it reads from. Arrays in local memory are left out, as the
// paper has no features of them; `point` has them.
struct StageReads {
  enum Memory : std::uint8_t { Global, Shared, Registers };
  std::array<Amount, 3> realization, thread; // to compute the whole stage once; by one thread
  std::array<double, 3> allocations{};       // bytes of the arrays that it reads from
  Amount point;                              // by one evaluation, from all memories

  // A box of an input or a func in global memory that the stage reads in one block.
  struct BlockBox {
    pipeline::Producer producer;
    pipeline::Box box;
  };
  std::vector<BlockBox> block;
};

// `realizations` are those of each func, by id.
StageReads stageReads(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                      const cost::KernelRuns &runs, const cost::Run &run,
                      std::span<const double> realizations);

// The innermost dimension of the storage of a func.
std::size_t innermostDim(const schedule::FuncPlan &plan);
Amount amountOf(std::span<const pipeline::Interval> box, double elementBytes,
                std::size_t innermost);

} // namespace tessera::learn
