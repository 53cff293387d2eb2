// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"
#include "engine/base/result.h"

#include <vector>

namespace tessera::halide {

// Prepares the pipeline with `sizes` in place of its estimates. Sizes that contradict the pipeline
// are replaced by the nearest ones that do not, in `sizes` too. Fails if none are found.
Result<PreparedPipeline> prepareFitting(const ImportOptions &options,
                                        std::vector<EstimateOverride> &sizes);

// For a pipeline whose estimates contradict it: the sizes to use in their place. Empty if there are
// no contradictions, or if no such sizes are found.
std::vector<pipeline::NamedSize> fittingSizes(const PreparedPipeline &prepared,
                                              const ImportOptions &options);

// The error of whoever has to run a pipeline whose estimates contradict it.
Error contradiction(const PreparedPipeline &prepared);

} // namespace tessera::halide
