// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/kept_storage.h"
#include "engine/schedule/rule_context.h"

namespace tessera::schedule {

// Threads, grid and memory of every kernel.
void checkKernels(const RuleContext &context, const Shape &shape, const KeptStorage &kept);

} // namespace tessera::schedule
