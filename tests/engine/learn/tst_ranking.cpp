// SPDX-License-Identifier: MIT
#include "engine/learn/ranking.h"

#include <gmock/gmock.h>

#include <vector>

namespace tessera::learn {
namespace {

double correlation(const std::vector<double> &a, const std::vector<double> &b) {
  return rankCorrelation(a, b);
}

TEST(Ranking, OnlyTheOrderCounts) {
  EXPECT_DOUBLE_EQ(correlation({1, 2, 3, 4}, {10, 20, 30, 1000}), 1);
  EXPECT_DOUBLE_EQ(correlation({4, 3, 2, 1}, {10, 20, 30, 1000}), -1);
  // One pair is the wrong way round: 1 - 6 · 2 / (4 · 15)
  EXPECT_DOUBLE_EQ(correlation({1, 3, 2, 4}, {10, 20, 30, 1000}), 0.8);
}

TEST(Ranking, EqualValuesShareARank) {
  // Ranks 0.5, 0.5, 2, 3 against 0, 1, 2, 3, as Pearson's coefficient of the ranks
  EXPECT_NEAR(correlation({7, 7, 8, 9}, {1, 2, 3, 4}), 0.9486833, 1e-7);
  EXPECT_DOUBLE_EQ(correlation({5, 5, 5}, {1, 2, 3}), 0) << "nothing is ranked";
}

TEST(Ranking, OfLessThanTwoThereIsNone) {
  EXPECT_DOUBLE_EQ(correlation({}, {}), 0);
  EXPECT_DOUBLE_EQ(correlation({1}, {1}), 0);
}

TEST(Ranking, TheBestOfThoseThatLookFastest) {
  const std::vector<double> predicted{3, 1, 2, 4}, measured{10, 30, 20, 8};
  EXPECT_DOUBLE_EQ(bestOf(1, predicted, measured), 30.0 / 8);
  EXPECT_DOUBLE_EQ(bestOf(2, predicted, measured), 20.0 / 8);
  EXPECT_DOUBLE_EQ(bestOf(4, predicted, measured), 1);
  EXPECT_DOUBLE_EQ(bestOf(24, predicted, measured), 1) << "there are no more";
  EXPECT_DOUBLE_EQ(bestOf(24, {}, {}), 1);
}

} // namespace
} // namespace tessera::learn
