// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::bgu {

struct Parameters {
  int sigma = 16;   // pixels of the small picture along a cell
  int lumaBins = 8; // cells from black to white
  int upsample = 8; // pixels of the large picture along a small one
};

// Applies to `slice` the effect that turned `splat` into `values`.
Image<float> reference(const Image<float> &splat, const Image<float> &values,
                       const Image<float> &slice, const Parameters &parameters);

} // namespace tessera::samples::bgu
