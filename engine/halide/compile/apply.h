// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/schedule/words/directive.h"

#include <Halide.h>

#include <map>
#include <span>
#include <string>

namespace tessera::halide {

// What performing directives made. Halide gives the funcs that it makes names of its own, another
// in every run of a process; whoever prints goes by the directive's.
struct Applied {
  std::map<std::string, std::string> made; // Halide's name → `makes`
};

// Performs the directives in order on a pipeline that nobody else looks at: Halide's funcs are
// shared, so that a pipeline can be scheduled once. The error names the directive, its func and
// call, and the cause: ours where a name is wrong, Halide's where Halide refuses.
Result<Applied> applyDirectives(Halide::Pipeline &pipeline,
                                std::span<const schedule::Directive> directives);

} // namespace tessera::halide
