// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/verify/realize.h"
#include "engine/report/compare_elements.h"

#include <vector>

namespace tessera::halide {

// The elements of each output about which rounding decides: which of two nearly equal costs is
// less, which bin. One bit of a float makes another value of any size there, and targets round
// otherwise than the reference, since they fuse a product with a sum.
//
// Found by running the reference again, as processors also round: up, down, towards zero, fused.
// `pipeline` is the reference (makeReference()), `outputs` what it gives.
Result<std::vector<report::RoundedElements>>
roundedElements(Halide::Pipeline &pipeline, const PreparedPipeline &prepared,
                const RunInputs &inputs, const RunOutputs &outputs,
                const std::vector<report::ElementRule> &rules);

} // namespace tessera::halide
