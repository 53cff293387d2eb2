// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/two_stage_blur/reference.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

class TwoStageBlurTest : public ::testing::Test {
protected:
  Image<float> run(const Halide::Callable &blur) {
    Image<float> output(m_input.width() - 2, m_input.height() - 2);
    auto in = view(m_input, 2);
    auto out = view(output, 2);
    in.set_host_dirty();
    EXPECT_EQ(blur(in, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<float> m_input = testImage<float>(103, 75, 1, 1.0f);
};

TEST_F(TwoStageBlurTest, AlgorithmEqualsReference) {
  const auto expected = two_stage_blur::reference(m_input);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("two_stage_blur")), 1e-6));
}

// The picture does not depend on where the first stage is kept.
TEST_F(TwoStageBlurTest, EveryAnswerToTheOneQuestionEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  const auto expected = two_stage_blur::reference(m_input);
  for (const std::string keep : {"nowhere", "registers", "shared", "global"})
    EXPECT_TRUE(isClose(expected, run(manualOnOpenCl("two_stage_blur", {{"keep", keep}})), 1e-6))
        << keep;
}

TEST_F(TwoStageBlurTest, ADotBecomesASquareOfTheSameSum) {
  m_input = Image<float>(9, 9);
  m_input.at(4, 4) = 9.0f;
  const auto output = two_stage_blur::reference(m_input);
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 7; ++x)
      EXPECT_NEAR(output.at(x, y), x >= 2 && x <= 4 && y >= 2 && y <= 4 ? 1.0f : 0.0f, 1e-6);
}

TEST(TwoStageBlurCounts, TheSmallestPipelineWithAChoice) {
  EXPECT_EQ(countsOf("two_stage_blur").funcs, 2);
}

} // namespace

} // namespace tessera::samples
