// SPDX-License-Identifier: MIT
#include "samples/resnet_block/reference.h"

#include <algorithm>
#include <cstddef>

namespace tessera::samples::resnet_block {

namespace {

struct Layer {
  int channels, size, images;
  std::vector<float> values;

  const float *pixel(int x, int y, int image) const {
    return &values[((static_cast<std::size_t>(image) * size + y) * size + x) * channels];
  }
};

// A convolution of `width` by `width` with zeros around the picture. The sums are scaled and
// shifted.
Layer convolved(const Layer &in, const Convolution &by, int width) {
  const int to = static_cast<int>(by.scale.size()), margin = width / 2;
  Layer out{to, in.size, in.images, {}};
  std::vector<float> sums(to);
  for (int image = 0; image < in.images; ++image)
    for (int y = 0; y < in.size; ++y)
      for (int x = 0; x < in.size; ++x) {
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (int v = 0; v < width; ++v)
          for (int u = 0; u < width; ++u) {
            const int column = x + u - margin, row = y + v - margin;
            if (column < 0 || row < 0 || column >= in.size || row >= in.size) continue;
            const float *pixel = in.pixel(column, row, image);
            for (int from = 0; from < in.channels; ++from) {
              const float *weights = &by.filter[((from * width + v) * width + u) * to];
              for (int c = 0; c < to; ++c)
                sums[c] += weights[c] * pixel[from];
            }
          }
        for (int c = 0; c < to; ++c)
          out.values.push_back(sums[c] * by.scale[c] + by.shift[c]);
      }
  return out;
}

Layer cut(Layer layer) {
  for (float &value : layer.values)
    value = std::max(value, 0.0f);
  return layer;
}

} // namespace

std::vector<float> reference(const Block &block) {
  const Layer input{block.channels, block.size, block.images, block.input};
  const Layer filtered = cut(convolved(cut(convolved(input, block.reduce, 1)), block.spatial, 3));
  Layer output = convolved(filtered, block.expand, 1);
  for (std::size_t i = 0; i < output.values.size(); ++i)
    output.values[i] += block.input[i];
  return cut(std::move(output)).values;
}

} // namespace tessera::samples::resnet_block
