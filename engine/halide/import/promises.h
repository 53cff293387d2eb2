// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/halide/import/estimates.h"
#include "engine/halide/import/graph.h"
#include "engine/schedule/schedule.h"

#include <Halide.h>

#include <span>

namespace tessera::halide {

// Tells Halide what the callers of a pipeline promise, as an exported header does: constraints on
// the buffers of inputs and outputs. An output of several values is meant whole by its func's name,
// and in part by "f.1".
Status applyPromises(const Halide::Pipeline &pipeline, std::span<const report::Promise> promises);

// Makes the sizes keep the promises. A promise beats what a file estimates; where the user said
// otherwise, nobody can know which is meant.
Status keepPromises(Estimates &estimates, const Graph &graph,
                    std::span<const report::Promise> promises);

} // namespace tessera::halide
