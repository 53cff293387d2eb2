// SPDX-License-Identifier: MIT
// A written file is read back unchanged. tst_png and tst_npy check those readers against files of
// other programs.
#include "engine/array/npy.h"
#include "engine/array/png.h"
#include "tests/engine/array/image_files.h"
#include "tests/engine/array/npy_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include <random>

namespace tessera::array::test {
namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;
using ::testing::ElementsAre;

Bytes noiseOf(std::size_t size, int values = 256) {
  std::mt19937 random(7);
  Bytes bytes(size);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(random() % static_cast<unsigned>(values));
  return bytes;
}

void expectReadBack(const Picture &picture) {
  const auto file = pngOf(picture);
  ASSERT_TRUE(file) << file.error().message;
  const auto image = pngFrom(*file, "a.png");
  ASSERT_TRUE(image) << image.error().message;
  const Array expected =
      imageFrom(picture.width, picture.height, picture.channels, 1, 255, picture.pixels.data());
  EXPECT_EQ(image->extents, expected.extents);
  EXPECT_EQ(image->data, expected.data);
}

TEST(WrittenPng, IsReadBack) {
  for (const std::size_t channels : {1U, 3U}) {
    Picture picture{37, 21, channels, {}};
    for (std::int64_t y = 0; y < picture.height; ++y)
      for (std::int64_t x = 0; x < picture.width; ++x)
        for (std::size_t channel = 0; channel < channels; ++channel)
          picture.pixels.push_back(
              static_cast<std::uint8_t>(3 * x + 5 * y + static_cast<std::int64_t>(90 * channel)));
    expectReadBack(picture);
    expectReadBack({1, 1, channels, noiseOf(channels)});
    expectReadBack({250, 200, channels, noiseOf(50'000 * channels)});
    // By default libpng refuses images with more than a million rows or columns.
    expectReadBack({1'100'000, 1, channels, Bytes(1'100'000 * channels, 9)});
    expectReadBack({1, 1'100'000, channels, Bytes(1'100'000 * channels, 9)});
  }
}

TEST(WrittenPng, IsShorterWhereThingsRepeatAndHardlyLongerWhereNot) {
  const auto sizeOf = [](const Bytes &pixels) {
    return pngOf({500, static_cast<std::int64_t>(pixels.size()) / 500, 1, pixels})->size();
  };
  EXPECT_LT(sizeOf(Bytes(100'000, 0)), 1000U);
  EXPECT_LT(sizeOf(noiseOf(200'000, 3)), 120'000U);
  EXPECT_LT(sizeOf(noiseOf(200'000)), 201'000U); // with 400 filter bytes, and chunks of 8 KiB
}

TEST(WrittenPng, WhatIsNoPictureIsRefused) {
  EXPECT_FALSE(pngOf({0, 3, 1, {}}));
  EXPECT_FALSE(pngOf({3, 0, 1, {}}));
}

TEST(WrittenNpy, IsReadBack) {
  for (const ScalarType type : {ScalarType{TypeKind::UInt, 1}, ScalarType{TypeKind::UInt, 8},
                                ScalarType{TypeKind::Int, 16}, ScalarType{TypeKind::Float, 16},
                                ScalarType{TypeKind::Float, 32}, ScalarType{TypeKind::Int, 64}})
    for (const std::vector<std::int64_t> &extents :
         {std::vector<std::int64_t>{}, {5}, {4, 3}, {2, 3, 4}}) {
      std::size_t count = static_cast<std::size_t>(type.bytes());
      for (const std::int64_t extent : extents)
        count *= static_cast<std::size_t>(extent);
      const Array array{type, extents, noiseOf(count), 0};
      const Bytes file = npyOf(array);
      EXPECT_EQ((file.size() - count) % 64, 0U); // NumPy aligns the data to 64 bytes
      const auto read = npyFrom(file, "a.npy");
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(read->type, type);
      EXPECT_EQ(read->extents, extents);
      EXPECT_EQ(read->data, array.data);
    }
}

TEST(WrittenNpy, WhatNumPyHasNoTypeForIsWidened) {
  // The values 1 and -2.5.
  const Array halves{{TypeKind::BFloat, 16}, {2}, {0x80, 0x3f, 0x20, 0xc0}, 0};
  const auto read = npyFrom(npyOf(halves), "a.npy");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->type, (ScalarType{TypeKind::Float, 32}));
  EXPECT_EQ(read->data, rawBytes(std::vector<float>{1, -2.5F}));
}

TEST(Picture, ColoursAreADimensionOfThreeOrFour) {
  EXPECT_EQ(usualCut(std::vector<std::int64_t>{640, 480, 3}).colour, 2U);
  EXPECT_FALSE(usualCut(std::vector<std::int64_t>{640, 480, 5}).colour);
  EXPECT_FALSE(usualCut(std::vector<std::int64_t>{3, 480}).colour);
  const Cut first = usualCut(std::vector<std::int64_t>{3, 640, 480});
  EXPECT_EQ(first.colour, 0U);
  EXPECT_EQ(first.across, 1U);
  EXPECT_EQ(first.down, 2U);
}

TEST(Picture, ShowsOnePlaceOfEveryOtherDimension) {
  // The array has 2×2×3 elements. The element at (x, y, z) is x + 10 y + 100 z.
  Array array{{TypeKind::Int, 16}, {2, 2, 3}, {}, 0};
  std::vector<std::int16_t> numbers;
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 2; ++x)
        numbers.push_back(static_cast<std::int16_t>(x + 10 * y + 100 * z));
  array.data = rawBytes(numbers);
  Cut cut;
  cut.at = {0, 0, 1};
  EXPECT_THAT(pictureOf(array, cut, {100, 355}).pixels, ElementsAre(0, 1, 10, 11));
  cut.colour = 2;
  const Picture colours = pictureOf(array, cut, {0, 255});
  EXPECT_EQ(colours.channels, 3U);
  EXPECT_THAT(colours.pixels, ElementsAre(0, 100, 200, 1, 101, 201, 10, 110, 210, 11, 111, 211));
  EXPECT_EQ(indexAt(array.extents, cut, 1, 1), 3U);
  EXPECT_EQ(colourStride(array.extents, cut), 4U);
}

TEST(Picture, TonesAreThoseOfBytesOrTheNumbersOwn) {
  const auto tones = [](std::vector<float> numbers) {
    return tonesOf({{TypeKind::Float, 32}, {2, 2}, rawBytes(numbers), 0});
  };
  EXPECT_EQ(tonesOf({{TypeKind::UInt, 8}, {1}, {7}, 0}), (Tones{0, 255}));
  EXPECT_EQ(tones({-1, 0, INFINITY, 3}), (Tones{-1, 3}));
  EXPECT_EQ(tones({NAN, NAN, NAN, NAN}), (Tones{0, 1}));
  const Tones alike = tones({2, 2, 2, 2});
  EXPECT_LT(alike.black, alike.white); // equal tones would lead to a division by zero
}

TEST(Picture, OfFloatsAHundredthAtBothEndsIsBlackOrWhite) {
  const auto tones = [](const auto &numbers, pipeline::ScalarType type) {
    return tonesOf({type, {std::int64_t(numbers.size())}, rawBytes(numbers), 0});
  };
  std::vector<float> ramp(1001);
  std::iota(ramp.begin(), ramp.end(), 0.0F);
  std::swap(ramp[10], ramp[700]); // the order of the values does not matter
  EXPECT_EQ(tones(ramp, {TypeKind::Float, 32}), (Tones{10, 990}));
  ramp[1000] = 1e30F; // a single outlier does not leave the rest black
  EXPECT_EQ(tones(ramp, {TypeKind::Float, 32}), (Tones{10, 990}));
  // Where nearly all values are equal, the few others have to be visible.
  std::vector<float> few(1001, 5);
  few[3] = 7;
  EXPECT_EQ(tones(few, {TypeKind::Float, 32}), (Tones{5, 7}));
  std::vector<std::int16_t> integers(1001);
  std::iota(integers.begin(), integers.end(), std::int16_t{-1});
  EXPECT_EQ(tones(integers, {TypeKind::Int, 16}), (Tones{-1, 999}));
  // Of very many values, the tones are computed from a sample that is spread over all of them.
  std::vector<float> many(2'500'000);
  std::iota(many.begin(), many.end(), 0.0F);
  const Tones ofMany = tones(many, {TypeKind::Float, 32});
  EXPECT_NEAR(ofMany.black, 25'000, 10);
  EXPECT_NEAR(ofMany.white, 2'475'000, 10);
}

TEST(Picture, DifferencesTellWhatIsAllowed) {
  const std::vector<std::int64_t> extents{4, 1};
  const Picture picture = differenceOf(std::vector<float>{0, 0.5F, 1.5F, 1e9F}, extents, Cut{});
  ASSERT_EQ(picture.channels, 3U);
  const auto pixel = [&](std::size_t x) { return &picture.pixels[3 * x]; };
  EXPECT_LT(pixel(0)[2], 20);          // black
  EXPECT_GT(pixel(1)[2], pixel(1)[0]); // blue
  EXPECT_GT(pixel(2)[0], pixel(2)[2]); // orange
  EXPECT_GT(pixel(3)[2], 200);         // white
  // The argument 2 is the largest error that counts, in tolerances. Larger errors are excused as
  // rounding.
  const Picture excused = differenceOf(std::vector<float>{0, 0.5F, 1.5F, 1e9F}, extents, Cut{}, 2);
  EXPECT_GT(excused.pixels[6], excused.pixels[8]);  // 1.5 counts and is orange
  EXPECT_GT(excused.pixels[11], excused.pixels[9]); // 1e9 does not count and is blue
  // The picture shows the largest difference among the colour channels.
  Cut colour;
  colour.colour = 2;
  const Picture worst =
      differenceOf(std::vector<float>{0, 0, 2}, std::vector<std::int64_t>{1, 1, 3}, colour);
  EXPECT_GT(worst.pixels[0], 200);
}

} // namespace
} // namespace tessera::array::test
