// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

namespace tessera::schedule {

// Where everything starts: what costs nothing to compute again is inlined, every other func is a
// kernel of its own, a point a thread. Legal for every pipeline on every machine.
Schedule defaultSchedule(pipeline::PipelinePtr base);

// The loops of such a kernel: up to three block and three thread loops over the pure dimensions,
// reductions serial inside.
LoopNest kernelNest(const pipeline::Stage &stage);

// Inlining saves memory traffic and repeats nothing: a pure definition that every reader reads at
// one point, once, and whose expression stays small.
bool isTrivial(const pipeline::Pipeline &pipeline, pipeline::FuncId func);

} // namespace tessera::schedule
