// SPDX-License-Identifier: MIT
#include "engine/chart/turned_box.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera::chart {
namespace {

constexpr Box kUnit{0, 0, 10, 2};

TEST(TurnedBox, AQuarterTurnIsClockwise) {
  const TurnedBox box({100, 50}, kUnit, 90); // right becomes down, and down becomes left
  EXPECT_NEAR(box.corners()[1].x, 100, 1e-9);
  EXPECT_NEAR(box.corners()[1].y, 60, 1e-9);
  EXPECT_NEAR(box.corners()[2].x, 98, 1e-9);
  EXPECT_NEAR(box.corners()[2].y, 60, 1e-9);
}

TEST(TurnedBox, BoxesThatShareASideDoNotTouch) {
  const TurnedBox box(Box{0, 0, 10, 10});
  EXPECT_FALSE(box.touches(Box{10, 0, 20, 10}));
  EXPECT_TRUE(box.touches(Box{9.9, 9.9, 20, 20}));
  EXPECT_FALSE(box.touches(Box{9.9, 10.1, 20, 20}));
  EXPECT_TRUE(box.touches(Box{4, 4, 5, 5})); // the other box is inside
  EXPECT_TRUE(TurnedBox(Box{4, 4, 5, 5}).touches(box));
}

// A diagonal stripe, and a box in a corner of its bounding box.
TEST(TurnedBox, WhatIsBesideASlantedOneDoesNotTouchIt) {
  const TurnedBox stripe = TurnedBox::along({0, 0}, {100, 100}, 2);
  EXPECT_FALSE(stripe.touches(Box{60, 10, 80, 40}));
  EXPECT_FALSE(stripe.touches(Box{52, 10, 60, 50})); // the corner is 1.41 from the middle line
  EXPECT_TRUE(stripe.touches(Box{51, 10, 60, 50}));  // the corner is 0.71 from the middle line
  EXPECT_TRUE(stripe.touches(TurnedBox::along({0, 100}, {100, 0}, 2)));
  EXPECT_FALSE(stripe.touches(TurnedBox::along({10, 0}, {110, 100}, 2)));
}

TEST(TurnedBox, PiecesCoverIt) {
  const TurnedBox box({10, 10}, {0, -10, 60, 3}, -40);
  const auto pieces = box.pieces();
  EXPECT_EQ(pieces.size(), 5U);
  for (double along = 0.5; along < 60; along += 1)
    for (double down = -9.5; down < 3; down += 1) {
      const double angle = -40 * std::numbers::pi / 180;
      const Point at{10 + along * std::cos(angle) - down * std::sin(angle),
                     10 + along * std::sin(angle) + down * std::cos(angle)};
      EXPECT_TRUE(std::ranges::any_of(pieces,
                                      [&](const Box &piece) {
                                        return at.x >= piece.left && at.x <= piece.right &&
                                               at.y >= piece.top && at.y <= piece.bottom;
                                      }))
          << along << " " << down;
    }
}

TEST(TurnedBox, IsWithinWhereAllCornersAre) {
  const Box frame{0, 0, 20, 20};
  EXPECT_TRUE(TurnedBox({5, 5}, kUnit, 45).isWithin(frame));
  EXPECT_FALSE(TurnedBox({15, 5}, kUnit, 45).isWithin(frame));
}

} // namespace
} // namespace tessera::chart
