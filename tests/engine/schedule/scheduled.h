// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/edits/edits.h"

#include <string>
#include <string_view>

namespace tessera::schedule::testing {

// Returns a schedule given in a few lines: a pipeline in the notation of
// tests/engine/pipeline/sketch.h, and directives in that of tests/engine/schedule/sketch.h. Throws
// if the directives do not fit the pipeline.
Schedule scheduled(const pipeline::PipelinePtr &pipeline, std::string_view directives);
Schedule scheduled(std::string_view pipeline, std::string_view directives);

// Returns the directives that lower() makes, in the same notation.
std::string loweredText(const Schedule &schedule);

// These look up by name. An update is called "f.update(0)".
pipeline::FuncId funcOf(const Schedule &schedule, std::string_view name);
pipeline::StageId stageOf(const Schedule &schedule, std::string_view name);
const FuncPlan &planOf(const Schedule &schedule, std::string_view func);

// Returns the schedule after an edit, on the default machine.
Schedule withEdit(const Schedule &schedule, const Edit &edit, Origin origin = Origin::User);

// Returns a nest in one line: the axes with their fused parts and factors, then the loops,
// innermost first. For two dimensions, with the first split twice and its middle part fused with
// the second, this is
//   "0/32/8 1 2=0.1+1.0 : 0.2 thread, 2.0, 0.0 block"
std::string textOf(const LoopNest &nest);

} // namespace tessera::schedule::testing
