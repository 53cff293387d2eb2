// SPDX-License-Identifier: MIT
#include "engine/cost/warp_access.h"

#include <algorithm>
#include <cmath>

namespace tessera::cost {

namespace {

constexpr int kBanks = 32;
constexpr double kBankBytes = 4;
constexpr double kReached = 0.25; // of the places that data can choose

// Units that a piece of `length` bytes is in.
double touchedBy(const WarpAccess &access, double length, double unit) {
  if (access.first < 0) return 1 + (length - access.bytes) / unit; // it begins at any access
  return std::ceil((std::fmod(access.first, unit) + length) / unit);
}

} // namespace

double unitsTouched(const WarpAccess &access, double unit) {
  // By rising stride: what lies closer together than it is long grows, else there are more pieces.
  std::array<std::size_t, 3> order{0, 1, 2};
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::abs(access.strides[i]); });
  double pieces = 1, length = access.bytes;
  for (const std::size_t i : order) {
    const double stride = std::abs(access.strides[i]);
    const auto lanes = static_cast<double>(access.lanes[i]);
    if (stride <= std::max(length, unit))
      length += (lanes - 1) * stride;
    else
      pieces *= lanes;
  }
  const auto threads = static_cast<double>(access.lanes[0] * access.lanes[1] * access.lanes[2]);
  const double places =
      1 + kReached * (std::min(access.places, std::max(1.0, access.scattered / unit)) - 1);
  return std::min(pieces * touchedBy(access, length, unit) * places,
                  threads * std::max(1.0, access.bytes / unit));
}

double bankPasses(const WarpAccess &access) {
  constexpr int kMostWords = 4; // of one access
  const int width = std::clamp(static_cast<int>(access.bytes / kBankBytes), 1, kMostWords);
  std::array<std::int64_t, kBanks * kMostWords> words{};
  int count = 0, lane = 0;
  for (std::int64_t z = 0; z < access.lanes[2]; ++z)
    for (std::int64_t y = 0; y < access.lanes[1]; ++y)
      for (std::int64_t x = 0; x < access.lanes[0] && lane < kBanks; ++x, ++lane) {
        const double bytes = static_cast<double>(x) * access.strides[0] +
                             static_cast<double>(y) * access.strides[1] +
                             static_cast<double>(z) * access.strides[2];
        const auto word = static_cast<std::int64_t>(std::floor(bytes / kBankBytes));
        for (int w = 0; w < width; ++w)
          words[static_cast<std::size_t>(count++)] = word + w;
      }
  std::sort(words.begin(), words.begin() + count);
  const auto end = std::unique(words.begin(), words.begin() + count);
  std::array<int, kBanks> asked{};
  for (auto word = words.begin(); word != end; ++word)
    ++asked[static_cast<std::size_t>(*word & (kBanks - 1))];
  return static_cast<double>(*std::ranges::max_element(asked));
}

} // namespace tessera::cost
