// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/element_layout.h"
#include "engine/report/verify_report.h"

#include <cstdint>
#include <vector>

namespace tessera::report {

// Decides whether two outputs are equal. Every program that runs schedules uses these functions,
// whether its outputs are Halide's buffers or plain memory.

// The rule for an output of this type. `floatsUpstream`: whether some float influences the values
// of the output.
ComparisonRule ruleFor(pipeline::ScalarType type, bool floatsUpstream);

// The largest error that the rule allows: 0 for Exact and 1 for WithinOne. For Relative, it is the
// error by which two orders of evaluation of one formula may differ. It leaves room for a thousand
// roundings or more in float32 (1e-4) and float64 (1e-12), but for ten or twenty in float16 (0.01)
// and bfloat16 (0.05), whose sums are short.
double toleranceFor(pipeline::ScalarType type, ComparisonRule rule);

// How an output is compared. `tolerance` is toleranceFor() unless the user wants another.
struct ElementRule {
  ComparisonRule rule = ComparisonRule::Exact;
  double tolerance = 0;
};
ElementRule elementRuleFor(pipeline::ScalarType type, ComparisonRule rule);

// Indices of elements, in ascending order.
using Elements = std::vector<std::uint64_t>;

// The elements of an output that depend on rounding, as found by runs of the reference that round
// differently. `undecided`: such a run is off by more than the tolerance, so rounding decides about
// the value. `magnified`: such a run is off by more than half the tolerance. There, the reference
// and the schedule may lie on opposite sides of the true value, which doubles the difference.
struct RoundedElements {
  Elements undecided, magnified;

  // Adds the elements of both kinds that one such run shows. `found` is an output of that run.
  void add(const std::uint8_t *expected, const std::uint8_t *found, const ElementLayout &layout,
           const ElementRule &rule);
};

// Both outputs have the same layout. Errors above the tolerance that come from rounding are counted
// separately: all of them at undecided elements, and those of up to twice the tolerance at
// magnified elements.
OutputComparison compareElements(const std::uint8_t *expected, const std::uint8_t *found,
                                 const ElementLayout &layout, const ElementRule &rule,
                                 const RoundedElements &rounded = {});

// The error of each element, as a multiple of what the rule allows: 0 where nothing differs, more
// than 1 where the error is too large.
std::vector<float> errorsOf(const std::uint8_t *expected, const std::uint8_t *found,
                            const ElementLayout &layout, const ElementRule &rule);

} // namespace tessera::report
