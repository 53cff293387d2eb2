// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"
#include "engine/schedule/verify_report.h"

#include <cstdint>
#include <span>

namespace tessera::bench {

// The rule for an output of this type, and the error that two orders of evaluation may have under
// it: those of `verify` (engine/halide/compare.h).
schedule::ComparisonRule ruleFor(pipeline::ScalarType type, bool floatsDecideIntegers);
double toleranceFor(pipeline::ScalarType type, schedule::ComparisonRule rule);

// Both without gaps, the first dimension fastest, of the region's size.
schedule::OutputComparison compareElements(std::span<const std::uint8_t> expected,
                                           std::span<const std::uint8_t> found,
                                           pipeline::ScalarType type, const pipeline::Box &region,
                                           schedule::ComparisonRule rule);

} // namespace tessera::bench
