// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"
#include "engine/schedule/words/directive.h"

#include <vector>

namespace tessera::schedule {

// In a file that was saved after rfactor, the partial results are a func of their own. Returns the
// directives that make such funcs from the pipeline `before`; they precede all other directives of
// the file.
std::vector<Directive> foundFactored(const pipeline::Pipeline &before,
                                     const pipeline::Pipeline &after);

} // namespace tessera::schedule
