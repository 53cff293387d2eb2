// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// What makes some of the tiles that a func inside of a kernel is computed in smaller than the
// others.
enum class Cut : std::uint8_t {
  Nothing,
  AtTheEnd, // by a guard, where tiles do not divide under the estimates
  Anywhere, // by a boundary
};

// Along an axis of a stage.
Cut cutOf(const RuleContext &context, const Bounds &bounds, pipeline::StageId stage,
          std::uint16_t axis);

// Whether it moves along with a loop around it, of a func that is in the kernel itself.
bool hasTilesInKernel(const RuleContext &context, const Bounds &bounds, pipeline::StageId stage,
                      std::uint16_t axis);

} // namespace tessera::schedule
