// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/polymage_like.h"

#include <algorithm>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;

namespace {

constexpr std::int64_t kSpatialFrom = 16; // points; shorter ones are channels, bins or taps
constexpr std::size_t kTiledDims = 2;

bool isAffine(const Pipeline &pipeline, FuncId func) {
  return std::ranges::all_of(
      pipeline.edgesInto(pipeline.func(func).firstStage), [&](pipeline::EdgeId id) {
        return std::ranges::all_of(pipeline.edge(id).maps, [](const auto &maps) {
          return std::ranges::all_of(maps, [](const pipeline::IndexMap &map) {
            return map.precision != pipeline::Precision::Whole;
          });
        });
      });
}

} // namespace

bool isPolyhedral(const Pipeline &pipeline, const MullapudiGroup &group) {
  const auto isPure = [&](FuncId func) {
    const auto stages = pipeline.stagesOf(func);
    return stages.size() == 1 && isAffine(pipeline, func);
  };
  return std::ranges::all_of(group.members, isPure) && std::ranges::all_of(group.inlined, isPure);
}

std::vector<std::int64_t> onlyTile(const Pipeline &pipeline, FuncId output,
                                   const MullapudiParameters &parameters) {
  std::vector<std::int64_t> tile;
  std::size_t tiled = 0;
  for (const pipeline::Interval &side : pipeline.func(output).region) {
    const std::int64_t extent = std::max<std::int64_t>(1, side.extent());
    if (extent < kSpatialFrom || tiled == kTiledDims) {
      tile.push_back(extent);
      continue;
    }
    const double size = tiled++ == 0 ? parameters.tileX : parameters.tileY;
    tile.push_back(std::min(extent, static_cast<std::int64_t>(size)));
  }
  if (tiled < kTiledDims) tile.clear();
  return tile;
}

} // namespace tessera::search
