// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/verify/realize.h"
#include "engine/report/compare_elements.h"

#include <vector>

namespace tessera::halide {

// The elements of each output that depend on rounding decisions: which of two nearly equal costs is
// less, which bin is chosen. There one bit of a float can change the value by any amount. Targets
// round differently from the reference, since they fuse a product with a sum.
//
// They are found by running the reference again with other roundings: up, down, towards zero, and
// with products and sums fused. `pipeline` is the reference (makeReference()), `outputs` its
// result.
Result<std::vector<report::RoundedElements>>
roundedElements(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                const RunInputs &inputs, const RunOutputs &outputs,
                const std::vector<report::ElementRule> &rules);

} // namespace tessera::halide
