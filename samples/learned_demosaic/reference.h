// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>
#include <vector>

namespace tessera::samples::learned_demosaic {

struct Convolution {
  int to = 0, from = 0;
  std::vector<float> filter; // to, x, y, from
  std::vector<float> bias;   // to
};

struct Network {
  std::vector<Convolution> layers; // at half the size, the last one to twelve features
  Convolution join;                // of three colours and the masked mosaic
  std::vector<float> colors;       // three, from the features of join
};

// Weights that demosaic: the last convolution interpolates the mosaic bilinearly, and random
// layers, the same for the same seed, change the result a little.
Network makeNetwork(int layers, int features, std::uint32_t seed);

// A mosaic with red at (0, 0) and blue at (1, 1) to a picture of three colours.
Image<float> reference(const Network &network, const Image<float> &mosaic);

} // namespace tessera::samples::learned_demosaic
