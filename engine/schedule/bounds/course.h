// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera::schedule {

// How the two ends of a range depend on the tile's index in Halide's expressions. A launch has as
// many threads as the largest of its blocks needs. Halide finds that number only if the tile's
// index t cancels in end - beginning, as in (8·t + 7)/4 - 8·t/4 or (x + 3)/4 - x/4. Otherwise it
// takes the greatest end and the least beginning over all tiles.
struct Course {
  enum class Ends : std::uint8_t {
    Still,    // the range is the same in every tile
    Together, // the end is the beginning plus a constant
    Cut,      // the end may be set by a guard, which the beginning does not follow
    Apart,    // Halide does not see that the end follows the beginning
  };
  Ends ends = Ends::Still;
  bool isKnown = false;   // true: the range that is tiled has a constant size
  std::uint16_t step = 0; // tiles move by multiples of this; 0: they do not move
  // Identifies the divisions that rounded an end of the range, because it was no multiple of the
  // divisor; 0: there were none. If two ranges differ in it, as x/2 and x/4·2 do, Halide does not
  // see that they are close.
  std::uint32_t rounded = 0;

  // Replaces the range by one of its tiles. Tiles begin at multiples of `every` within the range;
  // `made` tells how the ends of a tile follow its index.
  void tile(Ends made, std::int64_t every);
  void divide(std::int64_t by);
  void multiply(std::int64_t by);
  void clamp(bool isPoint);
  // Joins another range: of a second reader of a func, or of a second term of an index.
  void join(const Course &other);

  friend bool operator==(const Course &, const Course &) = default;
};

} // namespace tessera::schedule
