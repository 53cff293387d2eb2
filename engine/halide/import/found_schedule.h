// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/directives/found_calls.h"

#include <Halide.h>

#include <string>
#include <vector>

namespace tessera::halide {

// The scheduling calls that the file already contains for a stage; none if the stage has Halide's
// default schedule. The calls of stage 0 include those of the func as a whole.
schedule::FoundCalls foundStage(const Halide::Internal::Function &function, int stage);

// The scheduling calls of all funcs of a pipeline, including Halide's handles of the inputs, in an
// order in which a program can repeat the calls.
schedule::FoundCalls foundSchedule(const Halide::Pipeline &pipeline);

// The result of foundStage() as text that a reader of Halide code understands.
std::vector<std::string> foundDirectives(const Halide::Internal::Function &function, int stage);

} // namespace tessera::halide
