// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Checks the loops of each stage: their kinds and order, what is unrolled and vectorised, and what
// tails compute beyond the end.
void checkNests(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
