// SPDX-License-Identifier: MIT
#include "samples/blur/reference.h"
#include "samples/common/test_image.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

class BlurTest : public ::testing::Test {
protected:
  Image<std::uint16_t> run(const Halide::Callable &blur) {
    Image<std::uint16_t> output(m_input.width() - 2, m_input.height() - 2);
    auto in = view(m_input, 2);
    auto out = view(output, 2);
    in.set_host_dirty();
    EXPECT_EQ(blur(in, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<std::uint16_t> m_input = testImage<std::uint16_t>(201, 143, 1, 20000.0f);
};

TEST_F(BlurTest, AlgorithmEqualsReference) {
  const auto expected = blur::reference(m_input);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("blur")), 0));
}

TEST_F(BlurTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(blur::reference(m_input), run(manualOnOpenCl("blur")), 0));
}

TEST_F(BlurTest, SumsWrapAtSixteenBits) {
  m_input = testImage<std::uint16_t>(67, 41, 1, 65535.0f);
  EXPECT_TRUE(isClose(blur::reference(m_input), run(unscheduledOnHost("blur")), 0));
  std::fill_n(m_input.data(), m_input.size(), std::uint16_t{65535}); // the sum wraps to 65533
  EXPECT_EQ(blur::reference(m_input).at(30, 20), 65533 / 3);
}

TEST_F(BlurTest, ADotBecomesASquareOfNinths) {
  std::fill_n(m_input.data(), m_input.size(), std::uint16_t{0});
  m_input.at(50, 40) = 900;
  const auto output = blur::reference(m_input);
  for (int y = 36; y < 43; ++y)
    for (int x = 46; x < 53; ++x)
      ASSERT_EQ(output.at(x, y), x >= 48 && x <= 50 && y >= 38 && y <= 40 ? 100 : 0);
}

TEST(BlurCounts, TwoFuncsAsInThePapers) { EXPECT_EQ(countsOf("blur").funcs, 2); }

} // namespace

} // namespace tessera::samples
