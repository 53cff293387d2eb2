// SPDX-License-Identifier: MIT
#include "samples/vgg16/reference.h"
#include "tests/samples/sample_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace tessera::samples {

namespace {

// The smallest size: five max-pooling layers, which each halve it, leave one pixel. The layers have
// four to 32 channels.
// The layers of the first three blocks have at least 600 threads; the sums of the other layers are
// cut into slices.
const Halide::GeneratorParamsMap kSmall = {{"size", "32"},    {"channels", "4"}, {"hidden", "24"},
                                           {"classes", "12"}, {"images", "2"},   {"enough", "600"}};

class Vgg16Test : public ::testing::Test {
protected:
  // The weights keep the scale of the numbers from layer to layer, as those of a trained network
  // do.
  Vgg16Test() {
    m_network = {32, 4, 24, 12, 2, numbers(3 * 32 * 32 * 2, 1.0f), {}, {}};
    int from = 3;
    for (const int to : {4, 4, 8, 8, 16, 16, 16, 32, 32, 32, 32, 32, 32}) {
      m_network.convolutions.push_back(weights(to, from, 9));
      from = to;
    }
    for (const int to : {24, 24, 12}) {
      m_network.dense.push_back(weights(to, from, 1));
      from = to;
    }
  }

  vgg16::Weights weights(int to, int from, int window) {
    const float scale = std::sqrt(24.0f / static_cast<float>(from * window));
    return {numbers(to * from * window, scale), numbers(to, 0.2f)};
  }

  std::vector<float> numbers(int count, float scale) {
    std::vector<float> values(count);
    for (float &value : values)
      value = (static_cast<float>(m_engine() / 4294967296.0) - 0.5f) * scale;
    return values;
  }

  void compare(const Halide::Callable &run) {
    std::array<Halide::Buffer<float>, 34> buffers; // in the order of the generator's arguments
    std::size_t count = 0;
    const auto add = [&](std::vector<float> &values, std::vector<int> extents) {
      buffers.at(count++) = Halide::Buffer<float>(values.data(), std::move(extents)).copy();
    };
    add(m_network.input, {3, 32, 32, 2});
    int from = 3;
    for (auto &[filter, bias] : m_network.convolutions) {
      const int to = static_cast<int>(bias.size());
      add(filter, {to, 3, 3, from});
      add(bias, {to});
      from = to;
    }
    add(m_network.dense[0].filter, {24, from, 1, 1});
    add(m_network.dense[1].filter, {24, 24});
    add(m_network.dense[2].filter, {12, 24});
    for (auto &dense : m_network.dense)
      add(dense.bias, {static_cast<int>(dense.bias.size())});
    Halide::Buffer<float> output(12, 2);
    buffers.at(count) = output;
    EXPECT_EQ(std::apply([&](auto &...all) { return run(all...); }, buffers), 0);
    output.copy_to_host();
    const auto expected = vgg16::reference(m_network);
    ASSERT_EQ(expected.size(), output.number_of_elements());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(expected[i], output.data()[i], 1e-5) << i;
  }

  std::mt19937 m_engine{1};
  vgg16::Network m_network;
};

TEST_F(Vgg16Test, AlgorithmEqualsReference) { compare(unscheduledOnHost("vgg16", kSmall)); }

TEST_F(Vgg16Test, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  auto few = kSmall; // PoCL compiles faster if loops are unrolled less
  few.insert({{"pixels", "2"}, {"deep", "2"}});
  compare(manualOnOpenCl("vgg16", few));
}

// Every image of the batch has its own result, a probability for each class.
TEST_F(Vgg16Test, ProbabilitiesOfAnImageAddUpToOne) {
  const auto output = vgg16::reference(m_network);
  for (auto first = output.begin(); first != output.end(); first += 12) {
    EXPECT_NEAR(std::accumulate(first, first + 12, 0.0), 1.0, 1e-6);
    EXPECT_GT(*std::min_element(first, first + 12), 0.0f);
  }
  EXPECT_FALSE(std::equal(output.begin(), output.begin() + 12, output.begin() + 12));
}

// The weights pass only the first channel on, so that its brightest pixel decides between the first
// two classes.
TEST_F(Vgg16Test, WeightsThatPassOneChannelOnFindItsLargestValue) {
  for (auto *layers : {&m_network.convolutions, &m_network.dense})
    for (auto &[filter, bias] : *layers) {
      const bool convolution = layers == &m_network.convolutions;
      std::fill(filter.begin(), filter.end(), 0.0f);
      std::fill(bias.begin(), bias.end(), 0.0f);
      filter[convolution ? 4 * bias.size() : 0] = 1.0f; // channel 0 to channel 0, at the centre
    }
  for (std::size_t i = 0; i < m_network.input.size(); i += 3)
    m_network.input[i] = std::min(m_network.input[i], 0.25f);
  m_network.input[3 * (17 * 32 + 5)] = 3.0f;
  const auto output = vgg16::reference(m_network);
  EXPECT_NEAR(output[0] / output[1], std::exp(3.0f), 1e-3);
}

// The table of Mullapudi et al. lists 64 funcs.
TEST(Vgg16Counts, AsTheTableInTheReadmeSays) {
  const Counts counts = countsOf("vgg16", kSmall);
  EXPECT_EQ(counts.funcs, 66);
  EXPECT_EQ(counts.stages, 84);
}

} // namespace

} // namespace tessera::samples
