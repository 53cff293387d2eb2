// SPDX-License-Identifier: MIT
#include "engine/search/auto/tile_screen.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

namespace tessera::search {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::Field;

std::vector<Tile> allTiles(std::vector<Turns> turns = {Turns::Loops}) {
  std::vector<Tile> tiles;
  for (const Turns turn : turns)
    for (const std::int64_t x : {8, 16, 32, 64, 128, 256})
      for (const std::int64_t y : {1, 2, 4, 8, 16, 32})
        for (const std::int64_t across : {1, 2, 4})
          for (const std::int64_t down : {1, 2, 3, 4, 6, 8})
            tiles.push_back({.threads = {x, y}, .points = {across, down}, .turns = turn});
  return tiles;
}

// Returns a time that grows with the tile's distance from the best tile, in factors of two.
double awayFrom(const Tile &best, const Tile &tile) {
  double octaves = 0;
  for (std::size_t d = 0; d < 2; ++d)
    octaves += std::abs(std::log2(static_cast<double>(tile.threads[d]) /
                                  static_cast<double>(best.threads[d]))) +
               std::abs(std::log2(static_cast<double>(tile.points[d]) /
                                  static_cast<double>(best.points[d])));
  return 1 + octaves / 10;
}

// Returns the tiles that predictPromising() predicts, if `secondsOf` gives the time of each tile.
template <typename SecondsOf>
std::vector<Tile> predicted(const std::vector<Tile> &tiles, double now, SecondsOf secondsOf) {
  std::vector<Tile> asked;
  predictPromising(tiles, now, [&](const Tile &tile) -> std::optional<double> {
    asked.push_back(tile);
    return secondsOf(tile);
  });
  return asked;
}

TEST(TileScreen, FindsTheFastestOfManyByFew) {
  const std::vector<Tile> tiles = allTiles();
  for (const Tile &best : tiles) {
    const std::vector<Tile> asked =
        predicted(tiles, 1.5, [&](const Tile &tile) { return awayFrom(best, tile); });
    ASSERT_TRUE(std::ranges::find(asked, best) != asked.end());
    ASSERT_EQ(std::set(asked.begin(), asked.end()).size(), asked.size()); // no tile twice
    ASSERT_LT(asked.size(), tiles.size() / 2);
  }
}

TEST(TileScreen, FromWhatIsFarFromTheBestItDoesNotGoOn) {
  const std::vector<Tile> asked =
      predicted(allTiles({Turns::Loops, Turns::Unrolled}), 1.5, [](const Tile &tile) {
        return awayFrom({.threads = {32, 8}}, tile) * (tile.turns == Turns::Unrolled ? 2 : 1);
      });
  std::vector<Tile> slow;
  std::ranges::copy_if(asked, std::back_inserter(slow),
                       [](const Tile &tile) { return tile.turns == Turns::Unrolled; });
  EXPECT_THAT(slow, Each(Field(&Tile::points, AnyOf(std::array<std::int64_t, 2>{1, 1},
                                                    std::array<std::int64_t, 2>{1, 4}))));
  EXPECT_FALSE(slow.empty());
}

TEST(TileScreen, FromSamplesThatAreFarFromWhatThereIsItDoesNotGoOn) {
  const std::vector<Tile> asked = predicted(allTiles(), 0.5, [](const Tile &) { return 1.0; });
  // Only the samples are predicted: all ways to make 128 and 512 threads, with one point and with
  // four. All are far from the time reached so far, which is 0.5.
  EXPECT_EQ(asked.size(), 2 * (5 + 5));
}

TEST(TileScreen, WhereNoSampleIsAmongThemAllArePredicted) {
  std::vector<Tile> tiles = allTiles();
  std::erase_if(tiles, [](const Tile &tile) { return tile.points[0] == 1; });
  EXPECT_EQ(predicted(tiles, 1, [](const Tile &) { return 2.0; }).size(), tiles.size());
}

} // namespace
} // namespace tessera::search
