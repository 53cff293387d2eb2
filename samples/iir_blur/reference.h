// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::iir_blur {

// y[n] = alpha x[n] + (1 - alpha) y[n - 1] along every column, down and up, and then along every
// row, right and left. Each scan starts from its first value.
Image<float> reference(const Image<float> &input, float alpha);

} // namespace tessera::samples::iir_blur
