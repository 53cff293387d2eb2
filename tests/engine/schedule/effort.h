// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

namespace tessera::schedule::testing {

// A rough cost of trying a schedule out. A random schedule can be legal and still run for hours.
struct Effort {
  double work = 0; // operations and loads of one run, including recomputation
  // Operations and loads in the code of the largest kernel, with inlined funcs and unrolled loops.
  double code = 0;
};
Effort effortOf(const Schedule &schedule);

} // namespace tessera::schedule::testing
