// SPDX-License-Identifier: MIT
#include "samples/depthwise_separable_conv/reference.h"
#include "tests/samples/sample_test.h"

#include <random>

namespace tessera::samples {

namespace {

using depthwise_separable_conv::kFrom;
using depthwise_separable_conv::kTo;

constexpr int kWidth = 21, kHeight = 9, kImages = 2;

class DepthwiseSeparableConvTest : public ::testing::Test {
protected:
  DepthwiseSeparableConvTest() {
    std::mt19937 engine(1);
    const auto numbers = [&](int count) {
      std::vector<float> values(count);
      for (float &value : values)
        value = static_cast<float>(engine() / 4294967296.0) - 0.5f;
      return values;
    };
    m_layer = {kWidth,
               kHeight,
               kImages,
               numbers(kFrom * kWidth * kHeight * kImages),
               numbers(kFrom * 9),
               numbers(kTo * kFrom),
               numbers(kTo)};
  }

  void compare(const Halide::Callable &run) {
    using Floats = Halide::Buffer<float>;
    const Floats input = Floats(m_layer.input.data(), kFrom, kWidth, kHeight, kImages).copy();
    const Floats depthwise = Floats(m_layer.depthwiseFilter.data(), kFrom, 3, 3).copy();
    const Floats pointwise = Floats(m_layer.pointwiseFilter.data(), kTo, kFrom).copy();
    const Floats bias = Floats(m_layer.bias.data(), kTo).copy();
    Floats output(kTo, kWidth, kHeight, kImages);
    EXPECT_EQ(run(input, depthwise, pointwise, bias, output), 0);
    output.copy_to_host();
    const auto expected = depthwise_separable_conv::reference(m_layer);
    ASSERT_EQ(expected.size(), output.number_of_elements());
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(expected[i], output.data()[i], 1e-4) << i;
  }

  depthwise_separable_conv::Layer m_layer;
};

TEST_F(DepthwiseSeparableConvTest, AlgorithmEqualsReference) {
  compare(unscheduledOnHost("depthwise_separable_conv"));
}

TEST_F(DepthwiseSeparableConvTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  compare(manualOnOpenCl("depthwise_separable_conv"));
}

// If all inputs and weights are one, an output is the bias plus the number of input values under
// the filter. This number is smaller at the border.
TEST_F(DepthwiseSeparableConvTest, OnesCountTheFilterWithZerosAround) {
  for (auto *values : {&m_layer.input, &m_layer.depthwiseFilter, &m_layer.pointwiseFilter})
    std::fill(values->begin(), values->end(), 1.0f);
  std::fill(m_layer.bias.begin(), m_layer.bias.end(), 2.0f);
  const auto output = depthwise_separable_conv::reference(m_layer);
  EXPECT_EQ(output[0], 2.0f + 4 * kFrom);
  EXPECT_EQ(output[(4 * kWidth + 7) * kTo], 2.0f + 9 * kFrom);
}

TEST(DepthwiseSeparableConvCounts, AsTheTableInTheReadmeSays) {
  const Counts counts = countsOf("depthwise_separable_conv");
  EXPECT_EQ(counts.funcs, 6);
  EXPECT_EQ(counts.stages, 8);
}

} // namespace

} // namespace tessera::samples
