// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/cpp_text.h"
#include "engine/base/result.h"

#include <string_view>

namespace tessera::schedule {

// Reads a C++ schedule: the inverse of cppText(). A schedule may be written in different ways: with
// any white space, comments and grouping, `auto`, with or without `Halide::`, `tile` and the like.
//
// It understands the body of `apply_schedule_NAME`: funcs fetched by name through any lambda or
// function of the text, Var and RVar, and the calls that are one or several directives. Anything
// else is an error such as "line 3, column 7: found 'frob'", whose hint says what would be
// understood. Time is linear in the text. There is no preprocessing and no name look-up beyond the
// text.
Result<WrittenSchedule> parseCpp(std::string_view text);

} // namespace tessera::schedule
