// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::wave_step {

constexpr int kReach = 4; // of the stencil, each way

// The wave after one more step. `now` has kReach more numbers at each side than the others.
Image<double> reference(const Image<double> &now, const Image<double> &before,
                        const Image<double> &speed);

} // namespace tessera::samples::wave_step
