// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

namespace tessera::halide {

// Calls the functions of extern stages that have a C++ name ("space::function", by their own choice
// or by the target's) by the symbol that a compiler gives them. The types of all arguments are part
// of the symbol, and a file has nothing but "pointer" for those of pointers, so this is done where
// the generator runs. From then on such a function is called like one of C.
void useExternSymbols(const Halide::Pipeline &pipeline, const Halide::Target &target);

} // namespace tessera::halide
