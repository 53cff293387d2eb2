// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/text/text_header.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::report {

// A promise as a sentence in the header of a text, in Halide's words:
//
//   input.dim(1).min == 0 && input.dim(1).stride == 2560 && input.host_alignment == 16
//
// and back. Of a promise about alignment alone the dimension is not told, since it means none; one
// that says nothing is "". Characters of a name that the sentence itself uses become \xHH.
std::string textOf(const Promise &promise);
Result<Promise> promiseFromText(std::string_view text);

// Those of a header that say what Halide understands; others are for people.
std::vector<Promise> promisesOf(const TextHeader &header);

// Calls of Halide's Parameter, as they are in C++ and in Python: set_min_constraint(1, 0)
std::vector<std::string> halideCalls(const Promise &promise);

} // namespace tessera::report
