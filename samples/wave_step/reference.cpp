// SPDX-License-Identifier: MIT
#include "samples/wave_step/reference.h"

#include <cstddef>

namespace tessera::samples::wave_step {

namespace {

// The second derivative from nine numbers that are `stride` apart.
double secondDerivative(const double *centre, std::ptrdiff_t stride) {
  constexpr double kWeights[]{-1.0 / 560, 8.0 / 315, -1.0 / 5,  8.0 / 5,   -205.0 / 72,
                              8.0 / 5,    -1.0 / 5,  8.0 / 315, -1.0 / 560};
  double sum = 0.0;
  for (int i = -kReach; i <= kReach; ++i)
    sum += kWeights[i + kReach] * centre[i * stride];
  return sum;
}

} // namespace

Image<double> reference(const Image<double> &now, const Image<double> &before,
                        const Image<double> &speed) {
  const std::ptrdiff_t row = now.width(), layer = row * now.height();
  Image<double> result(before.width(), before.height(), before.channels());
  for (int z = 0; z < result.channels(); ++z)
    for (int y = 0; y < result.height(); ++y)
      for (int x = 0; x < result.width(); ++x) {
        const double *centre = &now.at(x + kReach, y + kReach, z + kReach);
        const double laplacian = secondDerivative(centre, 1) + secondDerivative(centre, row) +
                                 secondDerivative(centre, layer);
        result.at(x, y, z) = 2.0 * *centre - before.at(x, y, z) + speed.at(x, y, z) * laplacian;
      }
  return result;
}

} // namespace tessera::samples::wave_step
