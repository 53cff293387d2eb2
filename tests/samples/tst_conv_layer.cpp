// SPDX-License-Identifier: MIT
#include "samples/conv_layer/reference.h"
#include "tests/samples/sample_test.h"

#include <random>

namespace tessera::samples {

namespace {

// Width and height are odd and no smaller than the tile of a block. The channels fill two blocks
// and two chunks.
const Halide::GeneratorParamsMap kSmall = {
    {"channels", "8"},  {"width", "21"},    {"height", "5"}, {"images", "2"},
    {"threads_c", "1"}, {"threads_y", "2"}, {"chunk", "4"}};

conv_layer::Layer layerOf(int inputs) {
  std::mt19937 engine(1);
  const auto numbers = [&](int count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = static_cast<float>(engine() / 4294967296.0) - 0.5f;
    return values;
  };
  return {8,         21, 5, 2, inputs, numbers(inputs * 23 * 7 * 2), numbers(8 * 3 * 3 * inputs),
          numbers(8)};
}

class ConvLayerTest : public ::testing::Test {
protected:
  void compare(const Halide::Callable &run) {
    const int inputs = m_layer.inputs;
    const Halide::Buffer<float> input =
        Halide::Buffer<float>(m_layer.input.data(), inputs, 23, 7, 2).copy();
    const Halide::Buffer<float> filter =
        Halide::Buffer<float>(m_layer.filter.data(), 8, 3, 3, inputs).copy();
    const Halide::Buffer<float> bias = Halide::Buffer<float>(m_layer.bias.data(), 8).copy();
    Halide::Buffer<float> output(8, 21, 5, 2);
    EXPECT_EQ(run(input, filter, bias, output), 0);
    output.copy_to_host();
    const auto expected = conv_layer::reference(m_layer);
    ASSERT_EQ(expected.size(), output.number_of_elements());
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(expected[i], output.data()[i], 1e-4) << i;
  }

  conv_layer::Layer m_layer = layerOf(8);
};

TEST_F(ConvLayerTest, AlgorithmEqualsReference) {
  compare(unscheduledOnHost("conv_layer", kSmall));
}

// As the first layer of a network, which has three channels.
TEST_F(ConvLayerTest, TheInputMayHaveOtherChannels) {
  m_layer = layerOf(3);
  Halide::GeneratorParamsMap parameters = kSmall;
  parameters["inputs"] = "3";
  compare(unscheduledOnHost("conv_layer", parameters));
}

TEST_F(ConvLayerTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  compare(manualOnOpenCl("conv_layer", kSmall));
}

// The filter only passes the centre pixel, and moves channel 7 - c to channel c.
TEST_F(ConvLayerTest, AFilterOfOneWeightSwapsChannelsAndCutsNegatives) {
  std::fill(m_layer.filter.begin(), m_layer.filter.end(), 0.0f);
  std::fill(m_layer.bias.begin(), m_layer.bias.end(), 0.0f);
  for (int c = 0; c < 8; ++c)
    m_layer.filter[((7 - c) * 9 + 4) * 8 + c] = 1.0f;
  const auto output = conv_layer::reference(m_layer);
  const std::size_t pixel = 3 * 21 + 10, centre = 4 * 23 + 11;
  for (int c = 0; c < 8; ++c)
    EXPECT_EQ(output[pixel * 8 + c], std::max(m_layer.input[centre * 8 + 7 - c], 0.0f));
}

TEST(ConvLayerCounts, AsTheTableInTheReadmeSays) {
  const Counts counts = countsOf("conv_layer");
  EXPECT_EQ(counts.funcs, 2);
  EXPECT_EQ(counts.stages, 3);
}

} // namespace

} // namespace tessera::samples
