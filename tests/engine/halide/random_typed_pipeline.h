// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <cstdint>

namespace tessera::halide::testing {

// Returns a pipeline of a few funcs over all types that Halide has: integers of 8 to 64 bits with
// and without a sign, bool, float16, bfloat16, float32, float64, and tuples of several of them. It
// has stencils, reductions, running minima, comparisons, and fixed-point arithmetic that widens,
// rounds and saturates.
//
// Every operation is defined: no sum of int32 overflows, no float becomes infinite, and none is
// converted to an integer that cannot hold it. So each schedule has to give the same outputs.
Halide::Pipeline randomTypedPipeline(std::uint64_t seed);

} // namespace tessera::halide::testing
