// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/harris/reference.h"
#include "tests/samples/sample_test.h"

#include <cstdlib>

namespace tessera::samples {

namespace {

class HarrisTest : public ::testing::Test {
protected:
  Image<float> run(const Halide::Callable &harris) {
    Image<float> output(m_input.width() - 2 * harris::kBorder,
                        m_input.height() - 2 * harris::kBorder);
    auto in = view(m_input, 3);
    auto out = view(output, 2, harris::kBorder, harris::kBorder);
    in.set_host_dirty();
    EXPECT_EQ(harris(in, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<float> m_input = testImage<float>(149, 107, 3, 1.0f);
};

TEST_F(HarrisTest, AlgorithmEqualsReference) {
  const auto expected = harris::reference(m_input);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("harris")), 1e-6));
}

TEST_F(HarrisTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(harris::reference(m_input), run(manualOnOpenCl("harris")), 1e-6));
}

TEST_F(HarrisTest, TheCornerOfASquareRespondsMost) {
  m_input = Image<float>(41, 41, 3);
  for (int c = 0; c < 3; ++c)
    for (int y = 20; y < 41; ++y)
      for (int x = 20; x < 41; ++x)
        m_input.at(x, y, c) = 1.0f;
  const auto output = harris::reference(m_input);
  int bestX = 0, bestY = 0;
  for (int y = 0; y < output.height(); ++y)
    for (int x = 0; x < output.width(); ++x)
      if (output.at(x, y) > output.at(bestX, bestY)) bestX = x, bestY = y;
  EXPECT_LE(std::abs(bestX + harris::kBorder - 20), 1);
  EXPECT_LE(std::abs(bestY + harris::kBorder - 20), 1);
}

TEST(HarrisCounts, AsTheTableInTheReadmeSays) { EXPECT_EQ(countsOf("harris").funcs, 12); }

} // namespace

} // namespace tessera::samples
