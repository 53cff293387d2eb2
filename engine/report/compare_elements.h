// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/element_layout.h"
#include "engine/report/verify_report.h"

#include <cstdint>
#include <vector>

namespace tessera::report {

// When two outputs are equal: one answer for whoever runs a schedule, on Halide's buffers or on
// plain memory.

// The rule for an output of this type; `floatsUpstream`: some float decides about its values.
ComparisonRule ruleFor(pipeline::ScalarType type, bool floatsUpstream);

// The error that two orders of evaluation of one formula may have: about a thousand roundings of
// float32 (1e-4) and float64 (1e-12); ten of float16 (0.01) and bfloat16 (0.05), whose sums are
// short.
double toleranceFor(pipeline::ScalarType type, ComparisonRule rule);

// How an output is compared. `tolerance` as toleranceFor() unless the user wants another.
struct ElementRule {
  ComparisonRule rule = ComparisonRule::Exact;
  double tolerance = 0;
};
ElementRule elementRuleFor(pipeline::ScalarType type, ComparisonRule rule);

// Numbers of elements, rising.
using Elements = std::vector<std::uint64_t>;

// What rounding does to the elements of an output, as runs of the reference show that round
// otherwise. It decides about those that such a run has further off than the tolerance. Those that
// it has off by more than half of that it magnifies: the reference may be as far from the true
// value on the one side, and the schedule on the other.
struct RoundedElements {
  Elements undecided, magnified;

  // From one such run.
  void add(const std::uint8_t *expected, const std::uint8_t *found, const ElementLayout &layout,
           const ElementRule &rule);
};

// Both laid out alike. What differs because of rounding is counted apart: anything at the elements
// about which it decides, up to twice the tolerance at those that it magnifies.
OutputComparison compareElements(const std::uint8_t *expected, const std::uint8_t *found,
                                 const ElementLayout &layout, const ElementRule &rule,
                                 const RoundedElements &rounded = {});

// The error of each element, in the most that the rule allows: 0 where nothing differs, more than 1
// where it is further off than that.
std::vector<float> errorsOf(const std::uint8_t *expected, const std::uint8_t *found,
                            const ElementLayout &layout, const ElementRule &rule);

} // namespace tessera::report
