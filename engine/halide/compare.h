// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/verify_report.h"

#include <Halide.h>

#include <string>
#include <vector>

namespace tessera::halide {

// The rule for an output of this type; `floatsUpstream`: some float decides about its values.
schedule::ComparisonRule ruleFor(const Halide::Type &type, bool floatsUpstream);

// The error that two orders of evaluation of one formula may have: about a thousand roundings of
// float32 (1e-4) and float64 (1e-12); ten of float16 (0.01) and bfloat16 (0.05), whose sums are
// short.
double toleranceFor(const Halide::Type &type, schedule::ComparisonRule rule);

// How an output is compared. `tolerance` as toleranceFor() unless the user wants another.
struct Comparison {
  schedule::ComparisonRule rule = schedule::ComparisonRule::Exact;
  double tolerance = 0;
};

// Elements of a buffer, in the order of forEachElement; empty: none.
using Elements = std::vector<bool>;

// Both of one shape and the same strides. What differs at the elements that rounding decides about
// (rounding.h) is counted apart.
schedule::OutputComparison compareBuffers(const std::string &name, const Halide::Buffer<> &expected,
                                          const Halide::Buffer<> &found,
                                          const Comparison &comparison,
                                          const Elements &undecided = {});

// Adds those that are further off than the tolerance.
void addBeyond(const Halide::Buffer<> &expected, const Halide::Buffer<> &found,
               const Comparison &comparison, Elements &beyond);

} // namespace tessera::halide
