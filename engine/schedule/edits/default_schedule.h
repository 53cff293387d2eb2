// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

namespace tessera::schedule {

// The schedule that everything starts from. Funcs whose inlining repeats no work (see isTrivial())
// are inlined; every other func is a kernel of its own, with a thread for each point. This schedule
// is legal for every pipeline on every machine.
Schedule defaultSchedule(pipeline::PipelinePtr base);

// The loops of a kernel in the default schedule: up to three block loops and three thread loops
// over the pure dimensions, with serial reductions inside.
LoopNest kernelNest(const pipeline::Stage &stage);

// Whether inlining saves memory traffic and repeats no work: the func is a pure definition with a
// small expression, and its only reader reads it once, at one point.
bool isTrivial(const pipeline::Pipeline &pipeline, pipeline::FuncId func);

} // namespace tessera::schedule
