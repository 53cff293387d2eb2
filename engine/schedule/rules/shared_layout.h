// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/kept_storage.h"

#include <cstdint>
#include <vector>

namespace tessera::schedule {

// How the funcs that a block keeps share memory, as Halide 21 lays them out (its
// FuseGPUThreadLoops): it goes through the text of a kernel once, and gives a func the place of one
// that was read for the last time before. Loops do not bring anything back to it, which is why
// rules_shared.cpp has to look.
class SharedLayout {
public:
  // Of the kernel of a stage: one on the host, and all that is computed in its loops.
  SharedLayout(const Schedule &schedule, const Bounds &bounds, const KeptStorage &kept,
               pipeline::StageId kernel);

  std::int64_t bytes() const { return m_bytes; }
  // Whether two of its funcs have a place in common, with or without the last copies of unrolled
  // loops that a guard cuts: where Halide sees that they are never there, others end before them.
  bool overlap(pipeline::FuncId a, pipeline::FuncId b) const;

private:
  std::int64_t m_bytes = 0;
  std::vector<std::vector<pipeline::FuncId>> m_groups; // funcs of one place, either way
};

} // namespace tessera::schedule
