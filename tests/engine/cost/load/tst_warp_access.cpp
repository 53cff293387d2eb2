// SPDX-License-Identifier: MIT
#include "engine/cost/load/warp_access.h"

#include <gtest/gtest.h>

namespace tessera::cost {
namespace {

// A warp of 32 threads in a row.
WarpAccess rowOf(double stride, double bytes = 4) { return {{32, 1, 1}, {stride, 0, 0}, bytes}; }

TEST(UnitsTouched, NeighboursShareUnits) {
  // 128 bytes that begin at a multiple of 4 bytes lie in one line in one of 32 cases, and in two
  // lines otherwise.
  EXPECT_DOUBLE_EQ(unitsTouched(rowOf(4), kLineBytes), 1 + 31.0 / 32);
  // They lie in 4 sectors in one of 8 cases, and in 5 sectors otherwise.
  EXPECT_DOUBLE_EQ(unitsTouched(rowOf(4), kSectorBytes), 4 + 7.0 / 8);
}

TEST(UnitsTouched, AllInOnePlaceIsOne) {
  EXPECT_DOUBLE_EQ(unitsTouched(rowOf(0), kLineBytes), 1);
  EXPECT_DOUBLE_EQ(unitsTouched(rowOf(0), kSectorBytes), 1);
}

TEST(UnitsTouched, FarApartEachHasItsOwn) {
  EXPECT_DOUBLE_EQ(unitsTouched(rowOf(128), kLineBytes), 32);
  EXPECT_DOUBLE_EQ(unitsTouched(rowOf(4096), kLineBytes), 32);
  EXPECT_DOUBLE_EQ(unitsTouched(rowOf(64), kSectorBytes), 32);
}

TEST(UnitsTouched, OfEveryOtherElementTwiceAsManyLines) {
  // The warp spans 31 * 8 + 4 = 252 bytes.
  EXPECT_DOUBLE_EQ(unitsTouched(rowOf(8), kLineBytes), 1 + 248.0 / 128);
}

TEST(UnitsTouched, BackwardsIsTheSame) {
  EXPECT_EQ(unitsTouched(rowOf(-4), kLineBytes), unitsTouched(rowOf(4), kLineBytes));
  EXPECT_EQ(unitsTouched(rowOf(-256), kLineBytes), unitsTouched(rowOf(256), kLineBytes));
}

TEST(UnitsTouched, TwoRowsAreTwoPiecesUnlessTheyAreClose) {
  WarpAccess access{{16, 2, 1}, {4, 1024, 0}, 4};
  EXPECT_DOUBLE_EQ(unitsTouched(access, kLineBytes), 2 * (1 + 60.0 / 128));
  access.strides[1] = 64; // the second row begins where the first ends
  EXPECT_EQ(unitsTouched(access, kLineBytes), unitsTouched(rowOf(4), kLineBytes));
}

TEST(UnitsTouched, WhereDataDecideTheyReachHalfOfThePlaces) {
  WarpAccess access = rowOf(0);
  access.scattered = 1280; // the data choose among 320 elements in ten lines
  access.places = 320;
  EXPECT_DOUBLE_EQ(unitsTouched(access, kLineBytes), 1 + 0.5 * (10 - 1));
  access.places = 3; // the data choose among 3 elements that are far apart
  EXPECT_DOUBLE_EQ(unitsTouched(access, kLineBytes), 1 + 0.5 * (3 - 1));
  access.scattered = 1 << 20; // more than 32 lines, but each thread reads only one
  access.places = 1 << 18;
  EXPECT_DOUBLE_EQ(unitsTouched(access, kLineBytes), 32);
}

TEST(LinesLookedUp, WhatDataChooseIsSlowerAndAtMostEightLines) {
  EXPECT_DOUBLE_EQ(linesLookedUp(rowOf(128)), 32);
  WarpAccess access = rowOf(0);
  access.scattered = 640; // elements in five lines
  access.places = 160;
  EXPECT_DOUBLE_EQ(linesLookedUp(access), 1.3 * (1 + 0.5 * (5 - 1)));
  access.scattered = 1 << 20;
  access.places = 1 << 18;
  EXPECT_DOUBLE_EQ(linesLookedUp(access), 1.3 * 8);
  access.scattered = 64; // half a line, so all elements are in one line
  access.places = 16;
  EXPECT_DOUBLE_EQ(linesLookedUp(access), 1);
}

TEST(UnitsTouched, FromAKnownAddressItIsExact) {
  WarpAccess access = rowOf(4);
  access.first = 0;
  EXPECT_EQ(unitsTouched(access, kLineBytes), 1);
  EXPECT_EQ(unitsTouched(access, kSectorBytes), 4);
  access.first = 4; // one element further, so that the last lies in the next unit
  EXPECT_EQ(unitsTouched(access, kLineBytes), 2);
  EXPECT_EQ(unitsTouched(access, kSectorBytes), 5);
  access.first = 256 + 4; // whole units before the first do not matter
  EXPECT_EQ(unitsTouched(access, kLineBytes), 2);
  EXPECT_EQ(unitsTouched({{16, 2, 1}, {4, 1024, 0}, 4, 0, 1, 64}, kLineBytes), 2);
}

TEST(BankPasses, ARowOfWordsIsOnePass) {
  EXPECT_EQ(bankPasses(rowOf(4)), 1);
  EXPECT_EQ(bankPasses(rowOf(1, 1)), 1); // four threads read each word
  EXPECT_EQ(bankPasses(rowOf(0)), 1);    // all threads read one word
}

TEST(BankPasses, StridesThatMeetInABank) {
  EXPECT_EQ(bankPasses(rowOf(8)), 2);    // words 0 and 32 share a bank, as do 2 and 34
  EXPECT_EQ(bankPasses(rowOf(32)), 8);   // a stride of 8 words reaches 4 banks
  EXPECT_EQ(bankPasses(rowOf(128)), 32); // all words are in bank 0
  EXPECT_EQ(bankPasses(rowOf(132)), 1);  // a stride of 33 words: no two words share a bank
}

TEST(BankPasses, OfSeveralRows) {
  EXPECT_EQ(bankPasses({{16, 2, 1}, {4, 64, 0}, 4}), 1);
  EXPECT_EQ(bankPasses({{16, 2, 1}, {4, 128, 0}, 4}), 2);
  EXPECT_EQ(bankPasses({{8, 2, 2}, {4, 128, 128}, 4}), 3); // words 0, 32 (twice) and 64 in bank 0
}

TEST(BankPasses, OfHalfAWarp) { EXPECT_EQ(bankPasses({{16, 1, 1}, {128, 0, 0}, 4}), 16); }

TEST(BankPasses, OfWhatDataChoose) {
  // Data choose among seven rows, of which the threads reach four. The words of these rows are in
  // the same bank unless each row is one word longer than 128 bytes.
  EXPECT_EQ(bankPasses({{32, 1, 1}, {0, 0, 0}, 4, 7 * 128.0, 7}), 4);
  EXPECT_EQ(bankPasses({{32, 1, 1}, {0, 0, 0}, 4, 7 * 132.0, 7}), 1);
  EXPECT_EQ(bankPasses({{32, 1, 1}, {0, 0, 0}, 4, 128, 1}), 1);
}

} // namespace
} // namespace tessera::cost
