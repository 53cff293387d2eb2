// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::bilateral_grid {

// Smooths by a bilateral grid with a cell every `sigma` pixels and every `rangeSigma` of intensity.
// The grid is blurred by 1 4 6 4 1 along its three axes.
Image<float> reference(const Image<float> &input, int sigma, float rangeSigma);

} // namespace tessera::samples::bilateral_grid
