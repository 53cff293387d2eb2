// SPDX-License-Identifier: MIT
// The three benchmarks of the schedule-tree paper.
#include "samples/common/test_image.h"
#include "samples/gradient/reference.h"
#include "samples/tree_blur/reference.h"
#include "samples/trig_stencil/reference.h"
#include "tests/samples/sample_test.h"

#include <algorithm>
#include <cmath>

namespace tessera::samples {

namespace {

// The picture is at least as large as the tile of a block.
constexpr int kWidth = 151, kHeight = 67;

template <typename T>
Image<T> runWithoutInput(const Halide::Callable &sample) {
  Image<T> output(kWidth, kHeight);
  auto out = view(output, 2);
  EXPECT_EQ(sample(out), 0);
  out.copy_to_host();
  return output;
}

// In this test alone, not-a-number equals not-a-number, because more than half of the pixels are
// not-a-number.
void expectEqualWithHoles(const Image<float> &expected, const Image<float> &actual) {
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < expected.width(); ++x) {
      const float a = expected.at(x, y), b = actual.at(x, y);
      ASSERT_EQ(std::isnan(a), std::isnan(b)) << x << ", " << y;
      if (!std::isnan(a)) {
        ASSERT_NEAR(a, b, 1e-4) << x << ", " << y;
      }
    }
}

TEST(TrigStencil, AlgorithmEqualsReference) {
  expectEqualWithHoles(trig_stencil::reference(kWidth, kHeight),
                       runWithoutInput<float>(unscheduledOnHost("trig_stencil")));
}

TEST(TrigStencil, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  expectEqualWithHoles(trig_stencil::reference(kWidth, kHeight),
                       runWithoutInput<float>(manualOnOpenCl("trig_stencil")));
}

// A pixel has a number only if all four of its points have one: fewer than half of the pixels do,
// and more than a tenth. The corner is the sum of sqrt(cos 0 + sin 0) and its three neighbours.
TEST(TrigStencil, HasTheHolesOfANegativeRoot) {
  const auto picture = trig_stencil::reference(kWidth, kHeight);
  const auto there = std::count_if(picture.data(), picture.data() + picture.size(),
                                   [](float value) { return !std::isnan(value); });
  EXPECT_LT(there, kWidth * kHeight / 2);
  EXPECT_GT(there, kWidth * kHeight / 10);
  EXPECT_NEAR(picture.at(0, 0), 1.0 + 0.735053 + 1.357008 + 1.175489, 1e-5);
}

class TreeBlurTest : public ::testing::Test {
protected:
  Image<float> run(const Halide::Callable &blur) {
    Image<float> output(m_input.width() - 4, m_input.height());
    auto in = view(m_input, 2);
    auto out = view(output, 2, 2);
    in.set_host_dirty();
    EXPECT_EQ(blur(in, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<float> m_input = testImage<float>(kWidth, kHeight, 1, 1.0f);
};

TEST_F(TreeBlurTest, AlgorithmEqualsReference) {
  const auto expected = tree_blur::reference(m_input);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("tree_blur")), 1e-6));
}

TEST_F(TreeBlurTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(tree_blur::reference(m_input), run(manualOnOpenCl("tree_blur")), 1e-6));
}

// Two boxes of three pixels make a tent of five, along x only.
TEST_F(TreeBlurTest, ADotBecomesATent) {
  m_input = Image<float>(11, 3);
  m_input.at(5, 1) = 9.0f;
  const auto output = tree_blur::reference(m_input);
  const float tent[] = {0, 1, 2, 3, 2, 1, 0};
  for (int x = 0; x < 7; ++x) {
    EXPECT_NEAR(output.at(x, 1), tent[x], 1e-6);
    EXPECT_EQ(output.at(x, 0), 0.0f);
    EXPECT_EQ(output.at(x, 2), 0.0f);
  }
}

TEST(Gradient, AlgorithmEqualsReference) {
  const auto expected = gradient::reference(kWidth, kHeight);
  EXPECT_EQ(expected.at(150, 66), 216);
  EXPECT_TRUE(isClose(expected, runWithoutInput<int>(unscheduledOnHost("gradient")), 0));
}

TEST(Gradient, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(gradient::reference(kWidth, kHeight),
                      runWithoutInput<int>(manualOnOpenCl("gradient")), 0));
}

TEST(ScheduleTreeCounts, AsPublished) {
  EXPECT_EQ(countsOf("trig_stencil").funcs, 2);
  EXPECT_EQ(countsOf("tree_blur").funcs, 2);
  EXPECT_EQ(countsOf("gradient").funcs, 1);
}

} // namespace

} // namespace tessera::samples
