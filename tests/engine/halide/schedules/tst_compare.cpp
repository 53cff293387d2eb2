// SPDX-License-Identifier: MIT
#include "engine/halide/compare.h"
#include "engine/halide/owned_buffer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace tessera::halide::testing {
namespace {

using schedule::ComparisonRule;
using schedule::OutputComparison;

template <typename T>
OwnedBuffer bufferOf(const std::vector<T> &values) {
  OwnedBuffer owned =
      *makeBuffer(Halide::type_of<T>(), {{5, 4 + static_cast<std::int64_t>(values.size())}}, {}, 0);
  std::memcpy(owned.memory.get(), values.data(), values.size() * sizeof(T));
  return owned;
}

template <typename T>
OutputComparison compared(const std::vector<T> &expected, const std::vector<T> &found,
                          ComparisonRule rule, const Elements &undecided = {}) {
  const OwnedBuffer a = bufferOf(expected), b = bufferOf(found);
  return compareBuffers("f", a.buffer, b.buffer, {rule, toleranceFor(Halide::type_of<T>(), rule)},
                        undecided);
}

TEST(Compare, IntegersAreExact) {
  const auto same = compared<std::uint8_t>({1, 2, 255}, {1, 2, 255}, ComparisonRule::Exact);
  EXPECT_TRUE(same.equal());
  EXPECT_EQ(same.elements, 3);
  const auto off = compared<std::uint8_t>({1, 2, 255}, {1, 3, 0}, ComparisonRule::Exact);
  EXPECT_FALSE(off.equal());
  EXPECT_EQ(off.different, 2);
  EXPECT_EQ(off.beyond, 2);
  EXPECT_EQ(off.worstError, 255);
  EXPECT_EQ(off.worstAt, std::vector<std::int64_t>{7}) << "in the buffer's coordinates";
  EXPECT_EQ(off.expected, "255");
  EXPECT_EQ(off.found, "0");
}

TEST(Compare, LargeIntegersDifferByOne) {
  const std::int64_t large = (std::int64_t{1} << 60) + 1;
  const auto off = compared<std::int64_t>({large}, {large + 1}, ComparisonRule::Exact);
  EXPECT_FALSE(off.equal()) << "equal as doubles";
}

TEST(Compare, IntegersWithFloatsUpstreamMayBeOffByOne) {
  const auto one = compared<std::uint8_t>({10, 20}, {11, 19}, ComparisonRule::WithinOne);
  EXPECT_TRUE(one.equal());
  EXPECT_EQ(one.different, 2);
  EXPECT_EQ(one.beyond, 0);
  EXPECT_FALSE(compared<std::uint8_t>({10, 20}, {12, 20}, ComparisonRule::WithinOne).equal());
  std::vector<std::uint8_t> many(200'000, 7), other = many;
  other[0] = other[1] = 99;
  EXPECT_TRUE(compared(many, other, ComparisonRule::WithinOne).equal()) << "2 of 200,000";
  other[2] = 99;
  EXPECT_FALSE(compared(many, other, ComparisonRule::WithinOne).equal());
}

TEST(Compare, FloatsAreRelative) {
  EXPECT_TRUE(compared<float>({1, 1000}, {1, 1000.05F}, ComparisonRule::Relative).equal());
  EXPECT_FALSE(compared<float>({1, 1000}, {1, 1000.2F}, ComparisonRule::Relative).equal());
  // Beside values of a thousand, 0.005 is rounding; alone it is not.
  EXPECT_TRUE(compared<float>({0, 1000}, {0.005F, 1000}, ComparisonRule::Relative).equal());
  EXPECT_FALSE(compared<float>({0, 0}, {0.005F, 0}, ComparisonRule::Relative).equal());
}

// A formula can magnify its roundings in a few places, not in many and not by much.
TEST(Compare, FewFloatsMayBeALittleFurtherOff) {
  std::vector<float> many(200'000, 7), other = many;
  other[0] = other[1] = 7 * (1 + 5e-4F);
  const auto few = compared(many, other, ComparisonRule::Relative);
  EXPECT_EQ(few.beyond, 2);
  EXPECT_EQ(few.allowedBeyond, 2);
  EXPECT_TRUE(few.equal());
  other[2] = other[0];
  EXPECT_FALSE(compared(many, other, ComparisonRule::Relative).equal()) << "3 of 200,000";
  other[1] = other[2] = 7;
  other[0] = 7 * (1 + 2e-3F);
  const auto far = compared(many, other, ComparisonRule::Relative);
  EXPECT_EQ(far.allowedBeyond, 0);
  EXPECT_FALSE(far.equal());
}

TEST(Compare, WhatRoundingDecidesCountsApart) {
  const auto off =
      compared<float>({1, 2, 3}, {1, 7, 3.5F}, ComparisonRule::Relative, {true, true, false});
  EXPECT_EQ(off.different, 2);
  EXPECT_EQ(off.undecided, 1);
  EXPECT_EQ(off.beyond, 1);
  EXPECT_EQ(off.worstAt, std::vector<std::int64_t>{7}) << "of those that count";
  EXPECT_FALSE(off.equal());
  EXPECT_TRUE(
      compared<float>({1, 2, 3}, {1, 7, 3}, ComparisonRule::Relative, {true, true, false}).equal());
}

TEST(Compare, FurtherOffIsMarked) {
  const OwnedBuffer a = bufferOf<float>({1, 2, 3}), b = bufferOf<float>({1, 2.00001F, 4});
  Elements beyond{true, false, false};
  addBeyond(a.buffer, b.buffer, {ComparisonRule::Relative, 1e-4}, beyond);
  EXPECT_EQ(beyond, (Elements{true, false, true})) << "to what was marked";
}

TEST(Compare, NoNumbers) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(compared<float>({nan, infinity, 0}, {-nan, infinity, -0.0F}, ComparisonRule::Relative)
                  .equal());
  for (const float wrong : {nan, infinity, -infinity}) {
    const auto off = compared<float>({1}, {wrong}, ComparisonRule::Relative);
    EXPECT_FALSE(off.equal()) << wrong;
    EXPECT_TRUE(std::isinf(off.worstError));
  }
}

TEST(OwnedBuffer, HasThePromisedLayout) {
  const OwnedBuffer planar = *makeBuffer(Halide::UInt(8), {{0, 9}, {-2, 4}, {0, 2}}, {}, 0);
  EXPECT_EQ(planar.bytes, 10U * 7 * 3);
  EXPECT_EQ(planar.buffer.dim(2).stride(), 70);
  EXPECT_EQ(planar.buffer.dim(1).min(), -2);
  const OwnedBuffer interleaved =
      *makeBuffer(Halide::UInt(8), {{0, 9}, {0, 6}, {0, 2}}, {{3, std::nullopt, 1}}, 0);
  EXPECT_EQ(interleaved.buffer.dim(0).stride(), 3);
  EXPECT_EQ(interleaved.buffer.dim(1).stride(), 30);
  EXPECT_EQ(interleaved.buffer.dim(2).stride(), 1);
  EXPECT_EQ(interleaved.bytes, 10U * 7 * 3);
}

TEST(OwnedBuffer, RandomValuesDependOnSeedNameAndPlaceAlone) {
  const auto values = [](const std::string &name, std::uint64_t seed, bool interleaved) {
    const OwnedBuffer owned = interleaved
                                  ? *makeBuffer(Halide::UInt(16), {{0, 9}, {0, 2}}, {{3, 1}}, 0)
                                  : *makeBuffer(Halide::UInt(16), {{0, 9}, {0, 2}}, {}, 0);
    fillRandom(owned.buffer, name, seed);
    std::vector<std::uint16_t> result;
    forEachElement(owned.buffer, [&](const std::uint8_t *address, std::uint64_t) {
      std::uint16_t value = 0;
      std::memcpy(&value, address, 2);
      result.push_back(value);
    });
    return result;
  };
  const auto first = values("a", 1, false);
  EXPECT_EQ(values("a", 1, true), first);
  EXPECT_NE(values("b", 1, false), first);
  EXPECT_NE(values("a", 2, false), first);
  EXPECT_GT(std::set<std::uint16_t>(first.begin(), first.end()).size(), 25U);
}

TEST(OwnedBuffer, RandomFloatsAreFractions) {
  const OwnedBuffer owned = *makeBuffer(Halide::Float(32), {{0, 9999}}, {}, 0);
  fillRandom(owned.buffer, "a", 1);
  double sum = 0;
  forEachElement(owned.buffer, [&](const std::uint8_t *address, std::uint64_t) {
    float value = 0;
    std::memcpy(&value, address, 4);
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1);
    sum += value;
  });
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

} // namespace
} // namespace tessera::halide::testing
