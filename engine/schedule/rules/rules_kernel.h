// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"
#include "engine/schedule/bounds/kept_storage.h"

namespace tessera::schedule {

// Checks the threads, the grid and the memory of every kernel.
void checkKernels(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept);

} // namespace tessera::schedule
