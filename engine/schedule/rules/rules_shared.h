// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/kept_storage.h"
#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Checks that Halide does not overwrite shared memory that a loop reads again.
void checkShared(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept);

} // namespace tessera::schedule
