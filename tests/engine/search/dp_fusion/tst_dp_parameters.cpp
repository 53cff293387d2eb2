// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/dp_parameters.h"

#include <gmock/gmock.h>

namespace tessera::search {
namespace {

using ::testing::ElementsAre;
using Given = std::vector<std::pair<std::string, std::string>>;

DpParameters with(const Given &given) {
  const auto values = parameterValues(dpFusionTable(), "dp-fusion", given);
  EXPECT_TRUE(values);
  return values ? dpParameters(*values) : DpParameters{};
}

// Table 3, from w1 to w7.
TEST(DpParameters, HavePresetsOfThePapersGpus) {
  EXPECT_THAT(with({{"PRESET", "gtx-1080-ti"}}).weights, ElementsAre(50, 0.5, 45, 20, 2, 100, 1));
  EXPECT_THAT(with({{"PRESET", "v100"}}).weights, ElementsAre(50, 0.5, 60, 10, 2, 100, 1));
  EXPECT_THAT(with({{"PRESET", "h200"}}).weights, ElementsAre(50, 0.5, 30, 40, 2, 300, 3));
  EXPECT_EQ(with({}), with({{"PRESET", "v100"}}));
}

TEST(DpParameters, EachNameSetsItsOwn) {
  for (const Parameter &one : dpFusionTable().parameters) {
    const double value = one.standard == one.least ? one.most : one.least;
    EXPECT_NE(dpParameters({{std::string(one.name), value}}), DpParameters{}) << one.name;
    EXPECT_EQ(dpParameters({{std::string(one.name), one.standard}}), DpParameters{}) << one.name;
  }
  EXPECT_EQ(with({{"W3", "7"}}).weight(3), 7);
  EXPECT_EQ(with({{"MAX_TILE", "8"}}).maxTile, 8);
  EXPECT_EQ(with({{"MAX_GROUPS", "9"}}).maxGroups, 9);
  EXPECT_EQ(with({{"MAX_REG_PER_TH", "99"}}).maxRegisters, 99);
  EXPECT_EQ(with({{"ALL_TILES", "0"}}).allTiles, 0);
  EXPECT_EQ(with({{"TXS_PER_TILE", "0"}}).transactionsPerTile, 0);
}

TEST(DpParameters, HaveAGridToRefitBy) {
  const auto points = gridPoints(dpFusionTable(), "dp-fusion", "48", {});
  ASSERT_TRUE(points);
  EXPECT_EQ(points->size(), 48U);
}

} // namespace
} // namespace tessera::search
