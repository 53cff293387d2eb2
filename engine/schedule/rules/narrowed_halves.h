// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <functional>

namespace tessera::schedule {

// Whether a stage may store a float16 that was converted from float32 last of all, by itself or in
// a func that is inlined into it. Halide 21 makes wrong code for CUDA of a vector of such values:
// LLVM stores the bits of the float32 (tests/engine/halide/tst_halide_facts.cpp). Conversions from
// float64 and from integers are right. What comes last is not known here, so a stage that converts
// first and then computes in float16 counts, too.
// The rules ask it about a schedule, and searches before they make a vector.
bool mayStoreNarrowed(const pipeline::Pipeline &pipeline, pipeline::StageId stage,
                      const std::function<bool(pipeline::FuncId)> &isInline);

} // namespace tessera::schedule
