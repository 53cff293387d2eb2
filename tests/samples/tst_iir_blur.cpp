// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/iir_blur/reference.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

constexpr float kAlpha = 0.1f;

class IirBlurTest : public ::testing::Test {
protected:
  Image<float> run(const Halide::Callable &blur) {
    Image<float> output(m_input.width(), m_input.height(), 3);
    auto in = view(m_input, 3);
    auto out = view(output, 3);
    in.set_host_dirty();
    EXPECT_EQ(blur(in, kAlpha, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<float> m_input = testImage<float>(151, 101, 3, 1.0f);
};

TEST_F(IirBlurTest, AlgorithmEqualsReference) {
  const auto expected = iir_blur::reference(m_input, kAlpha);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("iir_blur")), 1e-5));
}

TEST_F(IirBlurTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(iir_blur::reference(m_input, kAlpha),
                      run(manualOnOpenCl("iir_blur", {{"deep", "4"}, {"loads", "2"}})), 1e-5));
}

TEST_F(IirBlurTest, ScheduleWithLinesInGlobalMemoryEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(iir_blur::reference(m_input, kAlpha),
                      run(manualOnOpenCl("iir_blur", {{"global", "true"},
                                                      {"column_lines", "32"},
                                                      {"row_lines", "16"},
                                                      {"loads", "1"},
                                                      {"deep", "4"}})),
                      1e-5));
}

// After the scans down and up, an impulse becomes alpha / (2 - alpha) (1 - alpha)^|distance| along
// each axis.
TEST(IirBlurReference, AnswersAnImpulseWithTwoExponentials) {
  Image<float> dot(161, 161);
  dot.at(80, 80) = 1.0f;
  const auto output = iir_blur::reference(dot, kAlpha);
  const float peak = kAlpha / (2.0f - kAlpha);
  EXPECT_NEAR(output.at(80, 80), peak * peak, 1e-6f);
  EXPECT_NEAR(output.at(85, 77), peak * peak * std::pow(1.0f - kAlpha, 8.0f), 1e-6f);
}

TEST(IirBlurCounts, AsManyStagesAsInThePapers) {
  const Counts counts = countsOf("iir_blur");
  EXPECT_EQ(counts.funcs, 4);
  EXPECT_EQ(counts.stages, 8);
}

} // namespace

} // namespace tessera::samples
