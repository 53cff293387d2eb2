// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

namespace tessera::halide {

// What the file already says about how a stage is computed, as directives that a reader of Halide
// code knows; nothing for a stage at Halide's default. Stage 0 carries what belongs to the func.
std::vector<std::string> foundDirectives(const Halide::Internal::Function &function, int stage);

} // namespace tessera::halide
