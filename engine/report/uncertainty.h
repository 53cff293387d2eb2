// SPDX-License-Identifier: MIT
#pragma once

#include "engine/report/element_layout.h"
#include "engine/report/element_rule.h"

#include <cstdint>
#include <vector>

namespace tessera::report {

// Indices of elements, in ascending order.
using Elements = std::vector<std::uint64_t>;

// By how many times its spread an element may be off. Runs on one machine that round differently
// show the order of magnitude only: a GPU has other functions, and other orders of sums.
inline constexpr double kSpread = 8;

// How sure the reference is of each element of an output: runs of it that round differently, or
// whose inputs were moved by a last bit, tell. Where such runs are far apart, rounding decides.
struct Uncertainty {
  Elements elements;           // those whose spread makes a difference: kSpread times it is more
                               // than the tolerance; all that moved, for integers
  std::vector<double> spreads; // of each of these: the largest error of such a run
  std::int64_t runs = 0;       // runs that were added; 0: nothing is known
  std::int64_t moved = 0;      // the most elements that one run changed; floats are not counted
  std::int64_t movedFar = 0;   // the most elements that one run changed by more than the tolerance

  // Adds what one run shows. `found` is this output of that run.
  void add(const std::uint8_t *expected, const std::uint8_t *found, const ElementLayout &layout,
           const ElementRule &rule);
  double spreadOf(std::uint64_t element) const; // 0 where it makes no difference
};

} // namespace tessera::report
