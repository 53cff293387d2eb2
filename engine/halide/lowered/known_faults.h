// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <cstddef>

namespace tessera::halide::lowered {

// The number of bytes of which the address of a vector access is a multiple, as Halide tells LLVM
// for CUDA: at most four, but sixteen where four elements of 32 bits become one access.
std::size_t promisedAlignment(const Halide::Type &type, const Halide::Expr &index,
                              Halide::Internal::ModulusRemainder alignment);

// Whether LLVM makes wrong code of the store. A vector of float32 that is converted to float16 just
// before it is stored becomes one node of LLVM, and where its address is too little aligned, or it
// has two lanes, the bits of the float32 are stored instead. The code of Halide itself is right, so
// nothing else here can see it (tests/engine/halide/tst_halide_facts.cpp has it in ten lines).
bool losesConversion(const Halide::Internal::Store &op);

} // namespace tessera::halide::lowered
