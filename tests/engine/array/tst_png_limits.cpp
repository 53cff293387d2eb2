// SPDX-License-Identifier: MIT
// A PNG file that claims more than it holds is refused, and the reader allocates no memory for the
// claim.
#include "engine/array/png.h"

#include "tests/engine/array/written_png.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <functional>
#include <random>
#include <sys/resource.h>

namespace tessera::array::test {
namespace {

using testing::HasSubstr;

std::string refusal(const Bytes &file) {
  const auto image = pngFrom(file, "a.png");
  EXPECT_FALSE(image);
  return image ? "" : image.error().message;
}

Bytes compressed(const Bytes &data) {
  uLongf size = compressBound(data.size());
  Bytes out(size);
  EXPECT_EQ(compress2(out.data(), &size, data.data(), data.size(), 9), Z_OK);
  out.resize(size);
  return out;
}

Bytes pngAround(const PngHeader &header, const Bytes &stream, const Bytes &between = {}) {
  return joined({bytesOf("\x89PNG\r\n\x1a\n"), headerChunk(header), between, chunk("IDAT", stream),
                 chunk("IEND", {})});
}

// Returns a file that has a chunk of its own for each byte of the stream.
Bytes pngInBytes(const PngHeader &header, const Bytes &stream) {
  Bytes file = joined({bytesOf("\x89PNG\r\n\x1a\n"), headerChunk(header)});
  for (const std::uint8_t byte : stream) {
    const Bytes part = chunk("IDAT", {byte});
    file.insert(file.end(), part.begin(), part.end());
  }
  return joined({file, chunk("IEND", {})});
}

// The peak resident memory of this process.
long peakMebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss >> 10;
}

Bytes noise(std::size_t size) {
  std::mt19937 random(3);
  Bytes bytes(size);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(random());
  return bytes;
}

// Returns a zlib stream of `mebibytes` MiB of zeros without an end. It repeats one compressed
// piece.
Bytes endlessZeros(int mebibytes) {
  z_stream deflating{};
  EXPECT_EQ(deflateInit(&deflating, 9), Z_OK);
  Bytes zeros(std::size_t{1} << 20, 0), out(std::size_t{64} << 10);
  const auto flushed = [&] {
    deflating.next_in = zeros.data();
    deflating.avail_in = static_cast<uInt>(zeros.size());
    deflating.next_out = out.data();
    deflating.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&deflating, Z_FULL_FLUSH), Z_OK);
    return Bytes(out.begin(), out.end() - deflating.avail_out);
  };
  Bytes stream = flushed();
  const Bytes piece = flushed();
  for (int i = 1; i < mebibytes; ++i)
    stream.insert(stream.end(), piece.begin(), piece.end());
  deflateEnd(&deflating);
  return stream;
}

TEST(PngLimits, TheHeaderAloneTellsWhatIsTooLarge) {
  for (const std::uint8_t interlace : {0, 1}) {
    EXPECT_THAT(refusal(png({1'000'000, 1'000'000, 8, 0, interlace}, {})), HasSubstr("too large"));
    EXPECT_THAT(refusal(png({1'000'000, 1'000'000, 1, 0, interlace}, {})), HasSubstr("too large"));
    EXPECT_THAT(refusal(png({0x7fffffff, 0x7fffffff, 16, 6, interlace}, {})),
                HasSubstr("too large"));
    EXPECT_THAT(refusal(png({0x7fffffff, 1, 16, 6, interlace}, {})), HasSubstr("too large"));
  }
  // One bit of the file becomes three bytes of the image.
  EXPECT_THAT(refusal(png({40'000, 40'000, 1, 3}, {}, chunk("PLTE", Bytes(6, 1)))),
              HasSubstr("too large"));
}

TEST(PngLimits, WhatTheFileCannotHoldTakesNoMemory) {
  const Bytes some = compressed(noise(4'000'000)), row = stored(Bytes(60'001, 0));
  const long before = peakMebibytes();
  for (const std::uint8_t interlace : {0, 1})
    for (const Bytes &stream : {std::cref(row), std::cref(some)}) // the image would take 3.4 GiB
      EXPECT_THAT(refusal(pngAround({60'000, 60'000, 8, 0, interlace}, stream)),
                  HasSubstr("damaged or cut off"));
  EXPECT_LT(peakMebibytes() - before, 100);
}

TEST(PngLimits, ABombInTheRowsIsRefused) {
  const Bytes bomb = endlessZeros(200);
  const long before = peakMebibytes();
  for (const std::uint8_t interlace : {0, 1})
    EXPECT_THAT(refusal(pngAround({100, 100, 8, 0, interlace}, bomb)), HasSubstr("damaged"));
  EXPECT_LT(peakMebibytes() - before, 20);
}

TEST(PngLimits, WhatABombHoldsIsNotDecompressedToItsEnd) {
  const Bytes bomb = endlessZeros(20'000); // a file of 20 MB
  const std::clock_t start = std::clock(); // CPU time, because other programs may be busy
  EXPECT_THAT(refusal(pngAround({100, 100}, bomb)), HasSubstr("damaged"));
  // Decompressing all of it takes more than 30 s.
  EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 5);
}

// The compressed bytes come one by one. With such small pieces, libpng by itself skips the checksum
// and takes the rest of it for excess data.
TEST(PngLimits, CompressedBytesMayComeOneByOne) {
  constexpr std::uint32_t kWidth = 20'000;
  const Bytes pixels = noise(2 * kWidth);
  Bytes rows;
  for (std::size_t y = 0; y < 2; ++y) {
    rows.push_back(0);
    rows.insert(rows.end(), pixels.begin() + y * kWidth, pixels.begin() + (y + 1) * kWidth);
  }
  Bytes stream = compressed(rows);
  const auto image = pngFrom(pngInBytes({kWidth, 2}, stream), "a.png");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->data, pixels);
  stream.back() ^= 1; // damages the checksum
  EXPECT_THAT(refusal(pngInBytes({kWidth, 2}, stream)), HasSubstr("damaged"));
  stream.pop_back();
  EXPECT_THAT(refusal(pngInBytes({kWidth, 2}, stream)), HasSubstr("damaged"));
}

TEST(PngLimits, TextsAndColourProfilesAreNotDecompressed) {
  const Bytes bomb = endlessZeros(200);
  const Bytes rows = stored({0, 7});
  const long before = peakMebibytes();
  for (const char *type : {"zTXt", "iCCP"}) {
    const Bytes part = chunk(type, joined({bytesOf("name"), {0, 0}, bomb}));
    const auto image = pngFrom(pngAround({1, 1}, rows, part), "a.png");
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(image->data, Bytes{7});
  }
  EXPECT_LT(peakMebibytes() - before, 20);
  EXPECT_TRUE(pngFrom(pngAround({1, 1}, rows, chunk("tEXt", Bytes(9'000'000, 'a'))), "a.png"));
}

TEST(PngLimits, DamageThatLibpngWouldOverlookIsRefused) {
  const Bytes rows = stored({0, 7});
  Bytes text = chunk("tEXt", bytesOf("name"));
  text.back() ^= 1;
  EXPECT_THAT(refusal(pngAround({1, 1}, rows, text)), HasSubstr("damaged"));
  const Bytes palette = chunk("PLTE", {1, 2, 3, 4, 5, 6}), indices = stored({0, 1});
  const PngHeader withPalette{1, 1, 8, PNG_COLOR_TYPE_PALETTE};
  for (const std::size_t opacities : {2, 3}) // the palette has two colours
    EXPECT_EQ(bool(pngFrom(pngAround(withPalette, indices,
                                     joined({palette, chunk("tRNS", Bytes(opacities, 9))})),
                           "a.png")),
              opacities == 2);
  Bytes checksum = rows;
  checksum.back() ^= 1;
  EXPECT_THAT(refusal(pngAround({1, 1}, checksum)), HasSubstr("damaged"));
  EXPECT_THAT(refusal(pngAround({1, 1}, joined({rows, {0}}))), HasSubstr("damaged"));
  EXPECT_THAT(refusal(joined({bytesOf("\x89PNG\r\n\x1a\n"), headerChunk({1, 1}),
                              chunk("IDAT", rows), chunk("IDAT", {0}), chunk("IEND", {})})),
              HasSubstr("damaged"));
}

} // namespace
} // namespace tessera::array::test
