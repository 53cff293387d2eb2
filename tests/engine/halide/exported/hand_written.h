// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace tessera::halide::testing {

// Schedules of samples as sketches (tests/engine/schedule/sketch.h), for features that no default
// schedule has: wrappers, clones, rfactor, levels of updates, compute_with, odd names.
struct HandWritten {
  std::string_view name, sample, directives;
  std::string_view promises = {}; // one sentence per line
};

std::span<const HandWritten> handWritten();

} // namespace tessera::halide::testing
