// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// All rules except those of the structure (rules_structure.h), which come first. Each family of
// rules has a header of its own (rules_nest.h, …).

// Checks the register cap.
void checkSettings(const RuleContext &context);
// Checks all other rules, for a schedule that has passed checkStructure().
void checkMeasured(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
