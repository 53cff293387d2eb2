// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <cstdint>

namespace tessera::halide::testing {

// Returns a pipeline of a few funcs over all types that Halide has: integers of 8 to 64 bits with
// and without a sign, bool, float16, float32, float64, tuples of several of them, and copies of
// bfloat16, with which Halide 21 computes nothing for CUDA. It has stencils, odd indices, sums and
// extremes in narrow and wide types, requantisation, histograms and other scatters.
//
// Every operation is defined: no sum of int32 overflows, no float becomes infinite, and none is
// converted to an integer that cannot hold it. So each schedule has to give the same outputs.
Halide::Pipeline randomPipeline(std::uint64_t seed);

// Returns what randomPipeline() drew up to f49c6810, so that seeds in older logs keep their
// meaning: funcs of int32 alone, with more index expressions.
Halide::Pipeline randomInt32Pipeline(std::uint64_t seed);

} // namespace tessera::halide::testing
