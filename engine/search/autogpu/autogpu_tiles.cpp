// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_tiles.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

namespace tessera::search {
namespace {

constexpr std::int64_t kTiledFrom = 64;
constexpr std::int64_t kLongFrom = 1024;

std::int64_t smallest(std::int64_t extent) { return extent >= kTiledFrom ? 8 : 2; }

std::int64_t largest(std::int64_t extent, int tiledDims) {
  if (extent < kLongFrom) return extent / 2;
  return tiledDims == 1 ? extent / 128 : extent / 32;
}

std::vector<bool> firstAndLongest(std::span<const std::int64_t> extents) {
  constexpr std::ptrdiff_t kMost = 3, kFew = 2;
  constexpr std::int64_t kLong = 16, kLongOfFew = 8;
  std::vector<bool> tiled(extents.size());
  if (extents.empty()) return tiled;
  tiled.front() = true;
  std::vector<std::size_t> longest(extents.size());
  std::iota(longest.begin(), longest.end(), std::size_t{0});
  std::ranges::stable_sort(longest, std::greater(), [&](std::size_t d) { return extents[d]; });
  const auto count = [&] { return std::ranges::count(tiled, true); };
  const auto tile = [&](std::int64_t above) {
    for (const std::size_t d : longest)
      if (count() < kMost && extents[d] > above) tiled[d] = true;
  };
  tile(kLong);
  if (count() < kFew) tile(kLongOfFew);
  return tiled;
}

} // namespace

std::vector<bool> autoGpuTiledDims(std::span<const std::int64_t> extents, AutoGpuReading reading) {
  if (reading == AutoGpuReading::Artifact) return firstAndLongest(extents);
  std::vector<bool> tiled;
  for (const std::int64_t extent : extents)
    tiled.push_back(extent >= kTiledFrom);
  const bool none = std::ranges::find(tiled, true) == tiled.end();
  if (none && !extents.empty())
    tiled[static_cast<std::size_t>(std::ranges::max_element(extents) - extents.begin())] = true;
  return tiled;
}

std::vector<std::int64_t> autoGpuTileSizes(std::int64_t extent, int tiledDims, AutoGpuPhase phase,
                                           std::int64_t ceiling) {
  const std::int64_t last =
      std::min(largest(extent, tiledDims), std::max(smallest(extent), ceiling));
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = smallest(extent); size <= last;
       size = phase == AutoGpuPhase::Grouping ? size * 2 : size + 2)
    sizes.push_back(size);
  if (sizes.empty()) sizes.push_back(extent);
  return sizes;
}

} // namespace tessera::search
