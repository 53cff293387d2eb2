// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/learned_demosaic/reference.h"
#include "tests/samples/sample_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera::samples {

namespace {

constexpr int kWidth = 74, kHeight = 46;
const Halide::GeneratorParamsMap kSmall = {
    {"width", "74"}, {"height", "46"}, {"layers", "2"}, {"features", "8"}};

class LearnedDemosaicTest : public ::testing::Test {
protected:
  LearnedDemosaicTest() {
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x)
        m_mosaic.at(x, y) = m_picture.at(x, y, (x % 2 + y % 2));
  }

  Image<float> run(const Halide::Callable &demosaic) {
    Image<float> output(kWidth, kHeight, 3);
    std::array<Halide::Buffer<float>, 11> buffers; // in the order of the generator's arguments
    std::size_t count = 0;
    const auto add = [&](std::vector<float> &values, std::vector<int> extents) {
      buffers.at(count++) = Halide::Buffer<float>(values.data(), std::move(extents)).copy();
    };
    buffers.at(count++) = view(m_mosaic, 2).copy();
    for (auto &layer : m_network.layers) {
      add(layer.filter, {layer.to, 3, 3, layer.from});
      add(layer.bias, {layer.to});
    }
    add(m_network.join.filter, {8, 3, 3, 6});
    add(m_network.join.bias, {8});
    add(m_network.colors, {3, 8});
    auto out = view(output, 3);
    buffers.at(count) = out;
    EXPECT_EQ(std::apply([&](auto &...all) { return demosaic(all...); }, buffers), 0);
    out.copy_to_host();
    return output;
  }

  // The result is in decibels.
  double signalToNoise(const Image<float> &image) const {
    double error = 0.0;
    for (std::size_t i = 0; i < image.size(); ++i)
      error += std::pow(image.data()[i] - m_picture.data()[i], 2.0);
    return -10.0 * std::log10(error / static_cast<double>(image.size()));
  }

  learned_demosaic::Network m_network = learned_demosaic::makeNetwork(2, 8, 1);
  Image<float> m_picture = testImage<float>(kWidth, kHeight, 3, 1.0f);
  Image<float> m_mosaic{kWidth, kHeight};
};

TEST_F(LearnedDemosaicTest, AlgorithmEqualsReference) {
  EXPECT_TRUE(isClose(learned_demosaic::reference(m_network, m_mosaic),
                      run(unscheduledOnHost("learned_demosaic", kSmall)), 1e-5));
}

TEST_F(LearnedDemosaicTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  auto few = kSmall; // PoCL compiles faster if loops are unrolled less
  few.insert({{"tall", "2"}, {"wide", "4"}});
  EXPECT_TRUE(isClose(learned_demosaic::reference(m_network, m_mosaic),
                      run(manualOnOpenCl("learned_demosaic", few)), 1e-5));
}

// The result is closer to the picture than if each 2 x 2 block used only its own pixels. It also
// depends on the last layer: if the weights there are zero, the result differs.
TEST_F(LearnedDemosaicTest, Demosaics) {
  const auto output = learned_demosaic::reference(m_network, m_mosaic);
  Image<float> blocks(kWidth, kHeight, 3);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int c = 0; c < 3; ++c)
        blocks.at(x, y, c) = m_mosaic.at(x / 2 * 2 + (c + 1) / 2, y / 2 * 2 + c / 2);
  RecordProperty("decibels", std::to_string(signalToNoise(output)));
  EXPECT_GT(signalToNoise(output), 20.0);
  EXPECT_GT(signalToNoise(output), signalToNoise(blocks) + 1.0);

  auto plain = m_network;
  for (auto *values : {&plain.layers.back().filter, &plain.layers.back().bias})
    std::fill(values->begin(), values->end(), 0.0f);
  EXPECT_FALSE(isClose(output, learned_demosaic::reference(plain, m_mosaic), 1e-3));
}

TEST_F(LearnedDemosaicTest, KeepsAFlatPicture) {
  for (auto &layer : m_network.layers)
    for (auto *values : {&layer.filter, &layer.bias})
      std::fill(values->begin(), values->end(), 0.0f);
  for (std::size_t i = 9; i < m_network.colors.size(); ++i)
    m_network.colors[i] = 0.0f;
  std::fill(m_mosaic.data(), m_mosaic.data() + m_mosaic.size(), 0.625f);
  const auto output = learned_demosaic::reference(m_network, m_mosaic);
  for (std::size_t i = 0; i < output.size(); ++i)
    ASSERT_NEAR(output.data()[i], 0.625f, 1e-6);
}

TEST_F(LearnedDemosaicTest, WeightsComeFromTheSeed) {
  const auto again = learned_demosaic::makeNetwork(2, 8, 1);
  const auto other = learned_demosaic::makeNetwork(2, 8, 2);
  EXPECT_EQ(again.layers[1].filter, m_network.layers[1].filter);
  EXPECT_NE(other.layers[1].filter, m_network.layers[1].filter);
}

TEST(LearnedDemosaicCounts, AsTheTableInTheReadmeSays) {
  const Counts counts = countsOf("learned_demosaic");
  EXPECT_EQ(counts.funcs, 19);
  EXPECT_EQ(counts.stages, 27);
}

} // namespace

} // namespace tessera::samples
