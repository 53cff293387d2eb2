// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/kept_storage.h"

#include <cstdint>
#include <vector>

namespace tessera::schedule {

// How the funcs that are stored per block share memory, as Halide 21 lays them out (its
// FuseGPUThreadLoops). Halide goes through the statements of a kernel once, and gives a func the
// memory of another func whose last read came before. It does not see that a loop reads a func
// again, so rules_shared.cpp has to check for that.
class SharedLayout {
public:
  // `kernel` is a stage on the host; the layout includes all that is computed in its loops.
  SharedLayout(const Schedule &schedule, const Bounds &bounds, const KeptStorage &kept,
               pipeline::StageId kernel);

  std::int64_t bytes() const { return m_bytes; }
  // Whether two funcs share memory. Where a guard cuts an unrolled loop, Halide may see that the
  // last copy never runs, and drop it; the use of other funcs then ends earlier. The answer covers
  // both cases, with and without this copy.
  bool overlap(pipeline::FuncId a, pipeline::FuncId b) const;

private:
  std::int64_t m_bytes = 0;
  std::vector<std::vector<pipeline::FuncId>> m_groups; // each group: funcs that share memory
};

} // namespace tessera::schedule
