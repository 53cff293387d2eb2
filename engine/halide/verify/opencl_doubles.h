// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

namespace tessera::halide {

// Halide 21 writes constants of double into code for OpenCL as float32, so that 1.6 has an error of
// 2e-8. This lets the pipeline's code have all 64 bits of them, as integers that are reinterpreted.
void keepDoubles(Halide::Pipeline &pipeline);

} // namespace tessera::halide
