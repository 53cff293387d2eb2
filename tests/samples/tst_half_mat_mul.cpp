// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/half_mat_mul/reference.h"
#include "tests/samples/sample_test.h"

#include <string>

namespace tessera::samples {

namespace {

using half_mat_mul::fromHalf;
using half_mat_mul::Half;
using half_mat_mul::toHalf;

Image<Half> halves(int width, int height, int seed) {
  Image<Half> result(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      result.at(x, y) = toHalf(testPixel(x, y, seed, width, height) - 0.5f);
  return result;
}

Halide::Buffer<Halide::float16_t> bufferOf(const Image<Half> &image) {
  Halide::Buffer<Halide::float16_t> buffer(image.width(), image.height());
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      buffer(x, y) = Halide::float16_t::make_from_bits(image.at(x, y));
  return buffer;
}

// Sums in another order may round to the next half. Sums are below 8, where halves are 2^-8 apart
// at most.
void compare(const Halide::Callable &run, int width, int height, int depth) {
  const auto a = halves(depth, height, 0), b = halves(width, depth, 1);
  const auto expected = half_mat_mul::reference(a, b);
  Halide::Buffer<Halide::float16_t> output(width, height);
  EXPECT_EQ(run(bufferOf(a), bufferOf(b), output), 0);
  output.copy_to_host();
  EXPECT_FALSE(isFlat(expected));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Half bits = output(x, y).to_bits();
      ASSERT_NEAR(fromHalf(expected.at(x, y)), fromHalf(bits), 1.0 / 256) << x << ' ' << y;
    }
}

// PoCL has no half precision, so nothing runs the schedule by hand here.
TEST(HalfMatMulTest, AlgorithmEqualsReference) {
  compare(unscheduledOnHost("half_mat_mul", {{"depth", "64"}}), 133, 75, 64);
  compare(unscheduledOnHost("half_mat_mul", {{"depth", "37"}}), 18, 129, 37);
}

TEST(HalfMatMulReference, AllHalvesSurvive) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const float value = fromHalf(static_cast<Half>(bits));
    const bool isNumber = value == value;
    EXPECT_EQ(isNumber ? toHalf(value) : bits, bits);
    EXPECT_EQ(isNumber, (bits & 0x7fff) <= 0x7c00);
  }
}

TEST(HalfMatMulReference, RoundsToTheNearestAndToEven) {
  EXPECT_EQ(toHalf(1.0f), 0x3c00);
  EXPECT_EQ(toHalf(-2.0f), 0xc000);
  EXPECT_EQ(toHalf(1.0f + 1.0f / 2048), 0x3c00) << "a tie, to even";
  EXPECT_EQ(toHalf(1.0f + 3.0f / 2048), 0x3c02) << "a tie, to even";
  EXPECT_EQ(toHalf(1.0f + 1.1f / 2048), 0x3c01);
  EXPECT_EQ(toHalf(2047.6f), 0x6800) << "carries into the exponent";
  EXPECT_EQ(toHalf(65504.0f), 0x7bff) << "the largest";
  EXPECT_EQ(toHalf(65520.0f), 0x7c00) << "infinity";
  EXPECT_EQ(toHalf(1e30f), 0x7c00);
  EXPECT_EQ(toHalf(5.9604645e-8f), 1) << "the least";
}

TEST(HalfMatMulCounts, AsTheCatalogueSays) {
  const Counts counts = countsOf("half_mat_mul");
  EXPECT_EQ(counts.funcs, 4);
  EXPECT_EQ(counts.stages, 5);
}

} // namespace

} // namespace tessera::samples
