// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/bounds/bounds.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

// How the elements of an input or a func lie where it is kept.
struct Layout {
  double elementBytes = 4, tupleSize = 1;
  std::span<const double> strides; // bytes from one element to the next along each dimension
  std::span<const pipeline::Interval> box; // of all elements
  // The bit of each dimension whose neighbours are as far apart as is known at the launch only, so
  // that each has an address of its own.
  std::uint32_t rows = 0;

  bool isRow(std::size_t dim) const { return dim < 32 && (rows >> dim & 1) != 0; }
  // That lie in a box.
  double rowsOf(std::span<const pipeline::Interval> of) const;
};

// Of what a block keeps: distances are numbers to a compiler as far as Halide knows the sides.
std::uint32_t rowsInBlock(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                          pipeline::FuncId func);

// All elements of a func.
std::span<const pipeline::Interval> keptBox(const schedule::Schedule &schedule,
                                            const schedule::Bounds &bounds, pipeline::FuncId func);

// `whole`: of an input. `strides`: room that the layout refers to.
Layout layoutOf(const schedule::Schedule &schedule, const schedule::Bounds &bounds,
                pipeline::Producer producer, bool isGlobal,
                std::span<const pipeline::Interval> whole, std::vector<double> &strides);

} // namespace tessera::cost
