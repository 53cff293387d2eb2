// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/verify_report.h"

#include <Halide.h>

#include <string>

namespace tessera::halide {

// The rule for an output of this type; `floatsUpstream`: some float decides about its values.
schedule::ComparisonRule ruleFor(const Halide::Type &type, bool floatsUpstream);

// The error that two orders of evaluation of one formula may have: about a thousand roundings of
// float32 (1e-4) and float64 (1e-12); ten of float16 (0.01) and bfloat16 (0.05), whose sums are
// short.
double toleranceFor(const Halide::Type &type, schedule::ComparisonRule rule);

// Both of one shape and the same strides. `tolerance` as toleranceFor() unless the user wants
// another.
schedule::OutputComparison compareBuffers(const std::string &name, const Halide::Buffer<> &expected,
                                          const Halide::Buffer<> &found,
                                          schedule::ComparisonRule rule, double tolerance);

} // namespace tessera::halide
