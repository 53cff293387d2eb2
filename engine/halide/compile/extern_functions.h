// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <Halide.h>

#include <cstdint>

namespace tessera::halide {

// Who runs a pipeline: this process, or the library of a bundle, which has no functions of others.
enum class RunBy : std::uint8_t { Process, Bundle };

// Fails unless the functions that compute the pipeline's extern stages are there. Halide would end
// the process at the first one that is missing.
Status checkExternFunctions(const Halide::Pipeline &pipeline, RunBy by);

// Whether the function of an extern stage gets the caller's context, which only code for
// Target::UserContext has.
bool getsUserContext(const Halide::Pipeline &pipeline);

} // namespace tessera::halide
