// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/shape.h"

#include <vector>

namespace tessera::cost {

// How the elements of an input or a func lie where it is kept.
struct Layout {
  double elementBytes = 4, tupleSize = 1;
  std::vector<double> strides;         // bytes from one element to the next along each dimension
  std::vector<pipeline::Interval> box; // of all elements
};

Layout layoutOf(const schedule::Schedule &schedule, const schedule::Shape &shape,
                pipeline::Producer producer);

} // namespace tessera::cost
