// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// The steps of a reduction: which of them may run at once, and in which order.
void checkReductions(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
