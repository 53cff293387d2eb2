// SPDX-License-Identifier: MIT
#pragma once

#include "tests/engine/schedule/random_schedule.h"

#include <cstddef>
#include <string>

namespace tessera::schedule::testing {

// Returns the sketch of a pipeline with `funcs` funcs: stencils, strides, boundary conditions,
// reductions, scans. Each func reads the one before, and some read others too.
std::string randomSketch(Random &random, std::size_t funcs);

} // namespace tessera::schedule::testing
