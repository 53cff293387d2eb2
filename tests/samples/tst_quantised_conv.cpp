// SPDX-License-Identifier: MIT
#include "samples/quantised_conv/reference.h"
#include "tests/samples/sample_test.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace tessera::samples {

namespace {

using quantised_conv::kChannels;
using quantised_conv::Layer;

// Some multipliers have a shift to the left, as small scales of the output have.
Layer randomLayer(int width, int height, int images) {
  Layer layer;
  std::mt19937 engine(1);
  const auto fill = [&](auto &values, int count, int low, int high) {
    values.resize(static_cast<std::size_t>(count));
    for (auto &value : values)
      value = static_cast<std::decay_t<decltype(value)>>(
          low + static_cast<int>(engine() % static_cast<unsigned>(high - low + 1)));
  };
  layer.width = width;
  layer.height = height;
  layer.images = images;
  layer.inputZero = -3;
  layer.outputZero = -11;
  layer.least = -11;
  fill(layer.input, kChannels * width * height * images, -128, 127);
  fill(layer.filter, kChannels * kChannels * 9, -127, 127);
  fill(layer.bias, kChannels, -40000, 40000);
  fill(layer.multiplier, kChannels, 1 << 30, (1 << 30) + (1 << 29));
  fill(layer.shift, kChannels, -12, -9);
  layer.shift[7] = 1;
  return layer;
}

void compare(const Layer &layer, const Halide::Callable &run) {
  using Halide::Buffer;
  const auto copyOf = [](auto values, const std::vector<int> &shape) {
    return Buffer<typename decltype(values)::value_type>(values.data(), shape).copy();
  };
  const std::vector<int> shape{kChannels, layer.width, layer.height, layer.images};
  Buffer<std::int8_t> output(shape);
  EXPECT_EQ(run(copyOf(layer.input, shape), copyOf(layer.filter, {kChannels, kChannels, 3, 3}),
                copyOf(layer.bias, {kChannels}), copyOf(layer.multiplier, {kChannels}),
                copyOf(layer.shift, {kChannels}), layer.inputZero, layer.outputZero, layer.least,
                layer.most, output),
            0);
  output.copy_to_host();
  const auto expected = quantised_conv::reference(layer);
  ASSERT_EQ(expected.size(), output.number_of_elements());
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(int{expected[i]}, int{output.data()[i]}) << i;
}

TEST(QuantisedConvTest, AlgorithmEqualsReference) {
  const auto run = unscheduledOnHost("quantised_conv");
  compare(randomLayer(37, 5, 2), run);
  compare(randomLayer(3, 14, 1), run);
}

TEST(QuantisedConvTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  const auto run = manualOnOpenCl("quantised_conv");
  compare(randomLayer(37, 5, 2), run);
  compare(randomLayer(3, 14, 1), run);
}

TEST(QuantisedConvReference, OutputsCoverTheirCodes) {
  const Layer layer = randomLayer(37, 5, 2);
  const auto output = quantised_conv::reference(layer);
  EXPECT_EQ(*std::ranges::min_element(output), layer.least);
  EXPECT_EQ(*std::ranges::max_element(output), layer.most);
  const auto between = std::ranges::count_if(
      output, [&](int code) { return code > layer.least && code < layer.most; });
  EXPECT_GT(between, static_cast<std::ptrdiff_t>(output.size() / 4));
}

// The layer computes in the real numbers that the codes stand for, to within one code.
TEST(QuantisedConvReference, CodesStandForRealNumbers) {
  const Layer layer = randomLayer(37, 5, 2);
  const auto output = quantised_conv::reference(layer);
  const int x = 3, y = 2, to = 5;
  double sum = layer.bias[to];
  for (int v = 0; v < 3; ++v)
    for (int u = 0; u < 3; ++u)
      for (int from = 0; from < kChannels; ++from) {
        const int pixel = (y + v - 1) * layer.width + x + u - 1;
        const int weight = ((v * 3 + u) * kChannels + from) * kChannels + to;
        sum += (layer.input[static_cast<std::size_t>(pixel * kChannels + from)] + 3.0) *
               layer.filter[static_cast<std::size_t>(weight)];
      }
  const double real = sum * std::ldexp(layer.multiplier[to] / 2147483648.0, layer.shift[to]);
  EXPECT_NEAR(output[static_cast<std::size_t>((y * layer.width + x) * kChannels + to)],
              std::clamp(real - 11.0, -11.0, 127.0), 1.0);
}

// The two roundings of the specification treat halves differently.
TEST(QuantisedConvReference, HalvesGoUpInAProductAndAwayFromZeroInAShift) {
  const std::int32_t half = 1 << 30; // of 2^31
  EXPECT_EQ(quantised_conv::scaled(3, half, 0), 2);
  EXPECT_EQ(quantised_conv::scaled(-3, half, 0), -1);
  EXPECT_EQ(quantised_conv::scaled(6, half, -1), 2);
  EXPECT_EQ(quantised_conv::scaled(-6, half, -1), -2);
  EXPECT_EQ(quantised_conv::scaled(-3, half, 1), -3);
}

TEST(QuantisedConvCounts, AsTheCatalogueSays) {
  const Counts counts = countsOf("quantised_conv");
  EXPECT_EQ(counts.funcs, 6);
  EXPECT_EQ(counts.stages, 7);
}

} // namespace

} // namespace tessera::samples
