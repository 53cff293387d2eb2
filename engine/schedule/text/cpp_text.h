// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/words/directive.h"
#include "engine/schedule/text/text_header.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tessera::schedule {

// A schedule as text carries it: what is done, and what is said about it.
struct WrittenSchedule {
  TextHeader header;
  std::vector<Directive> directives;

  friend bool operator==(const WrittenSchedule &, const WrittenSchedule &) = default;
};

// The C++ header in the shape of Halide's autoschedulers (`apply_schedule_NAME`); compiles as it
// is. cpp_parser.h reads it back. Fails only where a directive is none (problemWith), or a func is
// used before it is made.
Result<std::string> cppText(const TextHeader &header, std::span<const Directive> directives);

// What a text may hold, so that none of a few bytes becomes a schedule of gigabytes.
inline constexpr std::size_t kMaxDirectives = 200'000;

// The comment that keeps the name of a made func whose identifier is another: `named "f$1_in"`.
inline constexpr std::string_view kNamedMark = "named ";

} // namespace tessera::schedule
