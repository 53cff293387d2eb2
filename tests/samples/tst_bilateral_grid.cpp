// SPDX-License-Identifier: MIT
#include "samples/bilateral_grid/reference.h"
#include "samples/common/test_image.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

constexpr int kSigma = 8;
constexpr float kRangeSigma = 0.1f;

class BilateralGridTest : public ::testing::Test {
protected:
  Image<float> run(const Halide::Callable &filter) {
    Image<float> output(m_input.width(), m_input.height());
    auto in = view(m_input, 2);
    auto out = view(output, 2);
    in.set_host_dirty();
    EXPECT_EQ(filter(in, kRangeSigma, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<float> reference() const { return bilateral_grid::reference(m_input, kSigma, kRangeSigma); }

  Image<float> m_input = testImage<float>(151, 101, 1, 1.0f);
};

// If a value lies between two bins, rounding decides which of them counts it. But a cell has 64
// pixels and is then blurred, so one value changes the result by far less than this tolerance.
constexpr double kTolerance = 1e-3;

TEST_F(BilateralGridTest, AlgorithmEqualsReference) {
  const auto expected = reference();
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("bilateral_grid")), kTolerance));
}

TEST_F(BilateralGridTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(reference(), run(manualOnOpenCl("bilateral_grid")), kTolerance));
}

// Fine noise disappears, but a step of 0.6 stays.
TEST_F(BilateralGridTest, SmoothsNoiseAndKeepsASteepEdge) {
  for (int y = 0; y < m_input.height(); ++y)
    for (int x = 0; x < m_input.width(); ++x)
      m_input.at(x, y) = (x < 75 ? 0.2f : 0.8f) + ((x + y) % 2 == 0 ? 0.02f : -0.02f);
  const auto output = reference();
  for (int y = 0; y < m_input.height(); ++y) {
    EXPECT_NEAR(output.at(74, y), 0.2f, 0.012f);
    EXPECT_NEAR(output.at(75, y), 0.8f, 0.012f);
  }
}

TEST(BilateralGridCounts, AsManyFuncsAsInThePapers) {
  EXPECT_EQ(countsOf("bilateral_grid").funcs, 8);
}

} // namespace

} // namespace tessera::samples
