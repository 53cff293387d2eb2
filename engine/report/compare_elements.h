// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/element_layout.h"
#include "engine/report/element_rule.h"
#include "engine/report/uncertainty.h"
#include "engine/report/verify_report.h"

#include <cstdint>
#include <vector>

namespace tessera::report {

// Decides whether two outputs are equal. Every program that runs schedules uses these functions,
// whether its outputs are Halide's buffers or plain memory.

// Both outputs have the same layout. Elements beyond the tolerance are excused where the reference
// itself is that uncertain: they count as magnified or undecided (verify_report.h).
OutputComparison compareElements(const std::uint8_t *expected, const std::uint8_t *found,
                                 const ElementLayout &layout, const ElementRule &rule,
                                 const Uncertainty &uncertainty = {});

// The error of each element, as a multiple of what the rule allows: 0 where nothing differs, more
// than 1 where the error is too large.
std::vector<float> errorsOf(const std::uint8_t *expected, const std::uint8_t *found,
                            const ElementLayout &layout, const ElementRule &rule);

} // namespace tessera::report
