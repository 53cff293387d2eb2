// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/verify/realize.h"

#include <string>

namespace tessera::halide {

// Leaves what came out and what should have in a folder that is there: NAME.npy and
// NAME.expected.npy for each output.
Status keepOutputs(const RunOutputs &expected, const RunOutputs &found, const std::string &folder);

} // namespace tessera::halide
