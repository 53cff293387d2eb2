// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Whether a schedule can be measured at all: what it names exists, nests are whole, and factors
// divide one another.
void checkStructure(const RuleContext &context);

} // namespace tessera::schedule
