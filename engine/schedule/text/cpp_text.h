// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/text/text_header.h"
#include "engine/base/result.h"
#include "engine/schedule/words/directive.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tessera::schedule {

// What the text of a schedule contains: the facts in its header, and the directives.
struct WrittenSchedule {
  TextHeader header;
  std::vector<Directive> directives;

  friend bool operator==(const WrittenSchedule &, const WrittenSchedule &) = default;
};

// The C++ header in the shape of Halide's autoschedulers (`apply_schedule_NAME`), which compiles as
// it is. cpp_parser.h reads it back. Fails only where Handles::of() fails: a directive does not
// fit its signature, a func is used before it is made, or a name is too long.
Result<std::string> cppText(const TextHeader &header, std::span<const Directive> directives);

// The largest number of directives in a text, so that a short text cannot become a schedule of
// gigabytes.
inline constexpr std::size_t kMaxDirectives = 200'000;

// The comment that keeps the name of a func whose identifier differs from it: `named "f$1_in"`.
inline constexpr std::string_view kNamedMark = "named ";

} // namespace tessera::schedule
