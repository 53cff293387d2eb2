// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::mat_mul {

// The product of two square matrices; at(x, y) is column x of row y.
Image<float> reference(const Image<float> &a, const Image<float> &b);

} // namespace tessera::samples::mat_mul
