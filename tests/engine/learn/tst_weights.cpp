// SPDX-License-Identifier: MIT
#include "engine/learn/weights.h"

#include <gmock/gmock.h>

#include <bit>
#include <cstring>

namespace tessera::learn {
namespace {

using ::testing::HasSubstr;

void put(std::string &bytes, std::uint32_t word) {
  for (int b = 0; b < 4; ++b)
    bytes.push_back(static_cast<char>(word >> (8 * b)));
}

// A file as Halide writes it, in which each weight is its own number.
std::string numbered() {
  std::string bytes;
  float next = 0;
  for (const std::uint32_t word : {0x68776631U, 3U, 3U, 6U})
    put(bytes, word);
  const std::vector<std::vector<std::uint32_t>> layers{{8, 40, 7}, {8},      {24, 73},
                                                       {24},       {32, 32}, {32}};
  for (const std::vector<std::uint32_t> &extents : layers) {
    put(bytes, static_cast<std::uint32_t>(extents.size()));
    std::uint32_t count = 1;
    for (const std::uint32_t extent : extents) {
      put(bytes, extent);
      count *= extent;
    }
    for (std::uint32_t i = 0; i < count; ++i)
      put(bytes, std::bit_cast<std::uint32_t>(next++));
  }
  return bytes;
}

TEST(Weights, AreAsManyAsThePaperSays) {
  EXPECT_EQ(kAlgorithmFeatures, 280U);
  EXPECT_EQ(kWeights, 5080U);
}

TEST(Weights, AreReadFromHalidesFileInItsOrder) {
  const std::string bytes = numbered();
  EXPECT_EQ(bytes.size(), 20400U); // as baseline.weights
  const Result<Weights> weights = weightsFromHalide(bytes, "numbered");
  ASSERT_TRUE(weights.ok()) << weights.error().message;
  for (std::size_t w = 0; w < kWeights; ++w)
    ASSERT_EQ(weights->values[w], static_cast<double>(w));
  // Of the algorithm's filter, the file has channel, row and type, the first fastest.
  AlgorithmFeatures one;
  one.at(ExpressionKind::Add, TypeClass::Float) = 1;
  std::size_t at = 0;
  while (one.values[at] == 0)
    ++at;
  EXPECT_EQ(Weights::algorithmFilter(at), 8 * (static_cast<std::size_t>(ExpressionKind::Add) +
                                               40 * static_cast<std::size_t>(TypeClass::Float)));
}

TEST(Weights, ADamagedFileIsRefusedByName) {
  const std::string whole = numbered();
  const auto messageOf = [](const std::string &bytes) {
    const Result<Weights> weights = weightsFromHalide(bytes, "mine.weights");
    return weights.ok() ? std::string("accepted") : weights.error().message;
  };
  for (const std::size_t length : {0UL, 3UL, 15UL, 16UL, 30UL, 500UL, 20399UL})
    EXPECT_THAT(messageOf(whole.substr(0, length)), HasSubstr("'mine.weights' is not")) << length;
  EXPECT_THAT(messageOf(whole + "x"), HasSubstr("more follows"));
  std::string older = whole;
  older[8] = 2;
  EXPECT_THAT(messageOf(older), HasSubstr("versions 3 and 2, not 3"));
  std::string wider = whole;
  wider[20] = 16; // channels of the first layer
  EXPECT_THAT(messageOf(wider), HasSubstr("another size"));
  std::string broken = whole;
  put(broken, 0);
  broken.replace(100, 4, std::string("\x00\x00\xc0\x7f", 4)); // not a number
  EXPECT_THAT(messageOf(broken), HasSubstr("not a number"));
}

TEST(Weights, RandomOnesDependOnTheSeedAlone) {
  EXPECT_EQ(randomWeights(7), randomWeights(7));
  EXPECT_NE(randomWeights(7), randomWeights(8));
  for (const double value : randomWeights(7).values)
    EXPECT_LE(std::abs(value), 0.5);
}

} // namespace
} // namespace tessera::learn
