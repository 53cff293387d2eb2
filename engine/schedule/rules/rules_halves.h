// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// Checks vectors of float16 in kernels of CUDA.
void checkHalves(const RuleContext &context, const Bounds &bounds);

} // namespace tessera::schedule
