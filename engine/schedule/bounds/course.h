// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace tessera::schedule {

// How a range goes along from tile to tile, by what Halide writes down of its two ends. A launch
// has as many threads as any of its blocks may want, and all that Halide does to find that is
// cancel the tile's number in end - beginning: (8·t + 7)/4 - 8·t/4, (x + 3)/4 - x/4. Where it
// cannot, it takes the greatest end and the least beginning of all tiles.
struct Course {
  enum class Ends : std::uint8_t {
    Still,    // it lies where it lies, whatever the tile
    Together, // the end is the beginning and a number
    Cut,      // the end may be where a guard is, which the beginning does not follow
    Apart,    // Halide does not see that one follows the other
  };
  Ends ends = Ends::Still;
  bool isKnown = false;   // tiles of what has a constant size
  std::uint16_t step = 0; // tiles begin at multiples of it, counted from the first; 0: do not move
  // How it was rounded by divisions that no such multiple meets: where that differs, Halide does
  // not see that two are close, such as x/2 and x/4·2. 0: not at all.
  std::uint32_t rounded = 0;

  // One tile of it; they begin at multiples of `every` in it.
  void tile(Ends made, std::int64_t every);
  void divide(std::int64_t by);
  void multiply(std::int64_t by);
  void clamp(bool isPoint);
  // With another: of what a func is read by, or of what an index is the sum of.
  void join(const Course &other);

  friend bool operator==(const Course &, const Course &) = default;
};

} // namespace tessera::schedule
