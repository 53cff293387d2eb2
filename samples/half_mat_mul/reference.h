// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::half_mat_mul {

// Half precision as IEEE 754 stores it: a sign, 5 bits of exponent, 10 of fraction.
using Half = std::uint16_t;

float fromHalf(Half bits);

// The nearest half; of two that are equally near, the one whose last bit is zero.
Half toHalf(float value);

// The product of two matrices; at(x, y) is column x of row y. Sums are of single precision.
Image<Half> reference(const Image<Half> &a, const Image<Half> &b);

} // namespace tessera::samples::half_mat_mul
