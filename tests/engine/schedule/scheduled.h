// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/edits/edits.h"
#include "engine/schedule/schedule.h"

#include <string>
#include <string_view>

namespace tessera::schedule::testing {

// A schedule in a few lines: a pipeline as tests/engine/pipeline/sketch.h has it, and directives as
// tests/engine/schedule/sketch.h has them. Throws where the directives are none of the pipeline.
Schedule scheduled(const pipeline::PipelinePtr &pipeline, std::string_view directives);
Schedule scheduled(std::string_view pipeline, std::string_view directives);

// What lower() makes of it, in the same words.
std::string loweredText(const Schedule &schedule);

// By name; updates are "f.update(0)".
pipeline::FuncId funcOf(const Schedule &schedule, std::string_view name);
pipeline::StageId stageOf(const Schedule &schedule, std::string_view name);
const FuncPlan &planOf(const Schedule &schedule, std::string_view func);

// After an edit, on the default machine.
Schedule withEdit(const Schedule &schedule, const Edit &edit, Origin origin = Origin::User);

// A nest in one line: the axes with what is fused and the factors, then the loops, innermost first.
// Two dimensions, the first split twice, its middle fused with the second, would be
//   "0/32/8 1 2=0.1+1.0 : 0.2 thread, 2.0, 0.0 block"
std::string textOf(const LoopNest &nest);

} // namespace tessera::schedule::testing
