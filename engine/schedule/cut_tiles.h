// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules.h"

namespace tessera::schedule {

// Whether the last of the tiles that a func inside of a kernel is computed in is smaller than the
// others along an axis of one of its stages: a boundary may lie anywhere, and a guard cuts what its
// tiles do not divide under the estimates.
bool mayBeCut(const RuleContext &context, const Shape &shape, pipeline::StageId stage,
              std::uint16_t axis);

} // namespace tessera::schedule
