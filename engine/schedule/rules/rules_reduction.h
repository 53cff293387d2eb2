// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Checks which iterations of a reduction run concurrently, and in which order they run.
void checkReductions(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
