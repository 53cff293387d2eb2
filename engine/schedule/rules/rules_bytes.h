// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Checks vectors of bytes in kernels of CUDA.
void checkBytes(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
