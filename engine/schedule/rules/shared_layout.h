// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/kept_storage.h"

#include <cstdint>
#include <vector>

namespace tessera::schedule {

// How the funcs that a block keeps share memory, as Halide 21 lays them out (its
// FuseGPUThreadLoops). Halide goes through the text of a kernel once, and gives a func the place of
// another one that was read for the last time before. It does not see that a loop reads a func
// again, so rules_shared.cpp has to look for that.
class SharedLayout {
public:
  // `kernel` is a stage on the host; the layout includes all that is computed in its loops.
  SharedLayout(const Schedule &schedule, const Bounds &bounds, const KeptStorage &kept,
               pipeline::StageId kernel);

  std::int64_t bytes() const { return m_bytes; }
  // Whether two funcs share a place, with or without the last copies of unrolled loops that a guard
  // cuts. Where Halide sees that these never run, other funcs are read for the last time before
  // them.
  bool overlap(pipeline::FuncId a, pipeline::FuncId b) const;

private:
  std::int64_t m_bytes = 0;
  std::vector<std::vector<pipeline::FuncId>> m_groups; // funcs that share a place, in either case
};

} // namespace tessera::schedule
