// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/interpolate/reference.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

class InterpolateTest : public ::testing::Test {
protected:
  // The picture is opaque outside of a disc, and transparent and black inside.
  InterpolateTest() {
    for (int y = 0; y < m_input.height(); ++y)
      for (int x = 0; x < m_input.width(); ++x) {
        const bool hole = isHole(x, y);
        m_input.at(x, y, 3) = hole ? 0.0f : 1.0f;
        for (int c = 0; hole && c < 3; ++c)
          m_input.at(x, y, c) = 0.0f;
      }
  }

  static bool isHole(int x, int y) { return (x - 60) * (x - 60) + (y - 50) * (y - 50) < 400; }

  Image<float> run(const Halide::Callable &interpolate) {
    Image<float> output(m_input.width(), m_input.height(), 3);
    auto in = view(m_input, 3);
    auto out = view(output, 3);
    in.set_host_dirty();
    EXPECT_EQ(interpolate(in, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<float> m_input = testImage<float>(151, 101, 4, 1.0f);
};

TEST_F(InterpolateTest, AlgorithmEqualsReference) {
  const auto expected = interpolate::reference(m_input, 5);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(
      isClose(expected, run(unscheduledOnHost("interpolate", {{"pyramid_levels", "5"}})), 1e-4));
}

// Where halving leaves an odd last row, that row's neighbour lies outside of the picture and must
// not be read.
TEST_F(InterpolateTest, ReferenceStaysInItsLevelsAtAnySize) {
  for (const int width : {16, 17, 31, 32})
    for (const int height : {1, 16, 31, 32}) {
      Image<float> input(width, height, 4), expected(width, height, 3);
      std::fill_n(input.data(), input.size(), 0.5f);
      std::fill_n(expected.data(), expected.size(), 0.5f);
      for (const int levels : {2, 4, 6})
        ASSERT_TRUE(isClose(expected, interpolate::reference(input, levels), 1e-6))
            << width << "x" << height << ", " << levels << " levels";
    }
}

// With three levels, there is one kernel of each kind. PoCL takes half a second to compile each.
// Three levels fill only small holes, so every seventh pixel has some opacity.
TEST_F(InterpolateTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  for (int i = 0; i < m_input.width() * m_input.height(); ++i)
    if (i % 7 == 0) m_input.data()[i + 3 * m_input.width() * m_input.height()] = 0.5f;
  EXPECT_TRUE(isClose(
      interpolate::reference(m_input, 3),
      run(manualOnOpenCl("interpolate", {{"pyramid_levels", "3"}, {"fused_levels", "1"}})), 1e-4));
}

TEST_F(InterpolateTest, KeepsWhatIsOpaqueAndFillsTheHole) {
  const auto output = interpolate::reference(m_input, 7);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < m_input.height(); ++y)
      for (int x = 0; x < m_input.width(); ++x) {
        if (isHole(x, y))
          ASSERT_GT(output.at(x, y, c), 0.15f);
        else
          ASSERT_NEAR(output.at(x, y, c), m_input.at(x, y, c), 1e-6f);
      }
}

TEST(InterpolateCounts, AsTheTableInTheReadmeSays) { EXPECT_EQ(countsOf("interpolate").funcs, 52); }

} // namespace

} // namespace tessera::samples
