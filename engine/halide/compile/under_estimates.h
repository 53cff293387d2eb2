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

// What a run of the estimated size would tell lowered code: "input.extent.0", "output.stride.1",
// integer scalars by name. Strides are the promised ones, dense otherwise.
std::map<std::string, std::int64_t> valuesUnderEstimates(const PreparedPipeline &prepared);

// The arguments of a compiled pipeline, in their order, with sizes and values under the estimates.
std::vector<report::PipelineArgument>
argumentsUnderEstimates(const std::vector<Halide::Internal::LoweredArgument> &arguments,
                        const PreparedPipeline &prepared);

} // namespace tessera::halide
