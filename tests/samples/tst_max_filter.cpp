// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/max_filter/reference.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

class MaxFilterTest : public ::testing::Test {
protected:
  Image<float> run(const Halide::Callable &filter) {
    Image<float> output(m_input.width(), m_input.height(), 3);
    auto in = view(m_input, 3);
    auto out = view(output, 3);
    in.set_host_dirty();
    EXPECT_EQ(filter(in, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<float> m_input = testImage<float>(71, 59, 3, 1.0f);
};

TEST_F(MaxFilterTest, AlgorithmEqualsReference) {
  const auto expected = max_filter::reference(m_input, 26);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("max_filter")), 0));
}

// The loop over the disc's columns is unrolled, so PoCL compiles a smaller disc much faster.
TEST_F(MaxFilterTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(max_filter::reference(m_input, 2),
                      run(manualOnOpenCl("max_filter", {{"radius", "2"}})), 0));
}

TEST(MaxFilterReference, MakesADiscOfADot) {
  Image<float> dot(21, 21);
  dot.at(10, 10) = 1.0f;
  const auto output = max_filter::reference(dot, 8);
  EXPECT_EQ(output.at(18, 10), 1.0f);
  EXPECT_EQ(output.at(10, 2), 1.0f);
  EXPECT_EQ(output.at(19, 10), 0.0f);
  EXPECT_EQ(output.at(17, 17), 0.0f);
  EXPECT_EQ(output.at(15, 15), 1.0f);
}

TEST(MaxFilterCounts, AsTheTableInTheReadmeSays) { EXPECT_EQ(countsOf("max_filter").funcs, 10); }

} // namespace

} // namespace tessera::samples
