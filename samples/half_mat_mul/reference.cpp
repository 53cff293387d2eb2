// SPDX-License-Identifier: MIT
#include "samples/half_mat_mul/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::samples::half_mat_mul {

namespace {

constexpr int kFraction = 10, kBias = 15, kLargest = 31; // of half precision

} // namespace

float fromHalf(Half bits) {
  const float sign = bits & 0x8000 ? -1.0f : 1.0f;
  const int exponent = (bits >> kFraction) & kLargest, fraction = bits & ((1 << kFraction) - 1);
  if (exponent == kLargest)
    return fraction ? std::numeric_limits<float>::quiet_NaN()
                    : sign * std::numeric_limits<float>::infinity();
  // Numbers of the least exponent lack the leading one.
  const int digits = exponent == 0 ? fraction : fraction + (1 << kFraction);
  return sign * std::ldexp(static_cast<float>(digits), std::max(exponent, 1) - kBias - kFraction);
}

Half toHalf(float value) {
  const auto sign = static_cast<Half>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return 0x7e00;
  const float size = std::fabs(value);
  if (std::isinf(size)) return static_cast<Half>(sign | (kLargest << kFraction));
  // In units of the last bit that a half of this size has. nearbyint() takes halves to even.
  const int exponent = size == 0.0f ? 1 - kBias : std::max(std::ilogb(size), 1 - kBias);
  const auto digits = static_cast<int>(std::nearbyint(std::ldexp(size, kFraction - exponent)));
  // A rounding up to the next power of two carries into the exponent, which is as it should be.
  const int bits = digits + ((exponent + kBias - 1) << kFraction);
  return static_cast<Half>(sign | std::min(bits, kLargest << kFraction));
}

Image<Half> reference(const Image<Half> &a, const Image<Half> &b) {
  Image<Half> result(b.width(), a.height());
  for (int y = 0; y < result.height(); ++y) {
    Image<float> row(b.width(), 1);
    for (int k = 0; k < a.width(); ++k)
      for (int x = 0; x < b.width(); ++x)
        row.at(x, 0) += fromHalf(a.at(k, y)) * fromHalf(b.at(x, k));
    for (int x = 0; x < b.width(); ++x)
      result.at(x, y) = toHalf(row.at(x, 0));
  }
  return result;
}

} // namespace tessera::samples::half_mat_mul
