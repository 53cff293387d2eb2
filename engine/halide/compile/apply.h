// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/words/directive.h"

#include <Halide.h>

#include <map>
#include <span>
#include <string>

namespace tessera::halide {

// The funcs that performing directives made. Halide gives them names that differ between runs
// within a process, so printed text uses the names that the directives give.
struct Applied {
  std::map<std::string, std::string> made; // Halide's name → the name in `makes`
};

// Performs the directives in order. Nobody else may use the pipeline: Halide's funcs are shared, so
// a pipeline can be scheduled only once. An error names the directive, its func and call, and the
// cause: Tessera's own text for a wrong name, Halide's text where Halide refuses.
Result<Applied> applyDirectives(Halide::Pipeline &pipeline,
                                std::span<const schedule::Directive> directives);

} // namespace tessera::halide
