// SPDX-License-Identifier: MIT
#pragma once

#include "tests/engine/halide/random_draw.h"

#include <Halide.h>

#include <vector>

namespace tessera::halide::testing {

// A sum of one or two loops with small factors.
Halide::Expr linearIndex(Draw &draw, const std::vector<Halide::Expr> &loops);

// The same after `depth` more operations: divisions, shifts, clamps, minima, mirrored directions.
Halide::Expr affineIndex(Draw &draw, const std::vector<Halide::Expr> &loops, int depth);

} // namespace tessera::halide::testing
