// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Stages that are computed in loops of another stage that they do not read (compute_with).
void checkTogether(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
