// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/unsharp/reference.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

class UnsharpTest : public ::testing::Test {
protected:
  Image<float> run(const Halide::Callable &unsharp) {
    Image<float> output(m_input.width(), m_input.height(), 3);
    auto in = view(m_input, 3);
    auto out = view(output, 3);
    in.set_host_dirty();
    EXPECT_EQ(unsharp(in, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<float> m_input = testImage<float>(151, 101, 3, 1.0f);
};

TEST_F(UnsharpTest, AlgorithmEqualsReference) {
  const auto expected = unsharp::reference(m_input);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("unsharp")), 1e-5));
}

TEST_F(UnsharpTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(unsharp::reference(m_input), run(manualOnOpenCl("unsharp")), 1e-5));
}

TEST_F(UnsharpTest, EdgesGetMoreContrast) {
  float before = 0.0f, after = 0.0f;
  const auto output = unsharp::reference(m_input);
  for (int y = 0; y < m_input.height(); ++y)
    for (int x = 1; x < m_input.width(); ++x) {
      before += std::fabs(m_input.at(x, y) - m_input.at(x - 1, y));
      after += std::fabs(output.at(x, y) - output.at(x - 1, y));
    }
  EXPECT_GT(after, 1.2f * before);
}

TEST(UnsharpCounts, AsTheTableInTheReadmeSays) { EXPECT_EQ(countsOf("unsharp").funcs, 9); }

} // namespace

} // namespace tessera::samples
