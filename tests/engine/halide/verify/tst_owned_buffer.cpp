// SPDX-License-Identifier: MIT
#include "engine/halide/verify/owned_buffer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace tessera::halide::testing {
namespace {

// Interleaved buffers are compared in memory order. The reported places are coordinates of the
// buffer.
TEST(OwnedBuffer, IsComparedInItsLayout) {
  const auto make = [] {
    return *makeBuffer(Halide::UInt(8), {{5, 7}, {-1, 0}}, {{2, 1}}, 0); // interleaved along y
  };
  const OwnedBuffer a = make(), b = make();
  b.memory.get()[2 * 2 + 1] = 9; // the element at x 7, y 0
  const report::ElementLayout layout = layoutOf(a.buffer);
  EXPECT_EQ(layout.count(), 6);
  const auto off = report::compareElements(firstElement(a.buffer), firstElement(b.buffer), layout,
                                           {report::ComparisonRule::Exact, 0});
  EXPECT_EQ(off.different, 1);
  EXPECT_EQ(off.worstAt, (std::vector<std::int64_t>{7, 0}));
  EXPECT_EQ(off.found, "9");
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
