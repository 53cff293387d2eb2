// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

namespace tessera::halide::lowered {

// The scheduled pipeline as Halide lowers it for the target, just before the device code is split
// off: kernels are loops over blocks and threads. No code is made of it, which takes most of the
// time of compiling, and stops the process for bfloat16 on CUDA. Passes on what Halide throws.
Halide::Internal::Stmt lower(Halide::Pipeline &pipeline, const Halide::Target &target);

} // namespace tessera::halide::lowered
