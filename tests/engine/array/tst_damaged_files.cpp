// SPDX-License-Identifier: MIT
// Damaged files are refused or read as other numbers. Reading them never crashes, hangs or takes
// more memory than the file accounts for.
#include "engine/array/read_array.h"

#include "tests/engine/array/image_files.h"
#include "tests/engine/array/npy_file.h"
#include "tests/engine/array/written_png.h"
#include "tests/support/build_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

namespace tessera::array::test {
namespace {

constexpr int kFiles = 100'000;

Bytes fileOf(const std::string &name) {
  std::ifstream file(tessera::test::sourcePath("tests/data/images/" + name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Bytes> wholeFiles() {
  const std::string header = "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3), }";
  return {npyBytes(header, Bytes(12, 7)),
          npyBytes(header, Bytes(12, 7), 2),
          bytesOf("P5 # grey\n3 2 255\nabcdef"),
          bytesOf("P6 2 1 65535\nabcdefABCDEF"),
          png({3, 2}, {0, 1, 2, 3, 2, 1, 1, 1}),
          fileOf("rgb8.png"),
          fileOf("grey16.png"),
          fileOf("rgba8.png")};
}

// Returns an undamaged file for every kind of PNG image.
std::vector<Bytes> wholePngs() {
  std::vector<Bytes> files;
  for (const PngKind &kind : everyPngKind())
    files.push_back(writtenPng(kind, 11, 9));
  return files;
}

// Computes the checksums of the chunks again. Half of the damaged files get them, so that the code
// behind the checksum is tested too.
void mendChecksums(Bytes &bytes) {
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = static_cast<std::size_t>(bytes[at]) << 24 | bytes[at + 1] << 16 |
                               bytes[at + 2] << 8 | bytes[at + 3];
    if (length > bytes.size() - at - 12) return;
    const auto checked = std::span(bytes).subspan(at + 4, 4 + length);
    std::ranges::copy(bigEndian(checksumOf(checked)),
                      bytes.begin() + static_cast<std::ptrdiff_t>(at + 8 + length));
    at += 12 + length;
  }
}

void surviveDamage(const std::vector<Bytes> &files, unsigned seed) {
  std::mt19937 random(seed);
  for (const Bytes &file : files)
    ASSERT_TRUE(arrayFrom(file, "whole"));
  int read = 0;
  for (int n = 0; n < kFiles; ++n) {
    const Bytes &whole = files[random() % files.size()];
    Bytes bytes = whole;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    if (random() % 8 == 0) bytes.resize(random() % bytes.size());
    if (random() % 2 == 0) mendChecksums(bytes);
    const auto array = arrayFrom(bytes, "damaged");
    if (!array) {
      EXPECT_NE(array.error().message, "") << "seed " << seed << ", number " << n;
      continue;
    }
    ++read;
    std::size_t wantedBytes = static_cast<std::size_t>(array->type.bytes());
    for (const std::int64_t extent : array->extents)
      wantedBytes *= static_cast<std::size_t>(extent);
    ASSERT_EQ(array->data.size(), wantedBytes) << "seed " << seed << ", number " << n;
  }
  EXPECT_GT(read, kFiles / 100); // a file in which only numbers changed stays readable
  EXPECT_LT(read, kFiles);
}

TEST(DamagedFiles, AreSurvived) { surviveDamage(wholeFiles(), 20261122); }

TEST(DamagedFiles, OfEveryKindOfPngAreSurvivedInSilence) {
  testing::internal::CaptureStderr();
  surviveDamage(wholePngs(), 20261127);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace tessera::array::test
