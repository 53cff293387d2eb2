// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/estimates.h"
#include "engine/halide/import/graph.h"
#include "engine/base/result.h"
#include "engine/schedule/schedule.h"

#include <Halide.h>

#include <span>
#include <string>
#include <vector>

namespace tessera::halide {

// Tells Halide what the callers of a pipeline promise, as an exported header does: constraints on
// the buffers of inputs and outputs. For an output of several values, the func's name means all of
// its buffers, and "f.1" means one of them.
Status applyPromises(const Halide::Pipeline &pipeline, std::span<const report::Promise> promises);

// What the callers promise: the inverse, for constraints that are constant.
std::vector<report::Promise> promisesOf(const Halide::Pipeline &pipeline);

// The constraints that are expressions, which no promise can say, as Halide's calls.
std::vector<std::string> unsaidPromises(const Halide::Pipeline &pipeline);

// Changes the sizes so that they keep the promises. A promise overrides a file's estimate, but a
// promise that contradicts a size given by the user is an error.
Status keepPromises(Estimates &estimates, const Graph &graph,
                    std::span<const report::Promise> promises);

} // namespace tessera::halide
