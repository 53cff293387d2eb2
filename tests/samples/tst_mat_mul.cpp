// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/mat_mul/reference.h"
#include "tests/samples/sample_test.h"

#include <algorithm>
#include <numeric>

namespace tessera::samples {

namespace {

constexpr int kSize = 133;

Image<float> run(const Halide::Callable &matMul) {
  auto a = testImage<float>(kSize, kSize, 1, 1.0f);
  auto b = testImage<float>(kSize, kSize, 2, 1.0f);
  Image<float> second(kSize, kSize);
  std::copy_n(&b.at(0, 0, 1), second.size(), second.data());
  Image<float> output(kSize, kSize);
  const Halide::Buffer<float> left = view(a, 2).copy();
  const Halide::Buffer<float> right = view(second, 2).copy();
  Halide::Buffer<float> out(kSize, kSize);
  EXPECT_EQ(matMul(left, right, out), 0);
  out.copy_to_host();
  std::copy_n(out.data(), output.size(), output.data());
  EXPECT_FALSE(isFlat(output));
  EXPECT_TRUE(isClose(mat_mul::reference(a, second), output, 1e-3));
  return output;
}

TEST(MatMulTest, AlgorithmEqualsReference) {
  run(unscheduledOnHost("mat_mul", {{"size", std::to_string(kSize)}}));
}

TEST(MatMulTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  run(manualOnOpenCl("mat_mul", {{"size", std::to_string(kSize)}}));
}

// x is the column. A matrix of ones beside the diagonal therefore moves rows up: the first row is
// dropped, and the last row becomes zero.
TEST(MatMulReference, OnesBesideTheDiagonalMoveRows) {
  const int size = 5;
  Image<float> beside(size, size), numbers(size, size);
  for (int i = 0; i + 1 < size; ++i)
    beside.at(i + 1, i) = 1.0f;
  std::iota(numbers.data(), numbers.data() + numbers.size(), 1.0f);
  const auto product = mat_mul::reference(beside, numbers);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      EXPECT_EQ(product.at(x, y), y + 1 < size ? numbers.at(x, y + 1) : 0.0f);
}

TEST(MatMulCounts, TwoFuncsAsInThePapers) {
  const Counts counts = countsOf("mat_mul");
  EXPECT_EQ(counts.funcs, 2);
  EXPECT_EQ(counts.stages, 3);
}

} // namespace

} // namespace tessera::samples
