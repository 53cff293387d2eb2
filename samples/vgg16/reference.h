// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace tessera::samples::vgg16 {

struct Weights {
  std::vector<float> filter; // convolution: out, x, y, in; layer 6: out, in, x, y; 7, 8: out, in
  std::vector<float> bias;
};

struct Network {
  int size = 0, channels = 0, hidden = 0, classes = 0, images = 0;
  std::vector<float> input;          // channel, x, y, image
  std::vector<Weights> convolutions; // thirteen layers
  std::vector<Weights> dense;        // layers 6 to 8
};

// How many convolutions each of the five blocks has.
inline constexpr int kBlocks[] = {2, 2, 3, 3, 3};

// The probability of each class for one image of the batch.
std::vector<float> classified(const Network &network, int image);

// The probabilities of all images, one image after the other.
std::vector<float> reference(const Network &network);

} // namespace tessera::samples::vgg16
