// SPDX-License-Identifier: MIT
#include "engine/chart/roof_words.h"

#include <gtest/gtest.h>

namespace tessera::chart {
namespace {

constexpr Frame kFrame{0, 0, 300, 200};
// Ten letters of 6.6 pixels each. The box of a word reaches from 10 pixels above its foot to 3
// pixels below it.
const std::string kTen = "FP  1 op/s";

RoofLine flat(double y) {
  RoofLine roof;
  roof.from = {0, y};
  roof.to = {300, y};
  roof.label = kTen;
  return roof;
}

RoofLine slanted(cost::Level level) { // rises 4 pixels for each 3 to the right; 250 pixels long
  RoofLine roof;
  roof.level = level;
  roof.from = {50, 200};
  roof.to = {200, 0};
  roof.label = kTen;
  return roof;
}

TEST(RoofWords, AFlatRoofHasItsWordAtTheRightEndAboveIt) {
  RoofWords words(kFrame);
  RoofLine roof = flat(100);
  words.place(roof);
  EXPECT_TRUE(roof.labelEndsThere);
  EXPECT_DOUBLE_EQ(roof.labelAt.x, 294);
  EXPECT_DOUBLE_EQ(roof.labelAt.y, 95);
}

TEST(RoofWords, BelowWhereTheFrameOrAMarkIsAbove) {
  RoofWords words(kFrame);
  RoofLine top = flat(8); // above the line, the word would reach from y = −7 to y = 6
  words.place(top);
  EXPECT_DOUBLE_EQ(top.labelAt.x, 294);
  EXPECT_DOUBLE_EQ(top.labelAt.y, 21);
  // Above the line, the word would reach from y = 85 to 98; below the line, from y = 103 to 116.
  words.keepOff(Box{280, 80, 290, 90});
  RoofLine roof = flat(100);
  words.place(roof);
  EXPECT_DOUBLE_EQ(roof.labelAt.y, 113);
}

// Marks lie above and below the right end. The word moves left in steps of 12 pixels until it ends
// left of the marks, at 294 − 2·12 = 270.
TEST(RoofWords, GoesAlongTheLineUntilThereIsRoom) {
  RoofWords words(kFrame);
  words.keepOff(Box{272, 60, 290, 140});
  RoofLine roof = flat(100);
  words.place(roof);
  EXPECT_DOUBLE_EQ(roof.labelAt.x, 270);
  EXPECT_DOUBLE_EQ(roof.labelAt.y, 95);
  // A second line lies just below the first. Its word keeps off the first word and, while there is
  // room, off the first line.
  RoofLine next = flat(104);
  words.keepOffLine(roof.from, roof.to);
  words.keepOffLine(next.from, next.to);
  words.place(next);
  EXPECT_DOUBLE_EQ(next.labelAt.x, 270);
  EXPECT_DOUBLE_EQ(next.labelAt.y, 117);
}

// The word starts 14 pixels along the line and 5 pixels off it: (50, 200) + 14·(0.6, −0.8) +
// 5·(−0.8, −0.6). A word below the line of device memory is 13·(0.8, 0.6) off it on the other side.
TEST(RoofWords, ASlantedRoofHasItsWordAlongIt) {
  RoofWords words(kFrame);
  RoofLine cache = slanted(cost::Level::Cache);
  words.place(cache);
  EXPECT_FALSE(cache.labelEndsThere);
  EXPECT_NEAR(cache.labelAngle, -53.13, 0.01);
  EXPECT_NEAR(cache.labelAt.x, 54.4, 1e-9);
  EXPECT_NEAR(cache.labelAt.y, 185.8, 1e-9);
  // A second word fits on the other side of the same line.
  RoofLine dram = slanted(cost::Level::Dram);
  words.place(dram);
  // At 14 pixels along the line, the word would leave the frame at the bottom. At 17 pixels it is
  // inside: (58.4 + 10.4, 188.8 + 7.8).
  EXPECT_NEAR(dram.labelAt.x, 68.8, 1e-9);
  EXPECT_NEAR(dram.labelAt.y, 196.6, 1e-9);
  EXPECT_FALSE(wordBoxOf(cache).touches(wordBoxOf(dram)));
}

TEST(RoofWords, WhereThereIsNoRoomTheNumberGoesAndThenTheWord) {
  RoofWords words(kFrame);
  for (double x = 0; x < 300; x += 40)
    words.keepOff(Box{x, 0, x + 10, 200}); // leaves gaps of 30 pixels
  RoofLine roof = flat(100);
  words.place(roof);
  EXPECT_EQ(roof.label, "FP"); // a width of 13.2 pixels
  RoofWords full(kFrame);
  full.keepOff(Box{0, 0, 300, 200});
  RoofLine none = flat(100);
  full.place(none);
  EXPECT_EQ(none.label, "");
}

TEST(RoofWords, TheCompulsoryLineHasItsWordAsLowAsThereIsRoom) {
  RoofWords words(kFrame);
  CompulsoryLine line{100, "only bytes", {}, false};
  words.place(line);
  EXPECT_FALSE(line.labelEndsThere);
  EXPECT_DOUBLE_EQ(line.labelAt.x, 106);
  EXPECT_DOUBLE_EQ(line.labelAt.y, 191);
  CompulsoryLine right{250, "only bytes", {}, false};
  words.keepOff(Box{200, 180, 260, 200});
  words.place(right);
  EXPECT_TRUE(right.labelEndsThere);
  EXPECT_DOUBLE_EQ(right.labelAt.x, 244);
  EXPECT_DOUBLE_EQ(right.labelAt.y, 175); // the letters reach 3 pixels below this foot
}

} // namespace
} // namespace tessera::chart
