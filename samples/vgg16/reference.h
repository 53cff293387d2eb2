// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace tessera::samples::vgg16 {

struct Weights {
  std::vector<float> filter; // convolutions: to, x, y, from; 6: to, from, x, y; 7 and 8: to, from
  std::vector<float> bias;
};

struct Network {
  int size = 0, channels = 0, hidden = 0, classes = 0, images = 0;
  std::vector<float> input;          // channel, x, y, image
  std::vector<Weights> convolutions; // thirteen
  std::vector<Weights> dense;        // three
};

// How many convolutions each of the five blocks has.
inline constexpr int kBlocks[] = {2, 2, 3, 3, 3};

// The probability of each class for one image of the batch.
std::vector<float> classified(const Network &network, int image);

// For all of them, one after the other.
std::vector<float> reference(const Network &network);

} // namespace tessera::samples::vgg16
