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
                          ScalarType type, ComparisonRule rule, const Uncertainty &uncertainty = {},
                          const GivenTolerance &given = {}) {
  const auto last = static_cast<std::int64_t>(expected.size()) - 1;
  return compareElements(bytesOf(expected).data(), bytesOf(found).data(),
                         denseLayout(type, {{0, last}}), elementRuleFor(type, rule, given),
                         uncertainty);
}

// What runs of a reference show that gave these values instead of the expected ones.
template <typename T>
Uncertainty shownBy(const std::vector<T> &expected, const std::vector<std::vector<T>> &runs,
                    ScalarType type, ComparisonRule rule) {
  const auto last = static_cast<std::int64_t>(expected.size()) - 1;
  Uncertainty uncertainty;
  for (const std::vector<T> &run : runs)
    uncertainty.add(bytesOf(expected).data(), bytesOf(run).data(), denseLayout(type, {{0, last}}),
                    elementRuleFor(type, rule));
  return uncertainty;
}

// 0, 1, …, and from the start again after 200.
std::vector<std::uint8_t> ramp(std::size_t count) {
  std::vector<std::uint8_t> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<std::uint8_t>(i % 201);
  return values;
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
  EXPECT_EQ(one.verdict(), Verdict::Different);
  EXPECT_EQ(one.different, 1);
  EXPECT_EQ(one.worstAt, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(one.expected, "3");
  EXPECT_EQ(one.found, "4");
}

TEST(CompareElements, IntegersThatFloatsAreRoundedToMayBeOffByOne) {
  const auto rule = ComparisonRule::WithinOne;
  const auto one = compared<std::uint8_t>({10, 20}, {11, 20}, kByte, rule);
  EXPECT_EQ(one.verdict(), Verdict::Equal);
  EXPECT_EQ(one.different, 1);
  EXPECT_EQ(one.beyond, 0);
  EXPECT_EQ(compared<std::uint8_t>({10, 20}, {12, 20}, kByte, rule).verdict(), Verdict::Different);
  const std::vector<std::uint8_t> many = ramp(200'000);
  std::vector<std::uint8_t> other = many;
  other[0] = other[1] = 99;
  EXPECT_EQ(compared(many, other, kByte, rule).verdict(), Verdict::Equal) << "2 of 200,000";
  other[2] = 99;
  EXPECT_EQ(compared(many, other, kByte, rule).verdict(), Verdict::Different);
}

// A vertical filter without one of its 41 taps was equal, since it is off by one in 1,088 of 9,045
// pixels.
TEST(CompareElements, OnlyAsManyAreOffByOneAsRoundingExplains) {
  const auto rule = ComparisonRule::WithinOne;
  const std::vector<std::uint8_t> expected = ramp(9045);
  std::vector<std::uint8_t> found = expected;
  for (std::size_t i = 0; i < 1088; ++i)
    ++found[8 * i];
  const auto blind = compared(expected, found, kByte, rule);
  EXPECT_EQ(blind.beyond, 0);
  EXPECT_EQ(blind.offByOne, 1088);
  EXPECT_EQ(blind.verdict(), Verdict::Different);
  EXPECT_EQ(blind.wrong(), 1088);

  std::vector<std::uint8_t> rounded = expected; // the reference itself changes at other elements
  for (std::size_t i = 0; i < 300; ++i)
    ++rounded[8 * i + 1];
  EXPECT_EQ(
      compared(expected, found, kByte, rule, shownBy(expected, {rounded}, kByte, rule)).verdict(),
      Verdict::Equal)
      << "four times 300";
  for (std::size_t i = 250; i < 300; ++i)
    --rounded[8 * i + 1];
  const auto explained = shownBy(expected, {rounded}, kByte, rule);
  EXPECT_EQ(explained.moved, 250);
  EXPECT_EQ(compared(expected, found, kByte, rule, explained).verdict(), Verdict::Different);
  EXPECT_EQ(
      compared(expected, found, kByte, rule, shownBy(expected, {found}, kByte, rule)).offByOne, 0)
      << "the same elements as in the reference";
}

TEST(CompareElements, LongIntegersDifferWhereTheirDoublesDoNot) {
  constexpr std::int64_t kBig = (std::int64_t{1} << 60) + 1;
  EXPECT_EQ(compared<std::int64_t>({kBig}, {kBig + 1}, kLong, ComparisonRule::Exact).verdict(),
            Verdict::Different);
}

TEST(CompareElements, WhatRoundingDecidesCountsApart) {
  const auto rule = ComparisonRule::Relative;
  const std::vector<float> expected{1, 2, 3}, found{1, 7, 3.5F};
  const auto with = [&](const std::vector<float> &run) {
    return compared(expected, found, kFloat, rule, shownBy(expected, {run}, kFloat, rule));
  };
  const auto one = with({9, 9, 3});
  EXPECT_EQ(one.different, 2);
  EXPECT_EQ(one.undecided, 1);
  EXPECT_EQ(one.beyond, 1);
  EXPECT_EQ(one.worstAt, (std::vector<std::int64_t>{2})) << "of those that count";
  EXPECT_EQ(one.verdict(), Verdict::Different);
  const auto both = with({1, 9, 4});
  EXPECT_EQ(both.undecided, 2);
  EXPECT_EQ(both.verdict(), Verdict::Undecided) << "two of three are more than one in a hundred";
  EXPECT_NE(both.whyUndecided().find("rounding decides about 2 of 3 elements"), std::string::npos);
}

TEST(CompareElements, OneInAHundredMayBeUndecided) {
  const auto rule = ComparisonRule::Exact;
  const std::vector<std::uint8_t> labels = ramp(1000);
  const auto with = [&](std::size_t count) {
    std::vector<std::uint8_t> found = labels, run = labels;
    for (std::size_t i = 0; i < count; ++i) {
      found[i] = 5;
      run[i] = 250;
    }
    found[5] = labels[5];
    return compared(labels, found, kByte, rule, shownBy(labels, {run}, kByte, rule));
  };
  EXPECT_EQ(with(10).verdict(), Verdict::Equal);
  EXPECT_EQ(with(10).undecided, 9) << "all but the one that is 5 anyway";
  EXPECT_EQ(with(12).verdict(), Verdict::Undecided);
}

// bgu at a small size solves equations with a small determinant. If the reference is rounded
// differently, some elements then differ by nearly as much as the tolerance.
TEST(CompareElements, WhatRoundingMagnifiesHasATolerance) {
  const auto rule = ComparisonRule::Relative;
  const std::vector<float> expected{1, 2, 4};
  const auto with = [&](float found, float run) {
    return compared<float>(expected, {1, found, 4}, kFloat, rule,
                           shownBy<float>(expected, {{1, run, 4}}, kFloat, rule));
  };
  const float nearly = 2 * (1 + 3e-4F), far = 2 * (1 + 9e-4F);
  EXPECT_EQ(with(nearly, 2).verdict(), Verdict::Different);
  EXPECT_EQ(with(nearly, 2 * (1 + 6e-5F)).verdict(), Verdict::Equal) << "eight times 6e-5";
  EXPECT_EQ(with(nearly, 2 * (1 + 6e-5F)).magnified, 1);
  EXPECT_EQ(with(nearly, 2 * (1 + 6e-5F)).undecided, 0);
  EXPECT_EQ(with(far, 2 * (1 + 6e-5F)).verdict(), Verdict::Different);
}

TEST(CompareElements, RunsThatRoundOtherwiseAddUp) {
  const auto unsure = shownBy<float>({1, 2, 3, 4}, {{1, 2.00002F, 3, 5}, {2, 2, 3.0004F, 4}},
                                     kFloat, ComparisonRule::Relative);
  EXPECT_EQ(unsure.runs, 2);
  EXPECT_EQ(unsure.elements, (Elements{0, 2, 3})) << "8 times 1e-5 is below the tolerance";
  EXPECT_EQ(unsure.spreadOf(0), 1);
  EXPECT_EQ(unsure.spreadOf(1), 0);
  EXPECT_NEAR(unsure.spreadOf(2), 0.0004 / 3, 1e-6);
  EXPECT_EQ(unsure.spreadOf(3), 0.25);
  EXPECT_EQ(unsure.movedFar, 2) << "of the second run";
}

// Where the reference changes at many elements, no run of it shows all of them.
TEST(CompareElements, AQuarterAsManyMayChangeElsewhere) {
  const auto rule = ComparisonRule::Exact;
  const std::vector<std::uint8_t> labels = ramp(10'000);
  std::vector<std::uint8_t> run = labels, found = labels;
  for (std::size_t i = 0; i < 40; ++i)
    run[i] = 250;
  const auto unsure = shownBy(labels, {run}, kByte, rule);
  for (std::size_t i = 100; i < 110; ++i)
    found[i] = 250;
  EXPECT_EQ(compared(labels, found, kByte, rule, unsure).verdict(), Verdict::Equal);
  found[110] = 250;
  EXPECT_EQ(compared(labels, found, kByte, rule, unsure).verdict(), Verdict::Different);
  EXPECT_EQ(compared(labels, found, kByte, rule).allowedBeyond, 0) << "without other runs";
}

TEST(CompareElements, WhatIsTheSameAnywayTellsNothing) {
  const auto rule = ComparisonRule::Exact;
  const std::vector<std::uint8_t> zeros(100, 0);
  EXPECT_EQ(compared(zeros, zeros, kByte, rule).verdict(), Verdict::Undecided);
  EXPECT_NE(compared(zeros, zeros, kByte, rule).whyUndecided().find("are the same"),
            std::string::npos);
  EXPECT_EQ(compared<std::uint8_t>({7}, {7}, kByte, rule).verdict(), Verdict::Equal)
      << "one element can be wrong";
  std::vector<std::uint8_t> other = zeros;
  other[3] = 1;
  EXPECT_EQ(compared(zeros, other, kByte, rule).verdict(), Verdict::Different);
}

TEST(CompareElements, AllNaNTellsNothing) {
  const float nan = std::nanf("");
  const auto rule = ComparisonRule::Relative;
  const std::vector<float> half{nan, nan, 1, 2}, none{nan, nan, nan, nan};
  EXPECT_EQ(compared(half, half, kFloat, rule).verdict(), Verdict::Equal);
  EXPECT_EQ(compared(half, half, kFloat, rule).notNumbers, 2);
  EXPECT_EQ(compared(none, none, kFloat, rule).verdict(), Verdict::Undecided);
  EXPECT_NE(compared(none, none, kFloat, rule).whyUndecided().find("4 of 4 elements are NaN"),
            std::string::npos);
}

TEST(CompareElements, TheUserMayAllowMore) {
  const auto rule = ComparisonRule::Relative;
  const std::vector<float> expected{1, 2, 3, 4}, found{1, 2.01F, 3, 4};
  const auto with = [&](const GivenTolerance &given) {
    return compared(expected, found, kFloat, rule, {}, given).verdict();
  };
  EXPECT_EQ(with({}), Verdict::Different);
  EXPECT_EQ(with({.relative = 0.01}), Verdict::Equal);
  EXPECT_EQ(with({.relative = 0.001}), Verdict::Different);
  EXPECT_EQ(with({.absolute = 0.02}), Verdict::Equal);
  EXPECT_EQ(with({.share = 0.25}), Verdict::Equal);
  EXPECT_EQ(with({.share = 0.2}), Verdict::Different);
  const auto bytes = [](const GivenTolerance &given) {
    return compared<std::uint8_t>({1, 2, 3}, {3, 4, 3}, kByte, ComparisonRule::Exact, {}, given)
        .verdict();
  };
  EXPECT_EQ(bytes({.absolute = 2}), Verdict::Equal);
  EXPECT_EQ(bytes({.absolute = 1}), Verdict::Different);
  EXPECT_EQ(bytes({.relative = 10}), Verdict::Different) << "of floats alone";
  const auto nan = compared<float>({1, 2}, {NAN, 2}, kFloat, rule, {}, {.absolute = 100});
  EXPECT_EQ(nan.verdict(), Verdict::Different);
}

TEST(CompareElements, FloatsAreRelativeToTheLargest) {
  const auto rule = ComparisonRule::Relative;
  EXPECT_EQ(compared<float>({1, 1000}, {1, 1000.05F}, kFloat, rule).verdict(), Verdict::Equal);
  EXPECT_EQ(compared<float>({1, 1000}, {1, 1000.2F}, kFloat, rule).verdict(), Verdict::Different);
  // Beside a value of 1000, a difference of 0.005 is rounding. Among zeros it is an error.
  EXPECT_EQ(compared<float>({0, 1000}, {0.005F, 1000}, kFloat, rule).verdict(), Verdict::Equal);
  EXPECT_EQ(compared<float>({0, 0}, {0.005F, 0}, kFloat, rule).verdict(), Verdict::Different);
}

TEST(CompareElements, NoNumbers) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const auto rule = ComparisonRule::Relative;
  EXPECT_EQ(compared<float>({nan, infinity, 0}, {-nan, infinity, -0.0F}, kFloat, rule).verdict(),
            Verdict::Equal);
  for (const float wrong : {nan, infinity, -infinity}) {
    const auto off = compared<float>({1}, {wrong}, kFloat, rule);
    EXPECT_EQ(off.verdict(), Verdict::Different) << wrong;
    EXPECT_TRUE(std::isinf(off.worstError));
  }
}

// A formula may magnify rounding errors in a few places and by a little.
TEST(CompareElements, FewFloatsMayBeALittleFurtherOff) {
  const auto rule = ComparisonRule::Relative;
  std::vector<float> many(200'000, 7);
  many.back() = 6; // else it is constant
  std::vector<float> other = many;
  other[0] = other[1] = 7 * (1 + 5e-4F);
  const auto few = compared(many, other, kFloat, rule);
  EXPECT_EQ(few.beyond, 2);
  EXPECT_EQ(few.allowedBeyond, 2);
  EXPECT_EQ(few.verdict(), Verdict::Equal);
  other[2] = other[0];
  EXPECT_EQ(compared(many, other, kFloat, rule).verdict(), Verdict::Different) << "3 of 200,000";
  other[1] = other[2] = 7;
  other[0] = 7 * (1 + 2e-3F);
  const auto far = compared(many, other, kFloat, rule);
  EXPECT_EQ(far.allowedBeyond, 0);
  EXPECT_EQ(far.verdict(), Verdict::Different);
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
  EXPECT_EQ(ruleFor(kFloat, FloatInfluence::None), ComparisonRule::Relative);
  EXPECT_EQ(ruleFor(kByte, FloatInfluence::Rounded), ComparisonRule::WithinOne);
  EXPECT_EQ(ruleFor(kByte, FloatInfluence::Decides), ComparisonRule::Exact) << "a label";
  EXPECT_EQ(ruleFor({TypeKind::UInt, 1}, FloatInfluence::Rounded), ComparisonRule::Exact);
  EXPECT_EQ(ruleFor(kByte, FloatInfluence::None), ComparisonRule::Exact);
}

} // namespace
} // namespace tessera::report
