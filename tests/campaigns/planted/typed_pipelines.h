// SPDX-License-Identifier: MIT
#pragma once

#include <Halide.h>

#include <string>
#include <utility>
#include <vector>

namespace tessera::halide::testing {

// Small pipelines of every type that a GPU computes with: a stencil, a sum, a scan, the label of
// the least of some costs, and a mask. Each has a name such as "sum_float16".
std::vector<std::pair<std::string, Halide::Pipeline>> typedPipelines();

} // namespace tessera::halide::testing
