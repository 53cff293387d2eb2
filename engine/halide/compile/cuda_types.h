// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

namespace tessera::halide {

// Refuses a pipeline of which Halide 21 cannot make code for CUDA: where a func computes in
// bfloat16, or converts from or to it, LLVM stops the process. Copying bfloat16 is possible.
Status checkTypesForCuda(const Halide::Pipeline &pipeline);

} // namespace tessera::halide
