// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/text_header.h"
#include "engine/base/result.h"
#include "engine/schedule/directives/lasting_names.h"
#include "engine/schedule/words/directive.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::schedule {

// What the text of a schedule contains: the facts in its header, the directives with names that are
// the same in every build, and how it finds funcs and loops that have no name for them alone.
struct WrittenSchedule {
  TextHeader header;
  std::vector<Directive> directives;
  FoundNames names;

  friend bool operator==(const WrittenSchedule &, const WrittenSchedule &) = default;
};

// The C++ header in the shape of Halide's autoschedulers (`apply_schedule_NAME`), which compiles as
// it is. cpp_parser.h reads it back. Fails only where Handles::of() fails: a directive does not
// fit its signature, a func is used before it is made, or a name is too long.
Result<std::string> cppText(const WrittenSchedule &written);

// The largest number of directives in a text, so that a short text cannot become a schedule of
// gigabytes.
inline constexpr std::size_t kMaxDirectives = 200'000;

// The comment that keeps the name of a func or loop whose identifier differs from it:
// `named "f$1_in"`.
inline constexpr std::string_view kNamedMark = "named ";

} // namespace tessera::schedule
