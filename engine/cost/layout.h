// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/shape.h"

#include <span>
#include <vector>

namespace tessera::cost {

// How the elements of an input or a func lie where it is kept.
struct Layout {
  double elementBytes = 4, tupleSize = 1;
  std::span<const double> strides; // bytes from one element to the next along each dimension
  std::span<const pipeline::Interval> box; // of all elements
};

// All elements of a func.
std::span<const pipeline::Interval> keptBox(const schedule::Schedule &schedule,
                                            const schedule::Shape &shape, pipeline::FuncId func);

// `whole`: of an input. `strides`: room that the layout refers to.
Layout layoutOf(const schedule::Schedule &schedule, const schedule::Shape &shape,
                pipeline::Producer producer, std::span<const pipeline::Interval> whole,
                std::vector<double> &strides);

} // namespace tessera::cost
