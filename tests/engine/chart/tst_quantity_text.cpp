// SPDX-License-Identifier: MIT
#include "engine/chart/quantity_text.h"

#include <gtest/gtest.h>

namespace tessera::chart {
namespace {

TEST(QuantityText, HasThreeDigitsThatCount) {
  EXPECT_EQ(withPrefix(4.02e12, "B/s"), "4.02 TB/s");
  EXPECT_EQ(withPrefix(66.9e12, "op/s"), "66.9 Top/s");
  EXPECT_EQ(withPrefix(134e9, "B/s"), "134 GB/s");
  EXPECT_EQ(withPrefix(12, "B"), "12.0 B");
  EXPECT_EQ(withPrefix(0, "B"), "0.00 B");
}

TEST(QuantityText, RoundsUpToTheNextPrefix) {
  EXPECT_EQ(withPrefix(999.7e9, "B/s"), "1.00 TB/s");
  EXPECT_EQ(withPrefix(999.4e9, "B/s"), "999 GB/s");
  EXPECT_EQ(withPrefix(9.996e9, "B/s"), "10.0 GB/s");
}

TEST(QuantityText, RoundNumbersAreShort) {
  EXPECT_EQ(roundText(5e13), "50 T");
  EXPECT_EQ(roundText(2e5), "200 k");
  EXPECT_EQ(roundText(1), "1");
  EXPECT_EQ(timesText(1.528), "1.53");
  EXPECT_EQ(timesText(9715.9), "9716");
}

TEST(QuantityText, TimesHaveTheUnitThatSuits) {
  EXPECT_EQ(timeText(22.6e-6), "22.6 µs");
  EXPECT_EQ(timeText(1.5e-3), "1.50 ms");
  EXPECT_EQ(timeText(123), "123 s");
  EXPECT_EQ(timeText(4e-10), "0.40 ns");
  EXPECT_EQ(timeText(0), "0 s");
}

TEST(QuantityText, ThousandsHaveCommas) {
  EXPECT_EQ(wholeText(0), "0");
  EXPECT_EQ(wholeText(999.4), "999");
  EXPECT_EQ(wholeText(999.6), "1,000");
  EXPECT_EQ(wholeText(1234567), "1,234,567");
  EXPECT_EQ(wholeText(-123456), "-123,456");
  EXPECT_EQ(wholeText(-123), "-123");
}

TEST(QuantityText, AGainIsTimeBeforeOverTimeNow) {
  EXPECT_EQ(gainText(3, 2), "+50 %");
  EXPECT_EQ(gainText(2, 3), "−33 %");
  EXPECT_EQ(gainText(2, 2), "+0 %");
  EXPECT_EQ(gainText(2, 2.001), "+0 %");
  EXPECT_EQ(gainText(228.72, 1), "+22,772 %");
  EXPECT_EQ(gainText(0, 2), "");
}

TEST(QuantityText, PartsAreRoundedButNeverToNothing) {
  EXPECT_EQ(percentText(0.624), "62 %");
  EXPECT_EQ(percentText(0), "0 %");
  EXPECT_EQ(percentText(0.004), "< 1 %");
  EXPECT_EQ(plainText(0.02), "0.02");
  EXPECT_EQ(plainText(0.5), "0.5");
  EXPECT_EQ(plainText(20), "20");
}

} // namespace
} // namespace tessera::chart
