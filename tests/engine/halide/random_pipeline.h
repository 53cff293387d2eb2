// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <cstdint>

namespace tessera::halide::testing {

// A pipeline of a few funcs that read each other and an input through random index expressions:
// stencils, strides, divisions, clamps, reductions, and now and then what is not affine.
Halide::Pipeline randomPipeline(std::uint64_t seed);

} // namespace tessera::halide::testing
