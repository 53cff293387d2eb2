// SPDX-License-Identifier: MIT
#include "engine/pipeline/number.h"
#include "engine/pipeline/random_number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

namespace tessera::pipeline {
namespace {

constexpr ScalarType kHalf{TypeKind::Float, 16}, kBfloat{TypeKind::BFloat, 16},
    kFloat{TypeKind::Float, 32}, kDouble{TypeKind::Float, 64};

std::vector<double> drawn(ScalarType type, Drawing drawing, int count = 4000) {
  std::vector<double> numbers;
  for (int place = 0; place < count; ++place) {
    std::array<std::uint8_t, 8> bytes{};
    putRandom(bytes.data(), type, seedOf("input", 1), static_cast<std::uint64_t>(place), drawing);
    numbers.push_back(numberAt(bytes.data(), type));
  }
  return numbers;
}

double least(const std::vector<double> &numbers) { return *std::ranges::min_element(numbers); }
double most(const std::vector<double> &numbers) { return *std::ranges::max_element(numbers); }

// Halves were once drawn from [0.5, 1) to be measured and from [0, 1] to be verified.
TEST(RandomNumber, FloatsOfEveryTypeAreTheSameFractions) {
  const std::vector<double> doubles = drawn(kDouble, Drawing::Usual);
  EXPECT_LT(least(doubles), 0.01);
  EXPECT_GT(most(doubles), 0.99);
  EXPECT_LT(most(doubles), 1);
  EXPECT_EQ(drawn(kFloat, Drawing::Usual), doubles);
  for (const auto &[type, precision] :
       {std::pair(kHalf, 1.0 / 1024), std::pair(kBfloat, 1.0 / 128)}) {
    const std::vector<double> numbers = drawn(type, Drawing::Usual);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_LE(numbers[i], doubles[i]);
      ASSERT_NEAR(numbers[i], doubles[i], precision * doubles[i] + 1e-7);
    }
  }
}

TEST(RandomNumber, TheRangeFollowsTheDrawing) {
  EXPECT_LT(most(drawn(kFloat, Drawing::Small)), 1.0 / 64);
  EXPECT_LT(most(drawn(kHalf, Drawing::Small)), 1.0 / 64);
  EXPECT_LT(least(drawn(kFloat, Drawing::Centred)), -0.49);
  EXPECT_NEAR(most(drawn(kHalf, Drawing::CentredSmall)), 0.5 / 64, 1e-4);
  EXPECT_LT(least(drawn(kHalf, Drawing::CentredSmall)), 0);
  const ScalarType byte{TypeKind::UInt, 8}, wide{TypeKind::Int, 32}, flag{TypeKind::UInt, 1};
  EXPECT_EQ(most(drawn(byte, Drawing::Usual)), 255);
  EXPECT_EQ(most(drawn(byte, Drawing::Small)), 3);
  EXPECT_EQ(least(drawn(byte, Drawing::Centred)), 0);
  EXPECT_EQ(most(drawn(wide, Drawing::Usual)), 1023);
  EXPECT_EQ(least(drawn(wide, Drawing::Centred)), -512);
  EXPECT_EQ(least(drawn(wide, Drawing::CentredSmall)), -8);
  EXPECT_EQ(most(drawn(flag, Drawing::Small)), 1);
  EXPECT_EQ(least(drawn({TypeKind::Int, 8}, Drawing::Usual)), -128);
}

TEST(RandomNumber, SeedAndNameMakeOtherSequences) {
  EXPECT_NE(seedOf("a", 1), seedOf("b", 1));
  EXPECT_NE(seedOf("a", 1), seedOf("a", 2));
}

TEST(RandomNumber, OnlyTheLastBitMoves) {
  std::set<double> moved;
  for (std::uint64_t place = 0; place < 40; ++place) {
    float value = 1;
    auto *bytes = reinterpret_cast<std::uint8_t *>(&value);
    moveLastBit(bytes, kFloat, 7, place);
    moved.insert(static_cast<double>(value));
  }
  EXPECT_EQ(moved,
            (std::set<double>{1, 1 + static_cast<double>(std::numeric_limits<float>::epsilon())}));
  float infinite = std::numeric_limits<float>::infinity();
  std::int32_t integer = 5;
  for (std::uint64_t place = 0; place < 40; ++place) {
    moveLastBit(reinterpret_cast<std::uint8_t *>(&infinite), kFloat, 7, place);
    moveLastBit(reinterpret_cast<std::uint8_t *>(&integer), {TypeKind::Int, 32}, 7, place);
  }
  EXPECT_TRUE(std::isinf(infinite));
  EXPECT_EQ(integer, 5);
}

} // namespace
} // namespace tessera::pipeline
