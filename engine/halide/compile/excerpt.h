// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/import/import.h"
#include "engine/pipeline/excerpt.h"
#include "engine/schedule/words/directive.h"

#include <string>
#include <vector>

namespace tessera::halide {

// What an "excerpt" request asks for.
struct ExcerptOptions {
  ImportOptions import;                        // with the promises of the whole schedule
  std::vector<schedule::Directive> directives; // of the whole schedule
  pipeline::Excerpt excerpt;
  // What holds of the excerpt's own buffers, where their layout needs it to be said.
  std::vector<report::Promise> promises;
  std::string output; // path of the new file
};

// Writes one kernel of a scheduled pipeline to a file, as a pipeline of its own that has the
// kernel's schedule and, as estimates, its sizes. Funcs that other kernels compute become inputs.
// `prepared` is the whole pipeline, by the same import options.
Status writeExcerpt(const PreparedPipeline &prepared, const ExcerptOptions &options,
                    const PhaseCallback &phase = {});

} // namespace tessera::halide
