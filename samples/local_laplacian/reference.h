// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::local_laplacian {

// The parameters are named as in the paper [Paris et al. 2011]: `alpha` scales details, `beta`
// scales edges. `levels` is the number of intensities at which the remapped pyramid is sampled.
struct Parameters {
  int pyramidLevels = 8;
  int levels = 8;
  float alpha = 1.0f / 7.0f;
  float beta = 1.0f;
};

Image<std::uint16_t> reference(const Image<std::uint16_t> &input, const Parameters &parameters);

} // namespace tessera::samples::local_laplacian
