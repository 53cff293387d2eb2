// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/kept_storage.h"
#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Checks the threads, the grid and the memory of every kernel.
void checkKernels(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept);

} // namespace tessera::schedule
