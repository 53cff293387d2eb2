// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera::schedule {

// What Halide can say about a range while it compiles, with no size known: both its ends; its
// extent; its extent, but not how far it is from other ranges; its extent but for a last tile that
// a guard cuts; a number that the extent does not exceed; a number that is rarely the least such;
// that it is the same in all blocks; or nothing.
enum class Extent : std::uint8_t {
  Constant,
  Fixed,
  Adrift,
  Guarded,
  Bounded,
  Loose,
  Whole,
  Unknown,
};
std::string_view reason(Extent extent); // why it is not constant, to follow "depends on"

} // namespace tessera::schedule
