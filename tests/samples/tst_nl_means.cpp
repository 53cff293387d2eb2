// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/nl_means/reference.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

class NlMeansTest : public ::testing::Test {
protected:
  Image<float> run(const Halide::Callable &filter) {
    Image<float> output(m_input.width(), m_input.height(), 3);
    auto in = view(m_input, 3);
    auto out = view(output, 3);
    in.set_host_dirty();
    EXPECT_EQ(filter(in, m_parameters.sigma, out), 0);
    out.copy_to_host();
    return output;
  }

  nl_means::Parameters m_parameters;
  Image<float> m_input = testImage<float>(71, 53, 3, 1.0f);
};

// The pipeline's exponential has a relative error of 3e-4.
constexpr double kTolerance = 1e-3;

TEST_F(NlMeansTest, AlgorithmEqualsReference) {
  const auto expected = nl_means::reference(m_input, m_parameters);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("nl_means")), kTolerance));
}

TEST_F(NlMeansTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(nl_means::reference(m_input, m_parameters), run(manualOnOpenCl("nl_means")),
                      kTolerance));
}

// The stripes repeat every four columns, so noise on them is averaged and the stripes stay.
TEST_F(NlMeansTest, RemovesNoiseFromARepeatingPattern) {
  const auto clean = [](int x) { return x % 4 < 2 ? 0.2f : 0.8f; };
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < m_input.height(); ++y)
      for (int x = 0; x < m_input.width(); ++x)
        m_input.at(x, y, c) = clean(x) + 0.1f * (testPixel(x, y, c, 1 << 20, 1 << 20) -
                                                 testPixel(0, 0, c, 1 << 20, 1 << 20));
  const auto output = nl_means::reference(m_input, m_parameters);
  const auto variance = [&](const Image<float> &image) {
    double sum = 0.0, squares = 0.0;
    int count = 0;
    for (int y = 8; y < m_input.height() - 8; ++y)
      for (int x = 8; x < m_input.width() - 8; ++x, ++count) {
        const double d = image.at(x, y) - clean(x);
        sum += d;
        squares += d * d;
      }
    return squares / count - sum / count * sum / count;
  };
  const double before = variance(m_input);
  const double after = variance(output);
  EXPECT_GT(before, 0.0);
  EXPECT_LT(after, 0.3 * before);
}

TEST(NlMeansCounts, WithinAFifthOfThePapers) { EXPECT_NEAR(countsOf("nl_means").funcs, 13, 2.6); }

} // namespace

} // namespace tessera::samples
