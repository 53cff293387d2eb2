// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

namespace tessera::samples::nl_means {

struct Parameters {
  int patchSize = 7;
  int searchArea = 7;
  float sigma = 0.12f;
};

// Each pixel becomes the mean over the search window, weighted by exp(-d / (sigma^2 patch^2)),
// where d is the squared difference of the patches around the two pixels. Edges repeat.
Image<float> reference(const Image<float> &input, const Parameters &parameters);

} // namespace tessera::samples::nl_means
