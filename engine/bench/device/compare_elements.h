// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"
#include "engine/schedule/verify_report.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::bench {

// The rule for an output of this type, and the error that two orders of evaluation may have under
// it: those of `verify` (engine/halide/compare.h).
schedule::ComparisonRule ruleFor(pipeline::ScalarType type, bool floatsDecideIntegers);
double toleranceFor(pipeline::ScalarType type, schedule::ComparisonRule rule);

// Numbers of elements, rising.
using Elements = std::vector<std::uint64_t>;

// Both without gaps, the first dimension fastest, of the region's size. What differs at the
// elements that rounding decides about is counted apart.
schedule::OutputComparison compareElements(std::span<const std::uint8_t> expected,
                                           std::span<const std::uint8_t> found,
                                           pipeline::ScalarType type, const pipeline::Box &region,
                                           schedule::ComparisonRule rule,
                                           const Elements &undecided = {});

// Those that are further off than the rule's tolerance.
Elements elementsBeyond(std::span<const std::uint8_t> expected, std::span<const std::uint8_t> found,
                        pipeline::ScalarType type, schedule::ComparisonRule rule);

} // namespace tessera::bench
