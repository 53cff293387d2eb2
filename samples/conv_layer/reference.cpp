// SPDX-License-Identifier: MIT
#include "samples/conv_layer/reference.h"

#include <algorithm>
#include <cstddef>

namespace tessera::samples::conv_layer {

std::vector<float> reference(const Layer &layer) {
  const int channels = layer.channels;
  std::vector<float> result;
  for (int image = 0; image < layer.images; ++image)
    for (int y = 0; y < layer.height; ++y)
      for (int x = 0; x < layer.width; ++x) {
        std::vector<float> sums = layer.bias;
        for (int from = 0; from < layer.inputs; ++from)
          for (int v = 0; v < 3; ++v)
            for (int u = 0; u < 3; ++u) {
              const std::size_t pixel =
                  (static_cast<std::size_t>(image) * (layer.height + 2) + y + v) *
                      (layer.width + 2) +
                  x + u;
              const float value = layer.input[pixel * layer.inputs + from];
              const float *weights = &layer.filter[((from * 3 + v) * 3 + u) * channels];
              for (int to = 0; to < channels; ++to)
                sums[to] += weights[to] * value;
            }
        for (float sum : sums)
          result.push_back(std::max(sum, 0.0f));
      }
  return result;
}

} // namespace tessera::samples::conv_layer
