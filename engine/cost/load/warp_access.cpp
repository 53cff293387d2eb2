// SPDX-License-Identifier: MIT
#include "engine/cost/load/warp_access.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tessera::cost {

namespace {

constexpr int kBanks = 32;
constexpr double kBankBytes = 4;
// Fraction of the possible places that a warp reaches if data choose.
constexpr double kReached = 0.5;

// The number of memory units of `unit` bytes that a contiguous piece of `length` bytes touches.
double touchedBy(const WarpAccess &access, double length, double unit) {
  if (access.first < 0) return 1 + (length - access.bytes) / unit; // it may begin anywhere
  return std::ceil((beyond(access.first, unit) + length) / unit);
}

bool isSame(const WarpAccess &a, const WarpAccess &b) {
  return a.lanes == b.lanes && a.strides == b.strides && a.bytes == b.bytes &&
         a.places == b.places && a.scattered == b.scattered;
}

std::size_t hashOf(const WarpAccess &access) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  constexpr int kTop = 32;
  std::uint64_t hash = std::bit_cast<std::uint64_t>(access.bytes + access.places);
  for (std::size_t d = 0; d < access.lanes.size(); ++d) {
    hash = (hash ^ static_cast<std::uint64_t>(access.lanes[d])) * kOdd;
    hash = (hash ^ std::bit_cast<std::uint64_t>(access.strides[d])) * kOdd;
    hash ^= hash >> kTop;
  }
  return hash;
}

// The index of the bank word at an offset in bytes, rounded down. Calling std::floor for each
// thread of a warp took more time than the rest of the prediction of a stage.
std::int64_t wordAt(double bytes) {
  const double words = bytes / kBankBytes;
  const auto cut = static_cast<std::int64_t>(words);
  return static_cast<double>(cut) > words ? cut - 1 : cut;
}

// The distance in bytes from a thread's own address to the place that data choose for it, which is
// taken as pseudo-random.
double chosenFor(int lane, const WarpAccess &access) {
  constexpr std::uint32_t kOdd = 0x9e3779b9;
  constexpr int kTop = 16;
  const auto reached = static_cast<std::uint32_t>(1 + kReached * (access.places - 1));
  if (reached <= 1) return 0;
  const std::uint32_t chosen = (static_cast<std::uint32_t>(lane + 1) * kOdd >> kTop) % reached;
  return chosen * (access.scattered / access.places);
}

} // namespace

double unitsTouched(const WarpAccess &access, double unit) {
  // Dimensions are taken by rising stride. A stride that is not larger than a piece or a unit
  // extends the piece; a larger one multiplies the pieces.
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

double linesLookedUp(const WarpAccess &access) {
  constexpr double kMost = 8, kWeight = 1.3; // fitted, see tests/campaigns/times
  const double lines = unitsTouched(access, kLineBytes);
  const bool isGathered = access.places > 1 && access.scattered > kLineBytes;
  return isGathered ? kWeight * std::min(lines, kMost) : lines;
}

double bankPasses(const WarpAccess &access) {
  constexpr int kMostWords = 4; // largest number of words per access of a thread
  constexpr std::int16_t kEnd = -1;
  const int width = std::clamp(static_cast<int>(access.bytes / kBankBytes), 1, kMostWords);
  // For each bank, a linked list of the different words that the warp accesses there.
  std::array<std::int64_t, kBanks * kMostWords> words;
  std::array<std::int16_t, kBanks * kMostWords> next;
  std::array<std::int16_t, kBanks> chains;
  std::array<int, kBanks> asked{};
  chains.fill(kEnd);
  std::int16_t count = 0;
  int most = 0;
  const auto ask = [&](std::int64_t word) {
    const auto bank = static_cast<std::size_t>(word & (kBanks - 1));
    for (std::int16_t i = chains[bank]; i != kEnd; i = next[static_cast<std::size_t>(i)])
      if (words[static_cast<std::size_t>(i)] == word) return;
    words[static_cast<std::size_t>(count)] = word;
    next[static_cast<std::size_t>(count)] = chains[bank];
    chains[bank] = count++;
    most = std::max(most, ++asked[bank]);
  };
  int lane = 0;
  for (std::int64_t z = 0; z < access.lanes[2]; ++z)
    for (std::int64_t y = 0; y < access.lanes[1]; ++y)
      for (std::int64_t x = 0; x < access.lanes[0] && lane < kBanks; ++x, ++lane) {
        const std::int64_t word =
            wordAt(static_cast<double>(x) * access.strides[0] +
                   static_cast<double>(y) * access.strides[1] +
                   static_cast<double>(z) * access.strides[2] + chosenFor(lane, access));
        for (int w = 0; w < width; ++w)
          ask(word + w);
      }
  return static_cast<double>(most);
}

double KnownBankPasses::of(const WarpAccess &access) {
  Entry &entry = m_entries[hashOf(access) % kEntries];
  if (entry.passes == 0 || !isSame(entry.access, access)) entry = {access, bankPasses(access)};
  return entry.passes;
}

} // namespace tessera::cost
