// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_tiles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace tessera::search {

namespace {

using TileSizes = std::vector<std::int64_t>;

// The paper gives no sizes. These are those of Halide's autoscheduler of the same authors.
constexpr auto kSizes = std::to_array<std::int64_t>({1, 4, 8, 16, 32, 64, 128, 256});
constexpr std::size_t kThreadDims = 3;

} // namespace

std::vector<std::size_t> byReuse(std::span<const double> reuse) {
  std::vector<std::size_t> dims(reuse.size());
  std::iota(dims.begin(), dims.end(), std::size_t{0});
  std::ranges::stable_sort(dims, std::greater(), [&](std::size_t d) { return reuse[d]; });
  return dims;
}

std::vector<TileSizes> mullapudiTiles(std::span<const std::int64_t> extents,
                                      std::span<const double> reuse,
                                      const MullapudiParameters &parameters) {
  std::vector<TileSizes> tiles;
  const auto keep = [&](TileSizes tile) {
    if (!tile.empty())
      tile[0] = std::max(tile[0], static_cast<std::int64_t>(parameters.vectorWidth));
    for (std::size_t d = 0; d < tile.size(); ++d)
      tile[d] = std::clamp<std::int64_t>(tile[d], 1, std::max<std::int64_t>(1, extents[d]));
    if (std::ranges::find(tiles, tile) == tiles.end()) tiles.push_back(std::move(tile));
  };
  for (const std::int64_t size : kSizes)
    keep(TileSizes(extents.size(), size));
  std::vector<std::size_t> elongated = byReuse(reuse);
  std::erase_if(elongated, [&](std::size_t d) { return extents[d] <= 1; });
  for (std::size_t longDims = 1; longDims < elongated.size(); ++longDims)
    for (const std::int64_t size : kSizes)
      for (const std::int64_t length : kSizes) {
        if (length <= size) continue;
        TileSizes tile(extents.size(), size);
        for (std::size_t i = 0; i < longDims; ++i)
          tile[elongated[i]] = length;
        keep(std::move(tile));
      }
  return tiles;
}

std::vector<bool> tileThreads(std::span<const std::int64_t> tile) {
  std::vector<bool> threads(tile.size());
  std::size_t used = 0;
  for (std::size_t d = 0; d < tile.size(); ++d)
    threads[d] = tile[d] > 1 && used++ < kThreadDims;
  return threads;
}

TileSizes untiledBlock(std::span<const std::int64_t> extents,
                       const MullapudiParameters &parameters) {
  const auto target = static_cast<std::int64_t>(parameters.targetThreadsPerBlock);
  const auto rounded = [](std::int64_t extent) {
    return static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(1, extent))));
  };
  TileSizes tile(extents.size(), 1);
  std::int64_t threads = 1;
  std::size_t used = 0;
  for (std::size_t d = 0; d < extents.size() && used < kThreadDims; ++d) {
    std::int64_t size = std::min(rounded(extents[d]), std::max<std::int64_t>(1, target / threads));
    if (d == 0) size = std::min(size, static_cast<std::int64_t>(parameters.vectorWidth));
    if (size <= 1) continue;
    tile[d] = size;
    threads *= size;
    ++used;
  }
  // There are no further dimensions: the innermost one takes what is left.
  if (!tile.empty() && threads < target)
    tile[0] = std::min(rounded(extents[0]), tile[0] * std::max<std::int64_t>(1, target / threads));
  return tile;
}

} // namespace tessera::search
