// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/pyramid_blend/reference.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

// Blends the left half of one picture with the right half of another.
class PyramidBlendTest : public ::testing::Test {
protected:
  static constexpr int kWidth = 83;
  static constexpr int kHeight = 59;

  PyramidBlendTest() {
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        m_mask.at(x, y) = x < kWidth / 2 ? 1.0f : 0.0f;
        for (int c = 0; c < 3; ++c)
          m_right.at(x, y, c) = m_left.at(kWidth - 1 - x, kHeight - 1 - y, 2 - c);
      }
  }

  Image<float> run(const Halide::Callable &blend) {
    Image<float> output(kWidth, kHeight, 3);
    auto left = view(m_left, 3), right = view(m_right, 3), mask = view(m_mask, 2);
    auto out = view(output, 3);
    for (auto *input : {&left, &right, &mask})
      input->set_host_dirty();
    EXPECT_EQ(blend(left, right, mask, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<float> expected(int levels) const {
    return pyramid_blend::reference(m_left, m_right, m_mask, levels);
  }

  Image<float> m_left = testImage<float>(kWidth, kHeight, 3, 1.0f);
  Image<float> m_right{kWidth, kHeight, 3};
  Image<float> m_mask{kWidth, kHeight};
};

TEST_F(PyramidBlendTest, AlgorithmEqualsReference) {
  EXPECT_FALSE(isFlat(expected(4)));
  EXPECT_TRUE(isClose(expected(4), run(unscheduledOnHost("pyramid_blend")), 1e-5));
}

// With three levels, the way up (coarse to fine) has two kernels, which are one of each kind.
TEST_F(PyramidBlendTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(
      isClose(expected(3), run(manualOnOpenCl("pyramid_blend", {{"pyramid_levels", "3"}})), 1e-5));
}

TEST_F(PyramidBlendTest, APictureBlendedWithItselfStaysAsItIs) {
  m_right = m_left;
  EXPECT_TRUE(isClose(m_left, expected(4), 1e-6));
}

// A black picture is joined to a white one. The blend has no high step, and nothing changes far
// from the edge of the mask.
TEST_F(PyramidBlendTest, AnEdgeOfTheMaskFadesOverManyPixels) {
  for (std::size_t i = 0; i < m_left.size(); ++i) {
    m_left.data()[i] = 0.0f;
    m_right.data()[i] = 1.0f;
  }
  const auto output = expected(4);
  const int row = kHeight / 2;
  for (int x = 0; x + 1 < kWidth; ++x) {
    const float step = output.at(x + 1, row, 0) - output.at(x, row, 0);
    EXPECT_GE(step, -1e-6f) << x;
    EXPECT_LE(step, 0.1f) << x;
  }
  EXPECT_NEAR(output.at(0, row, 0), 0.0f, 1e-3f);
  EXPECT_NEAR(output.at(kWidth - 1, row, 0), 1.0f, 1e-3f);
}

TEST(PyramidBlendCounts, AsTheTableInTheReadmeSays) {
  EXPECT_EQ(countsOf("pyramid_blend").funcs, 47);
}

} // namespace

} // namespace tessera::samples
