// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/course.h"

#include <gtest/gtest.h>

namespace tessera::schedule {
namespace {

using Ends = Course::Ends;

Course tiles(Ends ends, std::int64_t size, bool isKnown = true) {
  Course course;
  course.isKnown = isKnown;
  course.tile(ends, size);
  return course;
}

TEST(Course, ADivisionThatTilesMeetLeavesTheirEndsTogether) {
  Course halves = tiles(Ends::Cut, 8);
  halves.divide(4);
  EXPECT_EQ(halves.ends, Ends::Cut);
  EXPECT_EQ(halves.step, 2U);
  EXPECT_EQ(halves.rounded, 0U);
}

TEST(Course, ADivisionThatTheyDoNotMeetPartsThemBehindAGuard) {
  Course cut = tiles(Ends::Cut, 3), shifted = tiles(Ends::Together, 3);
  cut.divide(2);
  shifted.divide(2);
  EXPECT_EQ(cut.ends, Ends::Apart);
  EXPECT_EQ(shifted.ends, Ends::Together);
}

TEST(Course, QuotientsThatAreRoundedDifferentlyAreApart) {
  Course half = tiles(Ends::Together, 1), quarters = half, again = half;
  half.divide(2);
  again.divide(2);
  quarters.divide(4);
  quarters.multiply(2);
  Course alike = half;
  alike.join(again);
  EXPECT_EQ(alike.ends, Ends::Together);
  half.join(quarters);
  EXPECT_EQ(half.ends, Ends::Apart);
}

TEST(Course, AQuarterIsHalfOfAHalf) {
  Course quarter = tiles(Ends::Together, 1), halves = quarter;
  quarter.divide(4);
  halves.divide(2);
  halves.divide(2);
  EXPECT_EQ(quarter, halves);
}

TEST(Course, AClampPartsEndsUnlessAllIsKnownOrItIsAPoint) {
  Course known = tiles(Ends::Together, 32), unknown = tiles(Ends::Together, 32, false);
  Course point = unknown, cut = tiles(Ends::Cut, 32);
  known.clamp(false);
  unknown.clamp(false);
  point.clamp(true);
  cut.clamp(false);
  EXPECT_EQ(known.ends, Ends::Cut);
  EXPECT_EQ(unknown.ends, Ends::Apart);
  EXPECT_EQ(point.ends, Ends::Cut);
  EXPECT_EQ(cut.ends, Ends::Apart);
}

TEST(Course, WhatStandsStillStaysSoAndTakesTheOthersCourse) {
  Course still, moves = tiles(Ends::Together, 4);
  still.divide(3);
  still.clamp(false);
  EXPECT_EQ(still, Course());
  still.join(moves);
  EXPECT_EQ(still, moves);
}

TEST(Course, TilesOfATileAreNoFurtherApartThanItsEnds) {
  Course apart = tiles(Ends::Cut, 3);
  apart.divide(2);
  ASSERT_EQ(apart.ends, Ends::Apart);
  apart.tile(Ends::Together, 4);
  EXPECT_EQ(apart.ends, Ends::Cut);
  EXPECT_EQ(apart.step, 1U);
}

} // namespace
} // namespace tessera::schedule
