// SPDX-License-Identifier: MIT
#include "samples/nl_means/reference.h"

#include <cmath>

namespace tessera::samples::nl_means {

namespace {

// The sum of squared differences between the picture and itself moved by (dx, dy), over the patch
// around every pixel. Rows of the patch are summed first, for speed.
Image<float> patchDistances(const Image<float> &input, int patch, int dx, int dy) {
  const int half = patch / 2;
  const int width = input.width(), height = input.height();
  Image<float> rows(width, height + 2 * half);
  for (int y = 0; y < rows.height(); ++y)
    for (int x = 0; x < width; ++x)
      for (int u = x - half; u < x - half + patch; ++u)
        for (int c = 0; c < 3; ++c) {
          const float d = input.clamped(u, y - half, c) - input.clamped(u + dx, y - half + dy, c);
          rows.at(x, y) += d * d;
        }
  Image<float> result(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int v = 0; v < patch; ++v)
        result.at(x, y) += rows.at(x, y + v);
  return result;
}

} // namespace

Image<float> reference(const Image<float> &input, const Parameters &parameters) {
  const int half = parameters.searchArea / 2;
  const float variance = parameters.sigma * parameters.sigma *
                         static_cast<float>(parameters.patchSize * parameters.patchSize);
  Image<float> sums(input.width(), input.height(), 4);
  for (int dy = -half; dy < parameters.searchArea - half; ++dy)
    for (int dx = -half; dx < parameters.searchArea - half; ++dx) {
      const auto distances = patchDistances(input, parameters.patchSize, dx, dy);
      for (int y = 0; y < input.height(); ++y)
        for (int x = 0; x < input.width(); ++x) {
          const float weight = std::exp(-distances.at(x, y) / variance);
          for (int c = 0; c < 3; ++c)
            sums.at(x, y, c) += weight * input.clamped(x + dx, y + dy, c);
          sums.at(x, y, 3) += weight;
        }
    }
  Image<float> result(input.width(), input.height(), 3);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < input.height(); ++y)
      for (int x = 0; x < input.width(); ++x)
        result.at(x, y, c) = std::clamp(sums.at(x, y, c) / sums.at(x, y, 3), 0.0f, 1.0f);
  return result;
}

} // namespace tessera::samples::nl_means
