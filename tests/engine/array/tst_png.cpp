// SPDX-License-Identifier: MIT
#include "engine/array/png.h"
#include "engine/array/read_array.h"

#include "tests/engine/array/image_files.h"
#include "tests/support/build_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace tessera::array::test {
namespace {

using pipeline::ScalarType;
using pipeline::TypeKind;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kImages = tessera::test::sourcePath("tests/data/images/");

// The rows of these files use all five filters, one after the other.
struct Written {
  const char *file;
  std::vector<std::int64_t> extents;
  std::uint8_t bits;
  std::function<std::uint32_t(std::uint32_t x, std::uint32_t y, std::uint32_t c)> at;
};

std::uint32_t sampleOf(const Array &image, std::size_t number) {
  if (image.type.bits == 8) return image.data[number];
  return image.data[2 * number] | image.data[2 * number + 1] << 8;
}

TEST(Png, FilesOfAnotherProgram) {
  const Written files[] = {
      // The compressed data of rgb8.png uses its own Huffman codes, and that of grey16.png the
      // fixed codes. That of rgba8.png has no repetitions.
      {"rgb8.png",
       {61, 40, 3},
       8,
       [](auto x, auto y, auto c) { return (7 * x * x + 3 * y * y + 31 * c) >> 3 & 255; }},
      {"grey16.png",
       {20, 16},
       16,
       [](auto x, auto y, auto) { return (1021 * x + 4093 * y + x * y % 7) & 65535; }},
      {"rgba8.png", {9, 7, 4}, 8, [](auto x, auto y, auto c) {
         return (x * x + y * 11 + c * 50) & 255;
       }}};
  for (const Written &written : files) {
    const auto image = readArray(kImages + written.file);
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(image->type, (ScalarType{TypeKind::UInt, written.bits})) << written.file;
    EXPECT_EQ(image->extents, written.extents) << written.file;
    EXPECT_EQ(image->white, written.bits == 8 ? 255U : 65535U);
    const auto width = static_cast<std::uint32_t>(image->extents[0]);
    const auto height = static_cast<std::uint32_t>(image->extents[1]);
    const std::size_t samples = image->data.size() / (written.bits / 8U);
    for (std::uint32_t number = 0; number < samples; ++number)
      ASSERT_EQ(sampleOf(*image, number),
                written.at(number % width, number / width % height, number / (width * height)))
          << written.file << " " << number;
  }
}

TEST(Png, AStoredBlock) {
  const auto image = pngFrom(png({3, 2}, {0, 1, 2, 3, 2, 1, 1, 1}), "a.png");
  ASSERT_TRUE(image) << image.error().message;
  // The second row is stored as the difference to the row above.
  EXPECT_THAT(image->data, ElementsAre(1, 2, 3, 2, 3, 4));
}

TEST(Png, WhatIsNoneIsRefused) {
  const Bytes rows{0, 1, 2, 3, 0, 1, 1, 1};
  const auto refusal = [](const Bytes &file) {
    const auto image = pngFrom(file, "a.png");
    EXPECT_FALSE(image);
    return image ? "" : image.error().message;
  };
  EXPECT_THAT(refusal({}), HasSubstr("'a.png': it is not a PNG"));
  // A palette image without a palette.
  EXPECT_THAT(refusal(png({3, 2, 8, 3}, rows)), HasSubstr("damaged"));
  for (const PngHeader &header : {PngHeader{3, 2, 3}, {3, 2, 4, 2}, {3, 2, 16, 3}, {3, 2, 8, 0, 2}})
    EXPECT_THAT(refusal(png(header, rows)), HasSubstr("its header cannot be read"));
  EXPECT_THAT(refusal(png({3, 0}, rows)), HasSubstr("its header cannot be read"));
  EXPECT_THAT(refusal(png({3, 2, 8, 1}, rows)), HasSubstr("its header cannot be read"));
  EXPECT_THAT(refusal(png({0x7fffffff, 0x7fffffff, 16, 6}, rows)), HasSubstr("too large"));
  EXPECT_THAT(refusal(png({3, 2}, rows, chunk("ABCD", {}))), HasSubstr("unknown part, 'ABCD'"));
  EXPECT_TRUE(pngFrom(png({3, 2}, rows, chunk("aBCD", {})), "a.png"));
  // Headers whose sizes do not match the rows.
  for (const PngHeader &header : {PngHeader{3, 3}, {3, 1}, {4, 2}, {2, 2}})
    EXPECT_THAT(refusal(png(header, rows)), HasSubstr("damaged or cut off"));
  // No filter 5 exists.
  EXPECT_THAT(refusal(png({3, 2}, {5, 1, 2, 3, 0, 1, 1, 1})), HasSubstr("damaged"));
  const Bytes whole = png({3, 2}, rows);
  for (std::size_t size = 8; size < whole.size(); ++size)
    EXPECT_THAT(refusal({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}),
                HasSubstr("damaged or cut off"));
  EXPECT_THAT(refusal(joined({whole, {0}})), HasSubstr("damaged"));
}

TEST(ReadArray, TellsByTheFirstBytes) {
  EXPECT_TRUE(arrayFrom(bytesOf("P5 3 2 255\nabcdef"), "a"));
  EXPECT_TRUE(arrayFrom(png({1, 1}, {0, 7}), "a"));
  EXPECT_THAT(arrayFrom(bytesOf("GIF89a"), "a.gif").error().message,
              HasSubstr("'a.gif': it is neither a NumPy array"));
  EXPECT_THAT(readArray("/nowhere/a.npy").error().message, HasSubstr("there is no such file"));
  EXPECT_THAT(readArray("/usr").error().message, HasSubstr("it is a folder"));
}

} // namespace
} // namespace tessera::array::test
