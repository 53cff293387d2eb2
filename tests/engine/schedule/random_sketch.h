// SPDX-License-Identifier: MIT
#pragma once

#include "tests/engine/schedule/random_schedule.h"

#include <cstddef>
#include <string>

namespace tessera::schedule::testing {

// The sketch of a pipeline with so many funcs: stencils, strides, boundary conditions, reductions,
// scans. Each func reads the one before, some read others too.
std::string randomSketch(Random &random, std::size_t funcs);

} // namespace tessera::schedule::testing
