// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/verify/realize.h"

#include <string>

namespace tessera::halide {

// Writes the found and the expected outputs into an existing folder: NAME.npy and NAME.expected.npy
// for each output.
Status keepOutputs(const RunOutputs &expected, const RunOutputs &found, const std::string &folder);

} // namespace tessera::halide
