// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/schedule/words/directive.h"

#include <vector>

namespace tessera::schedule {

// A file that was saved after an rfactor has the partial reductions as a func of its own. The
// directives that make such funcs of the pipeline before: what stands in front of all that the file
// says about them.
std::vector<Directive> foundFactored(const pipeline::Pipeline &before,
                                     const pipeline::Pipeline &after);

} // namespace tessera::schedule
