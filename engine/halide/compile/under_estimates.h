// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/import/import.h"
#include "engine/report/compile_report.h"

#include <Halide.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::halide {

// The values that lowered code would get in a run at the estimated size: "input.extent.0",
// "output.stride.1", integer scalars by name. Strides are the promised ones, or else dense.
std::map<std::string, std::int64_t> valuesUnderEstimates(const PreparedPipeline &prepared);

// Lowered code in which the bounds that the functions of extern stages ask for are those that the
// estimates say.
Halide::Internal::Stmt withAskedBounds(const Halide::Internal::Stmt &stmt,
                                       const PreparedPipeline &prepared);

// The arguments of a compiled pipeline, in order, with sizes and values under the estimates.
std::vector<report::PipelineArgument>
argumentsUnderEstimates(const std::vector<Halide::Internal::LoweredArgument> &arguments,
                        const PreparedPipeline &prepared);

} // namespace tessera::halide
