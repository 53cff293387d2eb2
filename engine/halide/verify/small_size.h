// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/import/import.h"
#include "engine/schedule/words/directive.h"

#include <memory>
#include <span>
#include <vector>

namespace tessera::halide {

// Sizes at which a run takes seconds and still has several tiles and ragged edges. A schedule with
// large tiles needs larger outputs ("the extent must be at least 128"), so there are several, each
// about twice as wide as the one before; the last is the estimated size itself.
inline constexpr int kSizeSteps = 5;
// Narrower than any that is verified at: what runs under a sanitizer takes a thousand times as
// long.
inline constexpr int kNarrowestStep = -2;

// The first step, of those from `from` on, whose outputs are wider along each dimension than the
// tiles that the directives make of it: of the copies of an unrolled loop that lie beyond the end
// of all tiles, Halide 21 takes what they would keep off the shared memory.
int firstStep(const PreparedPipeline &full, std::span<const schedule::Directive> directives,
              int from = 0);

// The pipeline under smaller estimates. Kept as they are: short dimensions (channels), those that
// the file, the sidecar or a directive promises a size for. Inputs shrink with the outputs; where
// the pipeline needs more of one than that, it is as large as needed.
Result<std::shared_ptr<const PreparedPipeline>>
shrunk(const std::shared_ptr<const PreparedPipeline> &full, const ImportOptions &options,
       std::span<const schedule::Directive> directives, int step);

} // namespace tessera::halide
