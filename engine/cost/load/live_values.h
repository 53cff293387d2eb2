// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"

#include <span>
#include <vector>

namespace tessera::cost {

// The values of each source that a thread has to keep while it runs a straight-line body. The
// compiler orders the points of the body freely. So the points are assumed to run row by row along
// the loop where successive rows share least. What a row shares with the next row has to be kept.
//
//   f(x, y+r) for r in 0..2, a body of 1 × 8 points: 2 of the 10 elements are kept at a time
//
// The values of inlined funcs are counted in the same way, with the rows of their own box.
//
// A source is not kept if only inlined funcs read it and each of their elements takes one element
// of it: the values of these funcs are kept instead.
class LiveValues {
public:
  // `counts` are those of the body. They are referred to and not copied.
  void look(const Run &run, std::span<const pipeline::Interval> body,
            std::span<const Reads::Count> counts);

  double of(std::size_t source) const { return m_kept[source]; }

private:
  void keepAlong(const FlatLoop &loop, std::span<const pipeline::Interval> body);
  void keepOfInlined(std::size_t reader);
  void share(const std::vector<pipeline::Interval> &here,
             const std::vector<pipeline::Interval> &next);

  const Run *m_run = nullptr;
  std::span<const Reads::Count> m_counts;
  std::vector<double> m_kept, m_along, m_least;                  // indexed by source
  std::vector<pipeline::Interval> m_over, m_row, m_here, m_next; // m_row: boxes of one row
};

} // namespace tessera::cost
