// SPDX-License-Identifier: MIT
#include "samples/bgu/reference.h"

#include <array>
#include <cmath>

namespace tessera::samples::bgu {

namespace {

constexpr int kReach = 3; // cells that the blur reads on each side

// What the least-squares fit of a cell needs: a symmetric matrix and three right-hand sides.
struct Moments {
  double matrix[4][4] = {};
  double right[3][4] = {};

  void add(const Moments &other, double weight) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        matrix[i][j] += weight * other.matrix[i][j];
        if (i < 3) right[i][j] += weight * other.right[i][j];
      }
  }
};

using Affine = std::array<double, 12>;

// The cells of the grid and a margin: the blur reads three cells beyond the grid on each side. The
// margin begins at (-3, -3, -3).
template <typename Cell>
class Grid {
public:
  Grid(int width, int height, int depth)
      : m_width(width + 2 * kReach), m_height(height + 2 * kReach), m_depth(depth + 2 * kReach),
        m_cells(static_cast<std::size_t>(m_width) * m_height * m_depth) {}

  Cell &at(int x, int y, int z) {
    return m_cells[(static_cast<std::size_t>(z + kReach) * m_height + y + kReach) * m_width + x +
                   kReach];
  }

private:
  int m_width, m_height, m_depth;
  std::vector<Cell> m_cells;
};

float lumaOf(const float *color) { return 0.25f * color[0] + 0.5f * color[1] + 0.25f * color[2]; }

// Blurs along one axis; the axes are blurred in the order 2, 1, 0. The result has all cells that
// the later blurs read.
Grid<Moments> blurred(Grid<Moments> &grid, std::array<int, 3> size, int axis) {
  Grid<Moments> result(size[0], size[1], size[2]);
  std::array<int, 3> low{}, high = size;
  for (int later = axis - 1; later >= 0; --later) {
    low[later] -= kReach;
    high[later] += kReach;
  }
  for (int z = low[2]; z < high[2]; ++z)
    for (int y = low[1]; y < high[1]; ++y)
      for (int x = low[0]; x < high[0]; ++x)
        for (int d = -kReach; d <= kReach; ++d) {
          const double distance = 1.0 + std::abs(d);
          const double weight = 1.0 / (distance * distance * distance);
          result.at(x, y, z).add(
              grid.at(x + (axis == 0 ? d : 0), y + (axis == 1 ? d : 0), z + (axis == 2 ? d : 0)),
              weight);
        }
  return result;
}

// Solves the fit by Cholesky decomposition. As a regularisation, a tenth of a pixel is added that
// the effect leaves unchanged.
Affine solved(Moments m) {
  for (int i = 0; i < 4; ++i) {
    m.matrix[i][i] += 0.1;
    if (i < 3) m.right[i][i] += 0.1;
  }
  double low[4][4] = {};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j <= i; ++j) {
      double rest = m.matrix[i][j];
      for (int k = 0; k < j; ++k)
        rest -= low[i][k] * low[j][k];
      low[i][j] = i == j ? std::sqrt(rest) : rest / low[j][j];
    }
  Affine result;
  for (int color = 0; color < 3; ++color) {
    double *b = m.right[color];
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < i; ++j)
        b[i] -= low[i][j] * b[j];
      b[i] /= low[i][i];
    }
    for (int i = 3; i >= 0; --i) {
      for (int j = i + 1; j < 4; ++j)
        b[i] -= low[j][i] * b[j];
      b[i] /= low[i][i];
      result[4 * color + i] = b[i];
    }
  }
  return result;
}

} // namespace

Image<float> reference(const Image<float> &splat, const Image<float> &values,
                       const Image<float> &slice, const Parameters &parameters) {
  const int sigma = parameters.sigma, cell = sigma * parameters.upsample;
  const std::array<int, 3> size{(slice.width() - 1) / cell + 2, (slice.height() - 1) / cell + 2,
                                parameters.lumaBins + 2};
  Grid<Moments> moments(size[0], size[1], size[2]);
  for (int sy = -kReach * sigma - sigma / 2; sy < (size[1] + kReach) * sigma - sigma / 2; ++sy)
    for (int sx = -kReach * sigma - sigma / 2; sx < (size[0] + kReach) * sigma - sigma / 2; ++sx) {
      float before[4] = {0, 0, 0, 1}, after[3];
      for (int c = 0; c < 3; ++c) {
        before[c] = splat.clamped(sx, sy, c);
        after[c] = values.clamped(sx, sy, c);
      }
      const float luma = std::clamp(lumaOf(before), 0.0f, 1.0f);
      const int bin = static_cast<int>(luma * static_cast<float>(parameters.lumaBins) + 0.5f);
      // A cell begins half a cell before its centre. The added cells keep the dividend positive, so
      // that the division rounds down.
      const int x = (sx + sigma / 2 + kReach * sigma) / sigma - kReach;
      const int y = (sy + sigma / 2 + kReach * sigma) / sigma - kReach;
      Moments &sum = moments.at(x, y, bin);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          sum.matrix[i][j] += before[i] * before[j];
          if (i < 3) sum.right[i][j] += after[i] * before[j];
        }
    }
  for (int axis = 2; axis >= 0; --axis)
    moments = blurred(moments, size, axis);

  Grid<Affine> maps(size[0], size[1], size[2]);
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x)
        maps.at(x, y, z) = solved(moments.at(x, y, z));

  Image<float> output(slice.width(), slice.height(), 3);
  for (int y = 0; y < slice.height(); ++y)
    for (int x = 0; x < slice.width(); ++x) {
      const float color[4] = {slice.at(x, y, 0), slice.at(x, y, 1), slice.at(x, y, 2), 1.0f};
      const double place[3] = {static_cast<double>(x) / cell, static_cast<double>(y) / cell,
                               std::clamp(lumaOf(color), 0.0f, 1.0f) *
                                   static_cast<float>(parameters.lumaBins)};
      double sums[3] = {};
      for (int corner = 0; corner < 8; ++corner) {
        int at[3];
        double weight = 1.0;
        for (int axis = 0; axis < 3; ++axis) {
          const int below = static_cast<int>(place[axis]), step = corner >> axis & 1;
          const double above = place[axis] - below;
          at[axis] = below + step;
          weight *= step ? above : 1.0 - above;
        }
        const Affine &map = maps.at(at[0], at[1], at[2]);
        for (int c = 0; c < 3; ++c)
          for (int i = 0; i < 4; ++i)
            sums[c] += weight * map[4 * c + i] * color[i];
      }
      for (int c = 0; c < 3; ++c)
        output.at(x, y, c) = static_cast<float>(std::clamp(sums[c], 0.0, 1.0));
    }
  return output;
}

} // namespace tessera::samples::bgu
