// SPDX-License-Identifier: MIT
#include "engine/bench/device/compare_elements.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

namespace tessera::bench {
namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;
using schedule::ComparisonRule;
using schedule::OutputComparison;

constexpr ScalarType kFloat{TypeKind::Float, 32}, kHalf{TypeKind::Float, 16},
    kBfloat{TypeKind::BFloat, 16}, kByte{TypeKind::UInt, 8}, kLong{TypeKind::Int, 64};

template <typename T>
std::vector<std::uint8_t> bytesOf(const std::vector<T> &values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
OutputComparison compared(const std::vector<T> &expected, const std::vector<T> &found,
                          ScalarType type, ComparisonRule rule) {
  const auto last = static_cast<std::int64_t>(expected.size()) - 1;
  return compareElements(bytesOf(expected), bytesOf(found), type, {{0, last}}, rule);
}

TEST(CompareElements, IntegersAreExact) {
  const auto one = compared<std::uint8_t>({1, 2, 3}, {1, 2, 4}, kByte, ComparisonRule::Exact);
  EXPECT_FALSE(one.equal());
  EXPECT_EQ(one.different, 1);
  EXPECT_EQ(one.worstAt, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(one.expected, "3");
  EXPECT_EQ(one.found, "4");
}

TEST(CompareElements, IntegersBehindFloatsMayBeOffByOne) {
  EXPECT_TRUE(
      compared<std::uint8_t>({1, 2, 3}, {2, 1, 3}, kByte, ComparisonRule::WithinOne).equal());
  EXPECT_FALSE(
      compared<std::uint8_t>({1, 2, 3}, {3, 2, 3}, kByte, ComparisonRule::WithinOne).equal());
}

TEST(CompareElements, LongIntegersDifferWhereTheirDoublesDoNot) {
  constexpr std::int64_t kBig = (std::int64_t{1} << 60) + 1;
  EXPECT_FALSE(compared<std::int64_t>({kBig}, {kBig + 1}, kLong, ComparisonRule::Exact).equal());
}

TEST(CompareElements, WhatRoundingDecidesCountsApart) {
  const std::vector<float> expected{1, 2, 3}, found{1, 7, 3.5F};
  const auto rule = ComparisonRule::Relative;
  EXPECT_EQ(elementsBeyond(bytesOf(expected), bytesOf(found), kFloat, rule), (Elements{1, 2}));
  const auto with = [&](const Elements &undecided) {
    return compareElements(bytesOf(expected), bytesOf(found), kFloat, {{0, 2}}, rule, undecided);
  };
  EXPECT_EQ(with({0, 1}).undecided, 1);
  EXPECT_EQ(with({0, 1}).beyond, 1);
  EXPECT_EQ(with({0, 1}).worstAt, (std::vector<std::int64_t>{2})) << "of those that count";
  EXPECT_FALSE(with({0, 1}).equal());
  EXPECT_TRUE(with({1, 2}).equal());
}

TEST(CompareElements, FloatsAreRelativeToTheLargest) {
  const auto rule = ComparisonRule::Relative;
  EXPECT_TRUE(compared<float>({100, 0.001F}, {100.001F, 0.0015F}, kFloat, rule).equal());
  EXPECT_FALSE(compared<float>({100, 0.001F}, {101, 0.001F}, kFloat, rule).equal());
}

TEST(CompareElements, NanIsLikeNanAndNothingElse) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto rule = ComparisonRule::Relative;
  EXPECT_TRUE(compared<float>({1, nan, 0.0F}, {1, -nan, -0.0F}, kFloat, rule).equal());
  EXPECT_FALSE(compared<float>({1, 1}, {1, nan}, kFloat, rule).equal());
}

TEST(CompareElements, AFewMagnifiedRoundingsAreAllowed) {
  std::vector<float> expected(200'000, 1.0F), found = expected;
  found[7] = 1.0005F; // five times the tolerance, one in 200,000
  EXPECT_TRUE(compared(expected, found, kFloat, ComparisonRule::Relative).equal());
  found[7] = 1.01F;
  EXPECT_FALSE(compared(expected, found, kFloat, ComparisonRule::Relative).equal());
}

TEST(CompareElements, HalfFloatsAreRead) {
  // 1, -2, 65504, the smallest, infinity
  const std::vector<std::uint16_t> halves{0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00};
  std::vector<std::uint16_t> other = halves;
  other[1] = 0x4000; // 2
  const auto one = compared(halves, other, kHalf, ComparisonRule::Relative);
  EXPECT_EQ(one.expected, "-2");
  EXPECT_EQ(one.found, "2");
  other = halves;
  other[2] = 0x3c00;
  EXPECT_EQ(compared(halves, other, kHalf, ComparisonRule::Relative).expected, "65504");
  const auto brain = compared<std::uint16_t>({0x3f80}, {0xc000}, kBfloat, ComparisonRule::Relative);
  EXPECT_EQ(brain.expected, "1");
  EXPECT_EQ(brain.found, "-2");
}

TEST(CompareElements, PlacesAreTheRegions) {
  const std::vector<std::uint8_t> expected{0, 0, 0, 0, 0, 0}, found{0, 0, 0, 0, 0, 1};
  const auto one =
      compareElements(expected, found, kByte, {{3, 5}, {-1, 0}}, ComparisonRule::Exact);
  EXPECT_EQ(one.worstAt, (std::vector<std::int64_t>{5, 0}));
}

TEST(CompareElements, TheRuleFollowsTheType) {
  EXPECT_EQ(ruleFor(kFloat, false), ComparisonRule::Relative);
  EXPECT_EQ(ruleFor(kByte, true), ComparisonRule::WithinOne);
  EXPECT_EQ(ruleFor(kByte, false), ComparisonRule::Exact);
}

} // namespace
} // namespace tessera::bench
