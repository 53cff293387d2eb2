// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <span>
#include <vector>

namespace tessera::search {

// The work of one evaluation of a stage with the expressions of inlined funcs substituted (section
// 4.3 of Mullapudi et al. 2016).
struct StageWork {
  double operations = 0; // without loads
  struct Loads {
    pipeline::Producer producer;
    double count = 0;
  };
  std::vector<Loads> loads; // of memory, by producer; without inlined funcs and scalars
};

// `inlined` is sorted. What the stage does not read counts nothing. `divisionCost` is that of a
// division; other operations cost 1, and functions of a mathematics library more.
StageWork workOf(const pipeline::Pipeline &pipeline, const pipeline::Stage &stage,
                 std::span<const pipeline::FuncId> inlined, double divisionCost);

} // namespace tessera::search
