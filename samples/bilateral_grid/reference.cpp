// SPDX-License-Identifier: MIT
#include "samples/bilateral_grid/reference.h"

#include <array>
#include <cmath>
#include <utility>

namespace tessera::samples::bilateral_grid {

namespace {

// A grid with a margin. Each cell holds the sum of its pixels' values and their number.
struct Grid {
  static constexpr int kMargin = 4;
  std::array<int, 3> extent;
  std::vector<std::array<float, 2>> cells;

  Grid(int width, int height, int depth)
      : extent{width + 2 * kMargin, height + 2 * kMargin, depth + 2 * kMargin},
        cells(static_cast<std::size_t>(extent[0]) * extent[1] * extent[2]) {}

  std::size_t stride(int axis) const {
    return axis == 0 ? 1 : axis == 1 ? extent[0] : static_cast<std::size_t>(extent[0]) * extent[1];
  }
  std::size_t index(int x, int y, int z) const {
    return (x + kMargin) * stride(0) + (y + kMargin) * stride(1) + (z + kMargin) * stride(2);
  }
};

Grid blurred(const Grid &grid, int axis) {
  Grid result = grid;
  const std::size_t step = grid.stride(axis);
  for (std::size_t i = 2 * step; i + 2 * step < grid.cells.size(); ++i)
    for (int k = 0; k < 2; ++k)
      result.cells[i][k] = grid.cells[i - 2 * step][k] + 4 * grid.cells[i - step][k] +
                           6 * grid.cells[i][k] + 4 * grid.cells[i + step][k] +
                           grid.cells[i + 2 * step][k];
  return result;
}

} // namespace

Image<float> reference(const Image<float> &input, int sigma, float rangeSigma) {
  // The blur also reads cells outside of the picture. These hold pixels of the repeated edge.
  const int width = input.width() / sigma + 2, height = input.height() / sigma + 2;
  const float scale = 1.0f / rangeSigma;
  Grid grid(width, height, static_cast<int>(scale + 0.5f) + 2);
  const auto value = [&](int x, int y) { return std::clamp(input.clamped(x, y), 0.0f, 1.0f); };
  for (int y = -2; y < height + 2; ++y)
    for (int x = -2; x < width + 2; ++x)
      for (int v = 0; v < sigma; ++v)
        for (int u = 0; u < sigma; ++u) {
          const float p = value(x * sigma + u - sigma / 2, y * sigma + v - sigma / 2);
          auto &cell = grid.cells[grid.index(x, y, static_cast<int>(p * scale + 0.5f))];
          cell[0] += p;
          cell[1] += 1.0f;
        }
  for (int axis : {2, 0, 1})
    grid = blurred(grid, axis);

  Image<float> result(input.width(), input.height());
  for (int y = 0; y < input.height(); ++y)
    for (int x = 0; x < input.width(); ++x) {
      const float z = value(x, y) * scale;
      const int zi = static_cast<int>(z);
      float sums[2] = {0.0f, 0.0f};
      for (int corner = 0; corner < 8; ++corner) {
        const auto share = [&](int bit, float part) { return corner & bit ? part : 1.0f - part; };
        const float weight = share(1, static_cast<float>(x % sigma) / static_cast<float>(sigma)) *
                             share(2, static_cast<float>(y % sigma) / static_cast<float>(sigma)) *
                             share(4, z - static_cast<float>(zi));
        const auto &cell = grid.cells[grid.index(
            x / sigma + (corner & 1), y / sigma + (corner >> 1 & 1), zi + (corner >> 2))];
        for (int k = 0; k < 2; ++k)
          sums[k] += weight * cell[k];
      }
      result.at(x, y) = sums[0] / sums[1];
    }
  return result;
}

} // namespace tessera::samples::bilateral_grid
