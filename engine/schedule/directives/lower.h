// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/words/directive.h"

#include <vector>

namespace tessera::schedule {

// The directives of a schedule, in the order that Halide wants: first those that add stages, then
// func by func from the outputs on. Halide accepts the directives of a legal schedule.
std::vector<Directive> lower(const Schedule &schedule);

// The directives of one func alone, without those that make the func.
std::vector<Directive> lower(const Schedule &schedule, pipeline::FuncId func);

} // namespace tessera::schedule
