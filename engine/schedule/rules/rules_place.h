// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Checks where each func is computed and stored: around all its readers, not between block loops,
// and in a kind of memory that exists there.
void checkPlaces(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
