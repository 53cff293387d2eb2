// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera::schedule {

// What Halide knows about a range while it compiles, without any size: both its ends (Constant);
// its extent (Fixed); its extent, but not its distance from other ranges (Adrift); its extent
// except for a last tile that a guard cuts (Guarded); a number that the extent does not exceed
// (Bounded); such a number that is rarely the least (Loose); that it is the same in all blocks
// (Whole); nothing (Unknown).
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
