// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"
#include "engine/schedule/bounds/kept_storage.h"

namespace tessera::schedule {

// Checks the alignment of funcs that are stored per thread, in kernels with vectors.
void checkFrames(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept);

} // namespace tessera::schedule
