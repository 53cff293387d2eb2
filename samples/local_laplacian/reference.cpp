// SPDX-License-Identifier: MIT
#include "samples/local_laplacian/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::samples::local_laplacian {

namespace {

// A level of a pyramid. Only the input is clamped, not each level, so a level extends beyond the
// picture and stores where it starts.
struct Grid {
  int x0, x1, y0, y1; // both ends inclusive
  std::vector<float> values{};

  Grid(int left, int right, int top, int bottom)
      : x0(left), x1(right), y0(top), y1(bottom),
        values(static_cast<std::size_t>(right - left + 1) * (bottom - top + 1)) {}

  float &at(int x, int y) {
    return values[static_cast<std::size_t>(y - y0) * (x1 - x0 + 1) + (x - x0)];
  }
  float at(int x, int y) const { return const_cast<Grid *>(this)->at(x, y); }
};

using Pyramid = std::vector<Grid>;

int half(int i) { return static_cast<int>(std::floor(static_cast<double>(i) / 2)); }

// The region of each level that the output needs: enough to upsample to the next finer level.
Pyramid outputPyramid(int width, int height, int count) {
  Pyramid grids;
  int x0 = 0, x1 = width - 1, y0 = 0, y1 = height - 1;
  for (int j = 0; j < count; ++j) {
    grids.emplace_back(x0, x1, y0, y1);
    x0 = half(x0) - 1, x1 = half(x1) + 1, y0 = half(y0) - 1, y1 = half(y1) + 1;
  }
  return grids;
}

// The region that each level of a Gaussian pyramid must cover: what the output needs, and enough to
// downsample to the next coarser level.
Pyramid inputPyramid(int width, int height, int count) {
  Pyramid grids = outputPyramid(width, height, count);
  for (int j = count - 1; j > 0; --j) {
    const Grid &up = grids[j];
    const Grid &own = grids[j - 1];
    grids[j - 1] = Grid(std::min(own.x0, 2 * up.x0 - 1), std::max(own.x1, 2 * up.x1 + 2),
                        std::min(own.y0, 2 * up.y0 - 1), std::max(own.y1, 2 * up.y1 + 2));
  }
  return grids;
}

// Uses the weights 1 3 3 1 in both dimensions.
void fillByDownsampling(Pyramid &pyramid) {
  constexpr float kWeights[] = {0.125f, 0.375f, 0.375f, 0.125f};
  for (std::size_t j = 1; j < pyramid.size(); ++j) {
    const Grid &fine = pyramid[j - 1];
    Grid &coarse = pyramid[j];
    for (int y = coarse.y0; y <= coarse.y1; ++y)
      for (int x = coarse.x0; x <= coarse.x1; ++x) {
        float sum = 0.0f;
        for (int v = 0; v < 4; ++v)
          for (int u = 0; u < 4; ++u)
            sum += kWeights[u] * kWeights[v] * fine.at(2 * x - 1 + u, 2 * y - 1 + v);
        coarse.at(x, y) = sum;
      }
  }
}

// Bilinear upsampling: a fine pixel lies at a quarter of the way between two coarse ones.
float upsampled(const Grid &coarse, int x, int y) {
  const int xNear = half(x), yNear = half(y);
  const int xFar = x == 2 * xNear ? xNear - 1 : xNear + 1;
  const int yFar = y == 2 * yNear ? yNear - 1 : yNear + 1;
  return 0.75f * (0.75f * coarse.at(xNear, yNear) + 0.25f * coarse.at(xFar, yNear)) +
         0.25f * (0.75f * coarse.at(xNear, yFar) + 0.25f * coarse.at(xFar, yFar));
}

float remap(const Parameters &p, float gray, int k) {
  const int steps = (p.levels - 1) * 256;
  const int index = std::clamp(static_cast<int>(gray * static_cast<float>(steps)), 0, steps);
  const float d = static_cast<float>(index - 256 * k) / 256.0f;
  const float level = static_cast<float>(k) / static_cast<float>(p.levels - 1);
  return p.beta * (gray - level) + level + p.alpha * d * std::exp(-d * d / 2);
}

} // namespace

Image<std::uint16_t> reference(const Image<std::uint16_t> &input, const Parameters &p) {
  const auto value = [&](int x, int y, int c) {
    return static_cast<float>(input.clamped(x, y, c)) / 65535.0f;
  };
  const auto gray = [&](int x, int y) {
    return 0.299f * value(x, y, 0) + 0.587f * value(x, y, 1) + 0.114f * value(x, y, 2);
  };

  Pyramid inputs = inputPyramid(input.width(), input.height(), p.pyramidLevels);
  Grid &base = inputs[0];
  for (int y = base.y0; y <= base.y1; ++y)
    for (int x = base.x0; x <= base.x1; ++x)
      base.at(x, y) = gray(x, y);
  std::vector<Pyramid> remapped(p.levels, inputs);
  for (int k = 0; k < p.levels; ++k) {
    for (float &v : remapped[k][0].values)
      v = remap(p, v, k);
    fillByDownsampling(remapped[k]);
  }
  fillByDownsampling(inputs);

  const auto detail = [&](int k, int j, int x, int y) {
    const float own = remapped[k][j].at(x, y);
    return j + 1 == p.pyramidLevels ? own : own - upsampled(remapped[k][j + 1], x, y);
  };
  Pyramid outputs = outputPyramid(input.width(), input.height(), p.pyramidLevels);
  for (int j = p.pyramidLevels - 1; j >= 0; --j)
    for (int y = outputs[j].y0; y <= outputs[j].y1; ++y)
      for (int x = outputs[j].x0; x <= outputs[j].x1; ++x) {
        const float level = inputs[j].at(x, y) * static_cast<float>(p.levels - 1);
        const int k = std::clamp(static_cast<int>(level), 0, p.levels - 2);
        const float part = level - static_cast<float>(k);
        float sum = (1.0f - part) * detail(k, j, x, y) + part * detail(k + 1, j, x, y);
        if (j + 1 < p.pyramidLevels) sum += upsampled(outputs[j + 1], x, y);
        outputs[j].at(x, y) = sum;
      }

  constexpr float kEpsilon = 0.01f;
  Image<std::uint16_t> result(input.width(), input.height(), 3);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < input.height(); ++y)
      for (int x = 0; x < input.width(); ++x) {
        const float colour =
            outputs[0].at(x, y) * (value(x, y, c) + kEpsilon) / (gray(x, y) + kEpsilon);
        result.at(x, y, c) = static_cast<std::uint16_t>(std::clamp(colour, 0.0f, 1.0f) * 65535.0f);
      }
  return result;
}

} // namespace tessera::samples::local_laplacian
