// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"
#include "engine/schedule/bounds/kept_storage.h"

namespace tessera::schedule {

// The sizes that a schedule states itself: bounds of storage, and promises about regions.
void checkSizes(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept);

} // namespace tessera::schedule
