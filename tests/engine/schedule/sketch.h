// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/words/directive.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::schedule {

// Directives for tests, readable at a glance; a line is a stage, calls are separated by bars:
//
//   output    split x xo xi 32 auto | gpu_blocks xo | gpu_threads xi
//   gray      compute_at output:xo | store_in shared
//   hist.1    rfactor ~r$y u -> part        an update; ~ marks a reduction loop
//   part      compute_at hist.1:~r$x
//
// Words are those of JSON. A line that cannot be read ends the program.
std::vector<Directive> sketch(std::string_view text);

// The inverse, a line for each run of calls on one stage.
std::string sketchText(std::span<const Directive> directives);

} // namespace tessera::schedule
