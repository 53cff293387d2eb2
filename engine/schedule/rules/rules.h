// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// The rules beside those of the structure (rules_structure.h), which come first. Each family of
// them has a header of its own (rules_nest.h, …).

// The number of registers.
void checkSettings(const RuleContext &context);
// All other rules, of a schedule that has passed checkStructure().
void checkMeasured(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
