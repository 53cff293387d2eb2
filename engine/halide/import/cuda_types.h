// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/pipeline/pipeline.h"

#include <Halide.h>

#include <optional>

namespace tessera::halide {

// Refuses a pipeline of which Halide 21 cannot make code for CUDA: where a func computes in
// bfloat16, or converts from or to it, LLVM stops the process. Copying bfloat16 is possible.
Status checkTypesForCuda(const Halide::Pipeline &pipeline);

// Says so when the pipeline is opened, which works, as does all else but code for CUDA.
std::optional<pipeline::Remark> remarkOnCuda(const Halide::Pipeline &pipeline);

} // namespace tessera::halide
