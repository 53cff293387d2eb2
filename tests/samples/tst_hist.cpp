// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/hist/reference.h"
#include "tests/samples/sample_test.h"

#include <array>

namespace tessera::samples {

namespace {

class HistTest : public ::testing::Test {
protected:
  Image<std::uint8_t> run(const Halide::Callable &hist) {
    Image<std::uint8_t> output(m_input.width(), m_input.height(), 3);
    auto in = view(m_input, 3);
    auto out = view(output, 3);
    in.set_host_dirty();
    EXPECT_EQ(hist(in, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<std::uint8_t> m_input = testImage<std::uint8_t>(227, 149, 3, 200.0f);
};

// A luma that is rounded differently falls into the neighbouring bin of the histogram. The results
// of neighbouring bins differ here by at most 2, on a scale from 0 to 255.
TEST_F(HistTest, AlgorithmEqualsReference) {
  const auto expected = hist::reference(m_input);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("hist")), 2));
}

TEST_F(HistTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(hist::reference(m_input), run(manualOnOpenCl("hist")), 2));
}

TEST_F(HistTest, AGrayRampSpansTheWholeRange) {
  Image<std::uint8_t> dark(256, 16, 3);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 256; ++x)
        dark.at(x, y, c) = static_cast<std::uint8_t>(40 + x / 8);
  const auto output = hist::reference(dark);
  EXPECT_LT(output.at(0, 0), 16);
  EXPECT_GT(output.at(255, 0), 250);
}

TEST(HistCounts, AsTheTableInTheReadmeSays) { EXPECT_EQ(countsOf("hist").funcs, 8); }

} // namespace

} // namespace tessera::samples
