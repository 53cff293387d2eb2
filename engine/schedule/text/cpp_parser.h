// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/text/cpp_text.h"

#include <string_view>

namespace tessera::schedule {

// Reads a C++ schedule: the inverse of cppText(), and tolerant about how people write the same:
// white space, comments, grouping, `auto`, with or without `Halide::`, `tile` and its like.
//
// What it understands is the body of `apply_schedule_NAME`: funcs fetched by name through any
// lambda or function of the text, Var and RVar, and the calls that are directives or sums of them.
// Anything else is an error: "line 3, column 7: found 'frob'", with what would be understood as its
// hint. Time is linear in the text; there is no preprocessing and no name look-up beyond the text.
Result<WrittenSchedule> parseCpp(std::string_view text);

} // namespace tessera::schedule
