// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

namespace tessera::schedule {

// Whether Halide 21 would lose the guard of a stage's last tiles, and compute beyond what there is.
//
// Of a loop that is split twice or more it takes the guard for true in all tiles when it partitions
// the loops of a func that is needed as far as an input reaches, as copies of inputs are behind
// BoundaryConditions::repeat_edge. The smallest case is in
// tests/engine/halide/tst_halide_facts.cpp. So lower() tells Halide not to partition the loops of
// such a stage.
bool losesGuards(const Schedule &schedule, pipeline::StageId stage);

} // namespace tessera::schedule
