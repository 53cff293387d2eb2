// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/given_tolerance.h"
#include "engine/report/verify_report.h"
#include "engine/pipeline/types.h"

#include <cstdint>
#include <optional>

namespace tessera::report {

// How floats get into the values of an output.
enum class FloatInfluence : std::uint8_t {
  None,
  Decides, // a float decides which value it is, as for a bin or the label of the nearest centre:
           // one bit of it can change the value to any other
  Rounded, // a float is rounded to it: one bit of it can change the value by one
};
std::string_view name(FloatInfluence influence); // "none", "decides", "rounded"
std::optional<FloatInfluence> floatInfluenceFrom(std::string_view word);

// The rule for an output of this type. There is no "within one" of a bool.
ComparisonRule ruleFor(pipeline::ScalarType type, FloatInfluence floats);

// The largest error that the rule allows: 0 for Exact and 1 for WithinOne. For Relative, it is the
// error by which two orders of evaluation of one formula may differ. It leaves room for a thousand
// roundings or more in float32 (1e-4) and float64 (1e-12), but for ten or twenty in float16 (0.01)
// and bfloat16 (0.05), whose sums are short.
double toleranceFor(pipeline::ScalarType type, ComparisonRule rule);

// How an output is compared: toleranceFor(), unless the user wants another.
struct ElementRule {
  ComparisonRule rule = ComparisonRule::Exact;
  double tolerance = 0;
  std::optional<double> absolute = {}, share = {}; // as in GivenTolerance
};
ElementRule elementRuleFor(pipeline::ScalarType type, ComparisonRule rule,
                           const GivenTolerance &given = {});

} // namespace tessera::report
