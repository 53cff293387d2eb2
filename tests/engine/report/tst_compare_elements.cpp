// SPDX-License-Identifier: MIT
#include "engine/report/compare_elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace tessera::report {
namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;

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
                          ScalarType type, ComparisonRule rule,
                          const RoundedElements &rounded = {}) {
  const auto last = static_cast<std::int64_t>(expected.size()) - 1;
  return compareElements(bytesOf(expected).data(), bytesOf(found).data(),
                         denseLayout(type, {{0, last}}), elementRuleFor(type, rule), rounded);
}

template <typename T>
std::vector<float> errors(const std::vector<T> &expected, const std::vector<T> &found,
                          ScalarType type, ComparisonRule rule) {
  const auto last = static_cast<std::int64_t>(expected.size()) - 1;
  return errorsOf(bytesOf(expected).data(), bytesOf(found).data(), denseLayout(type, {{0, last}}),
                  elementRuleFor(type, rule));
}

TEST(CompareElements, ErrorsAreInWhatIsAllowed) {
  using Errors = std::vector<float>;
  EXPECT_EQ(errors<std::uint8_t>({1, 2, 3}, {1, 3, 3}, kByte, ComparisonRule::Exact),
            (Errors{0, 2, 0}));
  EXPECT_EQ(errors<std::uint8_t>({1, 2, 3}, {1, 3, 9}, kByte, ComparisonRule::WithinOne),
            (Errors{0, 1, 6}));
  const Errors floats =
      errors<float>({100, 100, NAN}, {100, 100.02F, NAN}, kFloat, ComparisonRule::Relative);
  EXPECT_EQ(floats[0], 0);
  EXPECT_NEAR(floats[1], 2, 0.01); // off by 2e-4 of the value, twice the tolerance of 1e-4
  EXPECT_EQ(floats[2], 0);
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
  const auto rule = ComparisonRule::WithinOne;
  const auto one = compared<std::uint8_t>({10, 20}, {11, 19}, kByte, rule);
  EXPECT_TRUE(one.equal());
  EXPECT_EQ(one.different, 2);
  EXPECT_EQ(one.beyond, 0);
  EXPECT_FALSE(compared<std::uint8_t>({10, 20}, {12, 20}, kByte, rule).equal());
  std::vector<std::uint8_t> many(200'000, 7), other = many;
  other[0] = other[1] = 99;
  EXPECT_TRUE(compared(many, other, kByte, rule).equal()) << "2 of 200,000";
  other[2] = 99;
  EXPECT_FALSE(compared(many, other, kByte, rule).equal());
}

TEST(CompareElements, LongIntegersDifferWhereTheirDoublesDoNot) {
  constexpr std::int64_t kBig = (std::int64_t{1} << 60) + 1;
  EXPECT_FALSE(compared<std::int64_t>({kBig}, {kBig + 1}, kLong, ComparisonRule::Exact).equal());
}

TEST(CompareElements, WhatRoundingDecidesCountsApart) {
  const auto with = [](const Elements &undecided) {
    return compared<float>({1, 2, 3}, {1, 7, 3.5F}, kFloat, ComparisonRule::Relative,
                           {undecided, undecided});
  };
  EXPECT_EQ(with({0, 1}).different, 2);
  EXPECT_EQ(with({0, 1}).undecided, 1);
  EXPECT_EQ(with({0, 1}).beyond, 1);
  EXPECT_EQ(with({0, 1}).worstAt, (std::vector<std::int64_t>{2})) << "of those that count";
  EXPECT_FALSE(with({0, 1}).equal());
  EXPECT_TRUE(with({1, 2}).equal());
}

// bgu at a small size solves equations with a small determinant. If the reference is rounded
// differently, some elements then differ by more than half of the tolerance.
TEST(CompareElements, WhatRoundingMagnifiesMayBeTwiceAsFarOff) {
  const auto with = [](float found, const RoundedElements &rounded) {
    return compared<float>({1, 2, 4}, {1, found, 4}, kFloat, ComparisonRule::Relative, rounded);
  };
  const RoundedElements magnified{{}, {1}};
  constexpr float kNearly = 2.0003F, kFar = 2.0005F; // off by 1.5e-4 and 2.5e-4 of the value
  EXPECT_FALSE(with(kNearly, {}).equal());
  EXPECT_TRUE(with(kNearly, magnified).equal());
  EXPECT_EQ(with(kNearly, magnified).undecided, 1);
  EXPECT_FALSE(with(kFar, magnified).equal());
  EXPECT_FALSE(with(kNearly, {{}, {0}}).equal()) << "of that element alone";
}

TEST(CompareElements, RunsThatRoundOtherwiseAddUp) {
  const auto expected = bytesOf<float>({1, 2, 3, 4});
  RoundedElements rounded;
  const auto add = [&](const std::vector<float> &run) {
    rounded.add(expected.data(), bytesOf(run).data(), denseLayout(kFloat, {{0, 3}}),
                {ComparisonRule::Relative, 1e-4});
  };
  add({1, 2.00001F, 3, 5});
  EXPECT_EQ(rounded.undecided, (Elements{3}));
  EXPECT_EQ(rounded.magnified, (Elements{3}));
  add({2, 2, 3.0002F, 4});
  EXPECT_EQ(rounded.undecided, (Elements{0, 3}));
  EXPECT_EQ(rounded.magnified, (Elements{0, 2, 3}));
}

TEST(CompareElements, FloatsAreRelativeToTheLargest) {
  const auto rule = ComparisonRule::Relative;
  EXPECT_TRUE(compared<float>({1, 1000}, {1, 1000.05F}, kFloat, rule).equal());
  EXPECT_FALSE(compared<float>({1, 1000}, {1, 1000.2F}, kFloat, rule).equal());
  // Beside a value of 1000, a difference of 0.005 is rounding. Among zeros it is an error.
  EXPECT_TRUE(compared<float>({0, 1000}, {0.005F, 1000}, kFloat, rule).equal());
  EXPECT_FALSE(compared<float>({0, 0}, {0.005F, 0}, kFloat, rule).equal());
}

TEST(CompareElements, NoNumbers) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const auto rule = ComparisonRule::Relative;
  EXPECT_TRUE(compared<float>({nan, infinity, 0}, {-nan, infinity, -0.0F}, kFloat, rule).equal());
  for (const float wrong : {nan, infinity, -infinity}) {
    const auto off = compared<float>({1}, {wrong}, kFloat, rule);
    EXPECT_FALSE(off.equal()) << wrong;
    EXPECT_TRUE(std::isinf(off.worstError));
  }
}

// A formula may magnify rounding errors in a few places and by a little.
TEST(CompareElements, FewFloatsMayBeALittleFurtherOff) {
  const auto rule = ComparisonRule::Relative;
  std::vector<float> many(200'000, 7), other = many;
  other[0] = other[1] = 7 * (1 + 5e-4F);
  const auto few = compared(many, other, kFloat, rule);
  EXPECT_EQ(few.beyond, 2);
  EXPECT_EQ(few.allowedBeyond, 2);
  EXPECT_TRUE(few.equal());
  other[2] = other[0];
  EXPECT_FALSE(compared(many, other, kFloat, rule).equal()) << "3 of 200,000";
  other[1] = other[2] = 7;
  other[0] = 7 * (1 + 2e-3F);
  const auto far = compared(many, other, kFloat, rule);
  EXPECT_EQ(far.allowedBeyond, 0);
  EXPECT_FALSE(far.equal());
}

TEST(CompareElements, HalfFloatsAreRead) {
  // 1, -2, 65504, the smallest positive value, infinity
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
      compareElements(expected.data(), found.data(), denseLayout(kByte, {{3, 5}, {-1, 0}}), {});
  EXPECT_EQ(one.worstAt, (std::vector<std::int64_t>{5, 0}));
}

// The gaps between rows are not compared.
TEST(CompareElements, GapsAreNoElements) {
  const std::vector<std::uint8_t> expected{1, 2, 0, 3, 4, 0}, found{1, 2, 9, 3, 5, 9};
  const ElementLayout layout{kByte, {{0, 2, 1}, {0, 2, 3}}};
  const auto one = compareElements(expected.data(), found.data(), layout, {});
  EXPECT_EQ(one.elements, 4);
  EXPECT_EQ(one.different, 1);
  EXPECT_EQ(one.worstAt, (std::vector<std::int64_t>{1, 1}));
}

TEST(CompareElements, TheRuleFollowsTheType) {
  EXPECT_EQ(ruleFor(kFloat, false), ComparisonRule::Relative);
  EXPECT_EQ(ruleFor(kByte, true), ComparisonRule::WithinOne);
  EXPECT_EQ(ruleFor(kByte, false), ComparisonRule::Exact);
}

} // namespace
} // namespace tessera::report
