// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::halide::lowered {

// One number: `f` for floats of every width, `i` for everything else. Numbers are normalised: an
// integer is what its type can hold (a uint64 as its bits), and a float is rounded to its type.
union Word {
  std::int64_t i;
  double f;
};

// The values of one expression in many threads at once. A thread of the machine has lanes(type)
// numbers; they follow each other. A value that is the same in a whole block, or everywhere, is
// kept once: `threads` then divides the number of threads that run, and each entry counts for as
// many neighbours (grid.h has the order).
struct Value {
  Halide::Type type;
  std::uint32_t threads = 1;
  std::vector<Word> words;
  // For each word, whether it was computed from memory that nothing has written. Empty: none was.
  std::vector<std::uint8_t> unknown;

  Value() = default;
  Value(const Halide::Type &of, std::uint32_t count)
      : type(of), threads(count), words(count * static_cast<std::size_t>(of.lanes())) {}

  static Value ofInteger(const Halide::Type &type, std::int64_t value);
  static Value ofFloat(const Halide::Type &type, double value);

  std::size_t lanes() const { return static_cast<std::size_t>(type.lanes()); }
  bool isUnknown(std::size_t word) const { return !unknown.empty() && unknown[word] != 0; }
};
using ValuePtr = std::shared_ptr<const Value>;

// What a type makes of a result: integers wrap around, floats are rounded to nearest, ties to even.
std::int64_t wrapped(const Halide::Type &type, std::int64_t value);
double rounded(const Halide::Type &type, double value);

// Elements in memory, without gaps.
Word decoded(const Halide::Type &type, const std::uint8_t *bytes);
void encode(const Halide::Type &type, Word word, std::uint8_t *bytes);

// The same value with an entry for each of `threads`.
ValuePtr spread(const ValuePtr &value, std::uint32_t threads);

} // namespace tessera::halide::lowered
