// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/words/directive.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::schedule {

// Reads directives for tests, in a short notation. Each line is a stage, and bars separate the
// calls:
//
//   output    split x xo xi 32 auto | gpu_blocks xo | gpu_threads xi
//   gray      compute_at output:xo | store_in shared
//   hist.1    rfactor ~r$y u -> part        an update; ~ marks a reduction loop
//   part      compute_at hist.1:~r$x
//   output    bound x 0 in.extent.0/2*2     sizes and texts are written without spaces
//   output    specialize in.extent.0>8
//   output@0  unroll x                      of that variant; @0.1 is a variant within it
//
// The words are those of the JSON format. A line that cannot be read ends the program.
std::vector<Directive> sketch(std::string_view text);

// The inverse of sketch(). A run of calls on one stage becomes one line.
std::string sketchText(std::span<const Directive> directives);

} // namespace tessera::schedule
