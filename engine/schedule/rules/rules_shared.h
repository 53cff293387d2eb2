// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"
#include "engine/schedule/bounds/kept_storage.h"

namespace tessera::schedule {

// Checks that Halide does not overwrite shared memory that a loop reads again.
void checkShared(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept);

} // namespace tessera::schedule
