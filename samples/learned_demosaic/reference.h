// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>
#include <vector>

namespace tessera::samples::learned_demosaic {

struct Convolution {
  int to = 0, from = 0;
  std::vector<float> filter; // channel out, x, y, channel in
  std::vector<float> bias;   // channel out
};

struct Network {
  std::vector<Convolution> layers; // layers at half the size; the last one makes twelve features
  Convolution join;                // reads three colours and the masked mosaic
  std::vector<float> colors;       // makes three colours from the features of `join`
};

// Makes weights that demosaic. The last convolution interpolates the mosaic bilinearly. Random
// layers, which are the same for the same seed, change the result a little.
Network makeNetwork(int layers, int features, std::uint32_t seed);

// Turns a mosaic with red at (0, 0) and blue at (1, 1) into a picture of three colours.
Image<float> reference(const Network &network, const Image<float> &mosaic);

} // namespace tessera::samples::learned_demosaic
