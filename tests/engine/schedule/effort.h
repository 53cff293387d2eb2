// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

namespace tessera::schedule::testing {

// What trying a schedule out costs, roughly: a random one can be legal and still take hours.
struct Effort {
  double work = 0; // operations and loads of one run, what is computed again counted again
  double code = 0; // those of the largest kernel's text, with inlined funcs and unrolled loops
};
Effort effortOf(const Schedule &schedule);

} // namespace tessera::schedule::testing
