// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_tiles.h"

#include <algorithm>

namespace tessera::search {
namespace {

constexpr std::int64_t kTiledFrom = 64;
constexpr std::int64_t kLongFrom = 1024;

std::int64_t smallest(std::int64_t extent) { return extent >= kTiledFrom ? 8 : 2; }

std::int64_t largest(std::int64_t extent, int tiledDims) {
  if (extent < kLongFrom) return extent / 2;
  return tiledDims == 1 ? extent / 128 : extent / 32;
}

} // namespace

std::vector<bool> autoGpuTiledDims(std::span<const std::int64_t> extents) {
  std::vector<bool> tiled;
  for (const std::int64_t extent : extents)
    tiled.push_back(extent >= kTiledFrom);
  const bool none = std::ranges::find(tiled, true) == tiled.end();
  if (none && !extents.empty())
    tiled[static_cast<std::size_t>(std::ranges::max_element(extents) - extents.begin())] = true;
  return tiled;
}

std::vector<std::int64_t> autoGpuTileSizes(std::int64_t extent, int tiledDims, AutoGpuPhase phase) {
  const std::int64_t last = largest(extent, tiledDims);
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = smallest(extent); size <= last;
       size = phase == AutoGpuPhase::Grouping ? size * 2 : size + 2)
    sizes.push_back(size);
  if (sizes.empty()) sizes.push_back(extent);
  return sizes;
}

} // namespace tessera::search
