// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/import/import.h"
#include "engine/schedule/words/directive.h"

#include <memory>
#include <span>
#include <vector>

namespace tessera::halide {

// The number of sizes to verify at. At the smaller ones a run takes seconds and still has several
// tiles and ragged edges. A schedule with large tiles needs larger outputs ("the extent must be at
// least 128"), so each size is about twice as wide as the previous size; the last is the estimated
// size.
inline constexpr int kSizeSteps = 5;
// The step of the narrowest size. Verification starts at step 0, which is wider. The narrower sizes
// are for runs under a sanitizer, which take a thousand times as long.
inline constexpr int kNarrowestStep = -2;

// The first step, not before `from`, whose outputs are wider along each dimension than the tiles
// that the directives make. With narrower outputs, some copies of an unrolled loop lie beyond the
// end of all tiles, and Halide 21 leaves their values out of shared memory.
int firstStep(const PreparedPipeline &full, std::span<const schedule::Directive> directives,
              int from = 0);

// The pipeline under smaller estimates: those of the step or, if the pipeline cannot have them, of
// the first step after it; `full` itself is the last. Short dimensions (channels) keep their size,
// and so do those whose size the file, the sidecar or a directive promises. Inputs shrink with the
// outputs, but neither shrinks below what the pipeline needs of it. Fails only if the estimates of
// `full` contradict the pipeline.
Result<std::shared_ptr<const PreparedPipeline>>
shrunk(const std::shared_ptr<const PreparedPipeline> &full, const ImportOptions &options,
       std::span<const schedule::Directive> directives, int step);

} // namespace tessera::halide
