// SPDX-License-Identifier: MIT
#include "samples/lens_blur/reference.h"
#include "samples/lens_blur/stereo_pair.h"
#include "tests/samples/sample_test.h"

#include <cstdlib>

namespace tessera::samples {

namespace {

// The sizes are odd, so that levels end between tiles. In the test scene, a square is in focus, and
// a wall is four slices behind it.
class LensBlurTest : public ::testing::Test {
protected:
  Image<float> run(const Halide::Callable &lensBlur) {
    Image<float> output(m_pair.left.width(), m_pair.left.height(), 3);
    auto left = view(m_pair.left, 3), right = view(m_pair.right, 3);
    auto out = view(output, 3);
    left.set_host_dirty();
    right.set_host_dirty();
    EXPECT_EQ(lensBlur(left, right, m_parameters.slices, m_parameters.focus,
                       m_parameters.radiusScale, m_parameters.apertureSamples, out),
              0);
    out.copy_to_host();
    return output;
  }

  Image<float> expected() const {
    return lens_blur::reference(m_pair.left, m_pair.right, m_parameters);
  }

  // Where two slices cost nearly the same, rounding may make the other one the cheapest, which
  // changes the discs around that pixel. All other values are sums of a few bytes, divided once.
  static void expectClose(const Image<float> &expected, const Image<float> &actual) {
    ASSERT_FALSE(isFlat(expected));
    std::size_t different = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!(std::fabs(expected.data()[i] - actual.data()[i]) <= 1e-3f)) ++different;
    EXPECT_LE(different, expected.size() / 200);
  }

  lens_blur::StereoPair m_pair{61, 45, 2, 6};
  lens_blur::Parameters m_parameters{4, 8, 2, 0.5f, 7};
};

TEST_F(LensBlurTest, AlgorithmEqualsReference) {
  expectClose(expected(), run(unscheduledOnHost("lens_blur", {{"pyramid_levels", "4"}})));
}

TEST_F(LensBlurTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  expectClose(expected(), run(manualOnOpenCl("lens_blur", {{"pyramid_levels", "4"}})));
}

TEST_F(LensBlurTest, KeepsTheSquareAndBlursTheWall) {
  const auto output = expected();
  const auto &left = m_pair.left;
  double before = 0.0, after = 0.0;
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < left.height(); ++y)
      for (int x = 0; x + 1 < left.width(); ++x) {
        if (m_pair.isSquare(x - 4, y - 4) && m_pair.isSquare(x + 4, y + 4)) {
          ASSERT_EQ(output.at(x, y, c), left.at(x, y, c)) << x << ", " << y;
        } else if (!m_pair.isSquare(x, y)) {
          before += std::abs(left.at(x + 1, y, c) - left.at(x, y, c));
          after += std::fabs(output.at(x + 1, y, c) - output.at(x, y, c));
        }
      }
  EXPECT_LT(after, 0.75 * before);
}

TEST(LensBlurCounts, AsTheTableInTheReadmeSays) {
  const Counts counts = countsOf("lens_blur");
  EXPECT_EQ(counts.funcs, 73);
  EXPECT_EQ(counts.stages, 78);
}

} // namespace

} // namespace tessera::samples
