// SPDX-License-Identifier: MIT
#include "samples/resnet_block/reference.h"
#include "tests/samples/sample_test.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace tessera::samples {

namespace {

constexpr int kChannels = 24, kBottleneck = 8, kSize = 11, kImages = 2;

Halide::GeneratorParamsMap small(Halide::GeneratorParamsMap also = {}) {
  also.insert({{"channels", std::to_string(kChannels)},
               {"bottleneck", std::to_string(kBottleneck)},
               {"size", std::to_string(kSize)},
               {"images", std::to_string(kImages)}});
  return also;
}

class ResnetBlockTest : public ::testing::Test {
protected:
  ResnetBlockTest() {
    const auto convolution = [&](int to, int window, int from) {
      return resnet_block::Convolution{numbers(to * window * from), numbers(to), numbers(to)};
    };
    m_block = {kChannels,
               kBottleneck,
               kSize,
               kImages,
               numbers(kChannels * kSize * kSize * kImages),
               convolution(kBottleneck, 1, kChannels),
               convolution(kBottleneck, 9, kBottleneck),
               convolution(kChannels, 1, kBottleneck)};
  }

  std::vector<float> numbers(int count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = static_cast<float>(m_engine() / 4294967296.0) - 0.5f;
    return values;
  }

  static Halide::Buffer<float> copied(std::vector<float> &values, std::vector<int> extents) {
    return Halide::Buffer<float>(values.data(), std::move(extents)).copy();
  }

  void compare(const Halide::Callable &run) {
    auto &[channels, inside, size, images, input, reduce, spatial, expand] = m_block;
    Halide::Buffer<float> output(channels, size, size, images);
    EXPECT_EQ(run(copied(input, {channels, size, size, images}),
                  copied(reduce.filter, {inside, channels}),
                  copied(spatial.filter, {inside, 3, 3, inside}),
                  copied(expand.filter, {channels, inside}), copied(reduce.scale, {inside}),
                  copied(reduce.shift, {inside}), copied(spatial.scale, {inside}),
                  copied(spatial.shift, {inside}), copied(expand.scale, {channels}),
                  copied(expand.shift, {channels}), output),
              0);
    output.copy_to_host();
    const auto expected = resnet_block::reference(m_block);
    ASSERT_EQ(expected.size(), output.number_of_elements());
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(expected[i], output.data()[i], 1e-5) << i;
  }

  std::mt19937 m_engine{1};
  resnet_block::Block m_block;
};

TEST_F(ResnetBlockTest, AlgorithmEqualsReference) {
  compare(unscheduledOnHost("resnet_block", small()));
}

TEST_F(ResnetBlockTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  compare(manualOnOpenCl("resnet_block", small()));
}

TEST_F(ResnetBlockTest, ScheduleOfThreeKernelsEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  compare(manualOnOpenCl("resnet_block", small({{"fused", "false"}, {"tall", "2"}})));
}

// The block is an identity if nothing is learnt: the input comes through, cut at zero.
TEST_F(ResnetBlockTest, WithoutWeightsTheInputComesThrough) {
  for (auto *values : {&m_block.expand.filter, &m_block.expand.shift})
    std::fill(values->begin(), values->end(), 0.0f);
  const auto output = resnet_block::reference(m_block);
  for (std::size_t i = 0; i < output.size(); ++i)
    ASSERT_EQ(output[i], std::max(m_block.input[i], 0.0f));
}

// One bright pixel reaches the 3x3 pixels around it and nothing else.
TEST_F(ResnetBlockTest, APixelReachesItsNeighbours) {
  const auto before = resnet_block::reference(m_block);
  for (int c = 0; c < kChannels; ++c)
    m_block.input[(5 * kSize + 6) * kChannels + c] += 1.0f;
  const auto after = resnet_block::reference(m_block);
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const auto first = (y * kSize + x) * kChannels;
      const bool same = std::equal(before.begin() + first, before.begin() + first + kChannels,
                                   after.begin() + first);
      EXPECT_EQ(same, std::abs(x - 6) > 1 || std::abs(y - 5) > 1) << x << ", " << y;
    }
}

TEST(ResnetBlockCounts, AsTheTableInTheReadmeSays) {
  const Counts counts = countsOf("resnet_block");
  EXPECT_EQ(counts.funcs, 8);
  EXPECT_EQ(counts.stages, 11);
}

} // namespace

} // namespace tessera::samples
