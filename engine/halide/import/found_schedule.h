// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/directives/found_calls.h"

#include <Halide.h>

#include <string>
#include <vector>

namespace tessera::halide {

// What the file already says about how a stage is computed; nothing for a stage at Halide's
// default. Stage 0 carries what belongs to the func.
schedule::FoundCalls foundStage(const Halide::Internal::Function &function, int stage);

// Of all funcs of a pipeline, the handles of inputs included, in an order that a program can
// repeat.
schedule::FoundCalls foundSchedule(const Halide::Pipeline &pipeline);

// One stage's as text that a reader of Halide code knows.
std::vector<std::string> foundDirectives(const Halide::Internal::Function &function, int stage);

} // namespace tessera::halide
