// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"

#include <span>
#include <vector>

namespace tessera::cost {

// What a thread has to keep of each source while it runs a straight-line body. The compiler orders
// the points of the body as it likes, so they are taken one row after the other, along the loop
// where rows share least; what a row shares with the next has to wait for it.
//
//   f(x, y+r) for r in 0..2, a body of 1 × 8 points: of the 10 elements, 2 at a time
//
// The same goes for what is inlined, where the rows are those of its own box.
//
// Values that are only passed on, one for one, to inlined funcs that are kept wait for nobody.
class LiveValues {
public:
  // `counts` of the body stay where they are.
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
  std::vector<double> m_kept, m_along, m_least;                  // by source
  std::vector<pipeline::Interval> m_over, m_row, m_here, m_next; // m_row: of what is kept
};

} // namespace tessera::cost
