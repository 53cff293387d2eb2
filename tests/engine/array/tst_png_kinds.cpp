// SPDX-License-Identifier: MIT
// Every kind of image that PNG has is read: all colour types, all bits a sample, interlaced or not.
#include "engine/array/png.h"

#include "tests/engine/array/written_png.h"

#include <gtest/gtest.h>

namespace tessera::array::test {
namespace {

std::uint32_t channelsRead(const PngKind &kind) {
  if (!kind.hasPalette()) return kind.channels();
  return kind.transparency == Transparency::Marked ? 4 : 3;
}

std::uint32_t expectedSample(const PngKind &kind, std::uint32_t x, std::uint32_t y,
                             std::uint32_t channel) {
  const std::uint32_t stored = storedSample(kind, x, y, channel);
  if (!kind.hasPalette()) return kind.depth < 8 ? stored * 255 / ((1U << kind.depth) - 1) : stored;
  const std::uint32_t index = storedSample(kind, x, y, 0);
  const png_color entry = paletteEntry(index);
  switch (channel) {
  case 0:
    return entry.red;
  case 1:
    return entry.green;
  case 2:
    return entry.blue;
  default:
    return index < transparentEntries(kind) ? opacityOf(index) : 255;
  }
}

void expectRead(const PngKind &kind, std::uint32_t width, std::uint32_t height) {
  const auto image = pngFrom(writtenPng(kind, width, height), "a.png");
  ASSERT_TRUE(image) << kind << ": " << image.error().message;
  const std::uint32_t channels = channelsRead(kind);
  const std::size_t bytes = kind.depth == 16 ? 2 : 1;
  std::vector<std::int64_t> extents{width, height};
  if (channels > 1) extents.push_back(channels);
  ASSERT_EQ(image->extents, extents) << kind;
  EXPECT_EQ(image->type,
            (pipeline::ScalarType{pipeline::TypeKind::UInt, static_cast<std::uint8_t>(8 * bytes)}));
  EXPECT_EQ(image->white, bytes == 2 ? 65535U : 255U);
  ASSERT_EQ(image->data.size(), std::size_t{width} * height * channels * bytes);
  const std::uint8_t *at = image->data.data();
  for (std::uint32_t channel = 0; channel < channels; ++channel)
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x, at += bytes) {
        const std::uint32_t sample = bytes == 2 ? at[0] | at[1] << 8 : at[0];
        ASSERT_EQ(sample, expectedSample(kind, x, y, channel))
            << kind << ", " << width << "x" << height << " at " << x << ", " << y << ", "
            << channel;
      }
}

TEST(PngKinds, AllAreRead) {
  const std::vector<PngKind> kinds = everyPngKind();
  EXPECT_EQ(kinds.size(), 2U * (2 * 5 + 2 * 2 + 2 * 4 + 2 + 2));
  // In small and narrow images some interlacing passes have no pixels.
  constexpr std::uint32_t kSides[][2]{{1, 1}, {2, 3}, {5, 1}, {1, 9}, {7, 7}, {8, 8}, {33, 17}};
  for (const PngKind &kind : kinds)
    for (const auto &[width, height] : kSides)
      ASSERT_NO_FATAL_FAILURE(expectRead(kind, width, height));
}

// Reads an image of one row, whose palette has `entries` entries and whose pixels are indices of
// `depth` bits.
bool isRead(std::size_t entries, std::uint8_t depth, std::uint32_t width, const Bytes &row) {
  const Bytes palette = chunk("PLTE", Bytes(3 * entries, 7));
  return bool(pngFrom(png({width, 1, depth, PNG_COLOR_TYPE_PALETTE}, row, palette), "a"));
}

TEST(PngKinds, AnIndexThatThePaletteDoesNotReachToIsRefused) {
  EXPECT_TRUE(isRead(4, 2, 4, {0, 0b00'01'10'11}));
  EXPECT_FALSE(isRead(3, 2, 4, {0, 0b00'01'10'11}));
  EXPECT_TRUE(isRead(3, 2, 3, {0, 0b00'01'10'11})); // the last two bits are padding
  EXPECT_TRUE(isRead(256, 8, 2, {0, 0, 255}));
  EXPECT_TRUE(isRead(2, 8, 2, {0, 0, 1}));
  EXPECT_FALSE(isRead(2, 8, 2, {0, 0, 2}));
}

TEST(PngKinds, WhatIsCutOffIsRefusedInSilence) {
  testing::internal::CaptureStderr();
  for (const PngKind &kind : everyPngKind()) {
    const Bytes whole = writtenPng(kind, 9, 5);
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_FALSE(pngFrom({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}, "a"))
          << kind << ", " << size << " bytes";
    EXPECT_FALSE(pngFrom(joined({whole, {0}}), "a")) << kind;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace tessera::array::test
