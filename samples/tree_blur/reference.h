// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::tree_blur {

// The mean of three pixels along x, taken twice. Column 0 of the result is the input's column 2;
// the result is four columns narrower.
Image<float> reference(const Image<float> &input);

} // namespace tessera::samples::tree_blur
