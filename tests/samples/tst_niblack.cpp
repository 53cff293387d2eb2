// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/niblack/reference.h"
#include "tests/samples/sample_test.h"

#include <algorithm>
#include <string>

namespace tessera::samples {

namespace {

void compare(const Halide::Callable &run, int width, int height, int radius) {
  const auto input = testImage<std::uint16_t>(width, height, 1, 65535.0f);
  const Halide::Buffer<std::uint16_t> in(const_cast<std::uint16_t *>(input.data()), width, height);
  Halide::Buffer<bool> output(width, height);
  EXPECT_EQ(run(in.copy(), output), 0);
  output.copy_to_host();
  const auto expected = niblack::reference(input, radius);
  EXPECT_FALSE(isFlat(expected));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      ASSERT_EQ(expected.at(x, y) != 0, output(x, y)) << x << ' ' << y;
}

TEST(NiblackTest, AlgorithmEqualsReference) {
  compare(unscheduledOnHost("niblack"), 227, 149, 7);
  compare(unscheduledOnHost("niblack", {{"radius", "31"}}), 41, 70, 31);
}

TEST(NiblackTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  compare(manualOnOpenCl("niblack"), 227, 149, 7);
  compare(manualOnOpenCl("niblack", {{"radius", "31"}, {"deep", "8"}}), 41, 70, 31);
}

// Sums of pixels wrap at 32 bits in the table: this picture's sum is above 2^32.
TEST(NiblackTest, SumsThatWrapDoNoHarm) {
  constexpr int kSize = 300;
  Image<std::uint16_t> input(kSize, kSize);
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x)
      input.at(x, y) = static_cast<std::uint16_t>(65535 - (x * 7 + y * 11) % 13);
  const Halide::Buffer<std::uint16_t> in(input.data(), kSize, kSize);
  Halide::Buffer<bool> output(kSize, kSize);
  EXPECT_EQ(unscheduledOnHost("niblack")(in, output), 0);
  const auto expected = niblack::reference(input);
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x)
      ASSERT_EQ(expected.at(x, y) != 0, output(x, y)) << x << ' ' << y;
}

// Dark strokes on a page that darkens to one side: a fixed threshold would lose one of them.
TEST(NiblackReference, FindsInkOnAPageThatDarkens) {
  Image<std::uint16_t> page(200, 60);
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 200; ++x) {
      const int paper = 60000 - 250 * x;
      page.at(x, y) = static_cast<std::uint16_t>(x % 40 == 20 ? paper / 2 : paper + (y % 2) * 40);
    }
  const auto mask = niblack::reference(page);
  for (int x = 20; x < 200; x += 40) {
    EXPECT_EQ(mask.at(x, 30), 0) << x;
    EXPECT_EQ(mask.at(x - 2, 30), 1) << x;
  }
}

// A flat page has no deviation: nothing on it is brighter than its mean.
TEST(NiblackReference, AFlatPageIsDark) {
  Image<std::uint16_t> page(20, 20);
  std::fill_n(page.data(), page.size(), std::uint16_t{500});
  EXPECT_TRUE(isFlat(niblack::reference(page)));
  EXPECT_EQ(niblack::reference(page).at(3, 4), 0);
}

TEST(NiblackCounts, AsTheCatalogueSays) {
  const Counts counts = countsOf("niblack");
  EXPECT_EQ(counts.funcs, 4);
  EXPECT_EQ(counts.stages, 6);
}

} // namespace

} // namespace tessera::samples
