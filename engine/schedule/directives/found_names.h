// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/schedule/words/directive.h"

#include <vector>

namespace tessera::schedule {

// Halide numbers reductions as a program makes them: a generator that schedules itself may call
// r48$x what it calls r29$x otherwise. Gives the directives for `scheduled` the names that the same
// loops have in `base`.
std::vector<Directive> withNamesOf(const pipeline::Pipeline &base,
                                   const pipeline::Pipeline &scheduled,
                                   std::vector<Directive> directives);

} // namespace tessera::schedule
