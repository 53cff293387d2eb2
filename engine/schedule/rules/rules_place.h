// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Where each func is computed and stored: around all its readers, not between blocks, and in a
// memory that exists at that depth.
void checkPlaces(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
