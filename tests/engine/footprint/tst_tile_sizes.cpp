// SPDX-License-Identifier: MIT
#include "engine/footprint/tile_sizes.h"

#include "engine/footprint/footprint_json.h"
#include "engine/schedule/rules/legality.h"
#include "tests/engine/footprint/footprinted.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tessera::footprint {
namespace {

using schedule::Schedule;
using schedule::testing::scheduled;
using schedule::testing::stageOf;
using ::testing::HasSubstr;
using testing::kFigure4;
using testing::kNested;

std::vector<TileEdge> edgesOf(const Schedule &schedule, Level level) {
  return tileEdges(schedule, {}, stageOf(schedule, "z"), level);
}

TEST(TileSizes, EachLegalSizeGivesThatTile) {
  const Schedule schedule = scheduled(kFigure4, kNested);
  for (const Level level : {Level::Block, Level::Thread})
    for (const TileEdge &edge : edgesOf(schedule, level)) {
      ASSERT_TRUE(edge.isMovable()) << edge.whyNot;
      int legal = 0;
      for (const TileSize &size : tileSizes(schedule, edge, {})) {
        EXPECT_NE(size.size, edge.size);
        EXPECT_EQ(size.isLegal(), size.refusal.empty());
        if (!size.isLegal()) continue;
        ++legal;
        EXPECT_TRUE(schedule::isLegal(*size.after, {}));
        EXPECT_EQ(edgesOf(*size.after, level)[edge.loop].size, size.size) << size.edit.value;
      }
      EXPECT_GT(legal, 0) << edge.name << " " << name(level);
    }
}

TEST(TileSizes, ARefusedSizeSaysWhy) {
  const Schedule schedule = scheduled(kFigure4, kNested);
  const std::vector<TileEdge> edges = edgesOf(schedule, Level::Block);
  EXPECT_EQ(edges[1].size, 12);
  const std::vector<TileSize> sizes = tileSizes(schedule, edges[1], {});
  const auto large = std::ranges::find(sizes, 64, &TileSize::size); // 32 × 68 threads of W
  ASSERT_NE(large, sizes.end());
  EXPECT_FALSE(large->isLegal());
  EXPECT_THAT(large->refusal, HasSubstr("threads"));
  const auto small = std::ranges::find(sizes, 8, &TileSize::size);
  ASSERT_NE(small, sizes.end());
  EXPECT_TRUE(small->isLegal()) << small->refusal;
}

// An edge that is dragged goes to the nearest size that is offered.
TEST(TileSizes, OfferNoLargeGaps) {
  const Schedule wide = scheduled("input in 4096 64\nfunc z(x y) 4096 64 = in(x; y)\noutput z\n",
                                  "z split x xo xi 32 guard_with_if | reorder xi y xo | "
                                  "gpu_threads xi | gpu_blocks y xo");
  const TileEdge edge = edgesOf(wide, Level::Block)[0];
  ASSERT_TRUE(edge.isMovable()) << edge.whyNot;
  std::vector<std::int64_t> offered{edge.size};
  for (const TileSize &size : tileSizes(wide, edge, {}))
    offered.push_back(size.size);
  std::ranges::sort(offered);
  EXPECT_EQ(offered.back(), 1024);
  for (std::size_t i = 1; i < offered.size(); ++i)
    EXPECT_LE(4 * offered[i], std::max(4 * (offered[i - 1] + 1), 5 * offered[i - 1])) << offered[i];
}

TEST(TileSizes, AStopEndsThem) {
  const Schedule schedule = scheduled(kFigure4, kNested);
  std::stop_source stop;
  int found = 0;
  tileSizes(schedule, edgesOf(schedule, Level::Block)[0], {}, stop.get_token(), [&](TileSize) {
    ++found;
    stop.request_stop();
  });
  EXPECT_EQ(found, 1);
}

TEST(TileSizes, AnEdgeThatCannotMoveSaysWhy) {
  const Schedule schedule = scheduled(kFigure4, kNested);
  for (const Level level : {Level::Warp, Level::Grid})
    for (const TileEdge &edge : edgesOf(schedule, level)) {
      EXPECT_FALSE(edge.isMovable());
      EXPECT_TRUE(tileSizes(schedule, edge, {}).empty());
    }
  const Schedule rows = scheduled("input in 64 64\nfunc z(x y) 64 64 = in(x; y)\noutput z\n",
                                  "z gpu_threads x | gpu_blocks y");
  const std::vector<TileEdge> edges = edgesOf(rows, Level::Block);
  EXPECT_THAT(edges[0].whyNot, HasSubstr("not split into tiles"));
}

TEST(TileSizes, AreInTheJson) {
  const Schedule schedule = scheduled(kFigure4, kNested);
  const TileEdge edge = edgesOf(schedule, Level::Block)[1];
  const auto json = toJson(edge, tileSizes(schedule, edge, {}));
  EXPECT_EQ(json["loop"], "y");
  EXPECT_EQ(json["size"], 12);
  EXPECT_TRUE(json["fixed_because"].is_null());
  EXPECT_EQ(json["sizes"][0]["size"], 1);
  EXPECT_FALSE(json["sizes"].back()["legal"]);
  EXPECT_NE(json["sizes"].back()["refusal"], "");
}

} // namespace
} // namespace tessera::footprint
