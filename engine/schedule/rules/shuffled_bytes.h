// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <cstdint>
#include <functional>
#include <span>

namespace tessera::schedule {

// A vectorised loop, with the copies of it that unrolled loops of the same dimension make inside of
// it: their elements lie between those of one another.
struct ByteVector {
  std::span<const std::uint16_t> loops; // that move along the vector
  std::int64_t lanes = 1;
  std::int64_t copies = 1;
  bool isSpread = false;  // a serial loop of the same dimension is inside of it
  bool isGuarded = false; // a guard of the tail may cut it
};

// Whether LLVM 21 fails at a vector of bytes with "Illegal bit extraction": it permutes four bytes
// at once for CUDA, and asks which bits of them are known (llvm/llvm-project, pull requests 148261
// and 150104). So it does where the stage computes with bytes that it takes out of order (an
// element is repeated, as in f(x/2), the vector runs backwards, as in f(-x), or is spread), or
// stores bytes that it has loaded between those of copies. Conversions and comparisons of such
// bytes compile. What fails was found by trying (tests/engine/halide/tst_halide_facts.cpp): where
// nothing is computed with the bytes, copies do harm only if they make up eight bytes, and where
// none is loaded, only if there are six bytes or more, or five to seven a vector where a guard
// takes the vectors apart. The rules ask it about a schedule, and searches before they make a
// vector.
bool shufflesBytes(const pipeline::Pipeline &pipeline, pipeline::StageId stage,
                   const ByteVector &vector, const std::function<bool(pipeline::FuncId)> &isInline);

} // namespace tessera::schedule
