// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tessera::schedule {

// What Halide knows about a range at compile time, without any sizes: both ends (Constant); the
// extent (Fixed); the extent, but not the distance from other ranges (Adrift); the extent, except
// for a last tile that a guard cuts (Guarded); an upper bound of the extent (Bounded); an upper
// bound that is rarely tight (Loose); only that the range is the same in all blocks (Whole);
// nothing (Unknown).
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
Extent vaguest(std::span<const Extent> extents);

} // namespace tessera::schedule
