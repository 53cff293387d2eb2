// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/words/directive.h"
#include "engine/schedule/schedule.h"

#include <vector>

namespace tessera::schedule {

// The directives of a schedule, in the order that Halide wants: what adds stages first, then func
// by func from the outputs on. A legal schedule lowers to directives that Halide accepts.
std::vector<Directive> lower(const Schedule &schedule);

// Those of one func alone; without the ones that make it.
std::vector<Directive> lower(const Schedule &schedule, pipeline::FuncId func);

} // namespace tessera::schedule
