// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera::schedule {

// How a range moves from tile to tile, by the expressions that Halide has for its two ends. A
// launch has as many threads as any of its blocks may want. To find that number, Halide only
// cancels the tile's number in end - beginning: (8·t + 7)/4 - 8·t/4, (x + 3)/4 - x/4. Where it
// cannot, it takes the greatest end and the least beginning of all tiles.
struct Course {
  enum class Ends : std::uint8_t {
    Still,    // the range is the same in every tile
    Together, // the end is the beginning plus a constant
    Cut,      // the end may be set by a guard, which the beginning does not follow
    Apart,    // Halide does not see that the end follows the beginning
  };
  Ends ends = Ends::Still;
  bool isKnown = false;   // the tiled range has a constant size
  std::uint16_t step = 0; // tiles begin at multiples of it, from the first on; 0: do not move
  // Identifies the divisions that have rounded the range where it was not at a multiple; 0: none.
  // Where two ranges differ in it, Halide does not see that they are close, such as x/2 and x/4·2.
  std::uint32_t rounded = 0;

  // Takes one tile of the range. Tiles begin at multiples of `every` in it.
  void tile(Ends made, std::int64_t every);
  void divide(std::int64_t by);
  void multiply(std::int64_t by);
  void clamp(bool isPoint);
  // Joins another range: of a second reader of a func, or of a second term of an index.
  void join(const Course &other);

  friend bool operator==(const Course &, const Course &) = default;
};

} // namespace tessera::schedule
