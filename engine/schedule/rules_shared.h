// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/kept_storage.h"
#include "engine/schedule/rule_context.h"

namespace tessera::schedule {

// What Halide does with shared memory over time.
void checkShared(const RuleContext &context, const Shape &shape, const KeptStorage &kept);

} // namespace tessera::schedule
