// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

namespace tessera::schedule {

// What makes some tiles of a func inside of a kernel smaller than the others.
enum class Cut : std::uint8_t {
  Nothing,
  // A guard at the end of the axis, because the tile size does not divide the estimated extent.
  AtTheEnd,
  Anywhere, // a boundary condition, a division, or an index that Halide cannot bound
};

// What cuts the tiles along an axis of a stage.
Cut cutOf(const RuleContext &context, const Bounds &bounds, pipeline::StageId stage,
          std::uint16_t axis);

// Whether the range of an axis depends on a loop around its stage. Only loops of funcs inside of
// the kernel count, not those of the kernel's root func.
bool hasTilesInKernel(const RuleContext &context, const Bounds &bounds, pipeline::StageId stage,
                      std::uint16_t axis);

} // namespace tessera::schedule
