// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tessera::schedule {

// Checks that the sizes that opaque directives name are those of the pipeline, and that their funcs
// have loops. All else that they do, Halide alone knows.
void checkOpaque(const RuleContext &context);

// The bounds of a func that are expressions, by dimension, as they are under the estimates. Those
// that depend on what has no estimate are left out.
std::vector<std::pair<std::size_t, RegionBound>> boundsUnderEstimates(const RuleContext &context,
                                                                      pipeline::FuncId func);

} // namespace tessera::schedule
