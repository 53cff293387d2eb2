// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace tessera::report {

// What the user allows instead of the tolerances that follow from the types of the outputs. It is
// kept in every report that it was used for, since such a verdict says less.
struct GivenTolerance {
  std::optional<double> relative = {}; // of the value, for floats
  std::optional<double> absolute = {}; // for numbers of every type
  std::optional<double> share = {}; // of the elements that may be further off, or undecided: 0 to 1

  bool isNothing() const { return !relative && !absolute && !share; }
  friend bool operator==(const GivenTolerance &, const GivenTolerance &) = default;
};

// "rel=0.001,abs=1,share=0.01": any of the three, in any order, each at most once.
std::string textOf(const GivenTolerance &tolerance);
Result<GivenTolerance> givenToleranceFrom(std::string_view text);

} // namespace tessera::report
