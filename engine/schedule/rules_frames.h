// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/kept_storage.h"
#include "engine/schedule/rule_context.h"

namespace tessera::schedule {

// What threads keep beside vectors.
void checkFrames(const RuleContext &context, const Shape &shape, const KeptStorage &kept);

} // namespace tessera::schedule
