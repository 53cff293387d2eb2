// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <cstdint>
#include <functional>
#include <span>

namespace tessera::schedule {

// Whether a vector along some loops of a stage computes with bytes that it takes out of order: an
// element is repeated, as in f(x/2), or the vector runs backwards, as in f(-x). LLVM 21 permutes
// four bytes at once for CUDA, and where it then asks which of their bits are known it fails with
// "Illegal bit extraction" (llvm/llvm-project, pull requests 148261 and 150104), as
// tests/engine/halide/tst_halide_facts.cpp shows. Conversions and comparisons of such bytes
// compile. The rules ask it about a schedule, and searches before they make a vector.
bool shufflesBytes(const pipeline::Pipeline &pipeline, pipeline::StageId stage,
                   std::span<const std::uint16_t> loops,
                   const std::function<bool(pipeline::FuncId)> &isInline);

} // namespace tessera::schedule
