// SPDX-License-Identifier: MIT
#pragma once

#include "samples/synthetic/recipe.h"
#include "samples/common/image.h"

#include <cstdint>
#include <vector>

namespace tessera::samples::synthetic {

// Interprets a recipe node by node.
Image<float> reference(const std::vector<Node> &recipe, const Image<std::uint8_t> &input);

} // namespace tessera::samples::synthetic
