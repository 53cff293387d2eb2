// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/schedule.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

// How the elements of an input or a func are laid out in memory.
struct Layout {
  double elementBytes = 4, tupleSize = 1;
  std::span<const double> strides; // bytes from one element to the next along each dimension
  std::span<const pipeline::Interval> box; // of all stored elements
  // A bit for each dimension whose stride is known only at launch. Each position along such a
  // dimension needs an address of its own.
  std::uint32_t rows = 0;

  bool isRow(std::size_t dim) const { return dim < 32 && (rows >> dim & 1) != 0; }
  // The number of rows that lie in a box.
  double rowsOf(std::span<const pipeline::Interval> of) const;
};

// Layout::rows for a func stored in a block. A stride is a compile-time constant if Halide knows
// the extents of all dimensions before it.
std::uint32_t rowsInBlock(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                          pipeline::FuncId func);

// The box of all stored elements of a func.
std::span<const pipeline::Interval> keptBox(const schedule::Schedule &schedule,
                                            const schedule::Bounds &bounds, pipeline::FuncId func);

// The number of elements that are allocated along each dimension, with the padding that the
// schedule decided on.
std::int64_t allocatedAlong(const schedule::FuncPlan &plan, std::size_t dim,
                            const pipeline::Interval &kept);

// The number of elements that are allocated for a func, the padding included.
std::int64_t allocatedElements(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                               pipeline::FuncId func);

// `whole` is the box of an input. `strides` holds the memory that the layout's view points into.
Layout layoutOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                pipeline::Producer producer, bool isGlobal,
                std::span<const pipeline::Interval> whole, std::vector<double> &strides);

} // namespace tessera::cost
