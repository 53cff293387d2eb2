// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <cstdint>

namespace tessera::halide::testing {

// Returns a pipeline of a few funcs that read each other and an input through random index
// expressions: stencils, strides, divisions, clamps, reductions, and sometimes non-affine indices.
Halide::Pipeline randomPipeline(std::uint64_t seed);

} // namespace tessera::halide::testing
