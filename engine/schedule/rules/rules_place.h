// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Where each func is computed and stored: around all that read it, not between blocks, and in a
// memory that there is at that depth.
void checkPlaces(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
