// SPDX-License-Identifier: MIT
#include "engine/chart/log_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace tessera::chart {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

TEST(LogAxis, ShowsAQuarterOfADecadeMoreAtMost) {
  LogAxis axis;
  axis.show(1);
  axis.show(100);
  axis.fit(0, 250);
  EXPECT_NEAR(axis.least(), std::pow(10, -0.25), 1e-12);
  EXPECT_NEAR(axis.most(), std::pow(10, 2.25), 1e-9);
  EXPECT_DOUBLE_EQ(axis.perDecade(), 100); // 250 pixels over two and a half decades
  EXPECT_NEAR(axis.at(1), 25, 1e-9);
  EXPECT_NEAR(axis.at(10), 125, 1e-9);
}

TEST(LogAxis, MayRunUpwards) {
  LogAxis axis;
  axis.show(1);
  axis.show(100);
  axis.fit(250, 0);
  EXPECT_NEAR(axis.at(1), 225, 1e-9);
  EXPECT_NEAR(axis.at(100), 25, 1e-9);
}

TEST(LogAxis, StepsAreRound) {
  LogAxis axis;
  axis.show(1);
  axis.show(20);
  axis.fit(0, 1);
  EXPECT_THAT(axis.steps(), Pointwise(DoubleNear(1e-9), {1.0, 2.0, 5.0, 10.0, 20.0}));
  EXPECT_TRUE(LogAxis::isDecade(10));
  EXPECT_TRUE(LogAxis::isDecade(1e12));
  EXPECT_FALSE(LogAxis::isDecade(20));
}

TEST(LogAxis, WithNothingToShowHasARange) {
  LogAxis axis;
  for (const double nothing : {0.0, -1.0, std::numeric_limits<double>::infinity()})
    axis.show(nothing);
  axis.fit(0, 1);
  EXPECT_LT(axis.least(), 1);
  EXPECT_GT(axis.most(), 1);
}

} // namespace
} // namespace tessera::chart
