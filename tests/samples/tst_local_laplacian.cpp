// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/local_laplacian/reference.h"
#include "tests/samples/sample_test.h"

#include <cstdlib>

namespace tessera::samples {

namespace {

class LocalLaplacianTest : public ::testing::Test {
protected:
  Image<std::uint16_t> run(const Halide::Callable &filter) {
    Image<std::uint16_t> output(m_input.width(), m_input.height(), 3);
    auto in = view(m_input, 3);
    auto out = view(output, 3);
    in.set_host_dirty();
    EXPECT_EQ(filter(in, m_parameters.levels, m_parameters.alpha, m_parameters.beta, out), 0);
    out.copy_to_host();
    return output;
  }

  local_laplacian::Parameters m_parameters;
  Image<std::uint16_t> m_input = testImage<std::uint16_t>(149, 101, 3, 60000.0f);
};

// A remapping index that rounds the other way changes the luminance by 65,535 / 7 / 256 = 37, and a
// saturated colour by up to three times that.
constexpr double kTolerance = 110;

TEST_F(LocalLaplacianTest, AlgorithmEqualsReference) {
  const auto expected = local_laplacian::reference(m_input, m_parameters);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("local_laplacian")), kTolerance));
}

// With five levels, there is one kernel of each kind. PoCL takes half a second to compile each.
TEST_F(LocalLaplacianTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  m_parameters.pyramidLevels = 5;
  const auto filter = manualOnOpenCl("local_laplacian", {{"pyramid_levels", "5"}});
  EXPECT_TRUE(isClose(local_laplacian::reference(m_input, m_parameters), run(filter), kTolerance));
}

// With no detail added and edges kept, the pyramids collapse to the luminance.
TEST_F(LocalLaplacianTest, NeutralParametersGiveAGrayInputBack) {
  for (int c = 1; c < 3; ++c)
    std::copy_n(&m_input.at(0, 0, 0), m_input.size() / 3, &m_input.at(0, 0, c));
  m_parameters.alpha = 0.0f;
  EXPECT_TRUE(isClose(m_input, local_laplacian::reference(m_input, m_parameters), 8));
}

TEST_F(LocalLaplacianTest, DetailsAreStrengthened) {
  m_parameters.alpha = 2.0f / 7.0f;
  const auto output = local_laplacian::reference(m_input, m_parameters);
  double before = 0.0, after = 0.0;
  for (int y = 0; y < m_input.height(); ++y)
    for (int x = 1; x < m_input.width(); ++x) {
      before += std::abs(m_input.at(x, y) - m_input.at(x - 1, y));
      after += std::abs(output.at(x, y) - output.at(x - 1, y));
    }
  EXPECT_GT(after, 1.2 * before);
}

TEST(LocalLaplacianCounts, AsManyFuncsAsInThePapers) {
  EXPECT_NEAR(countsOf("local_laplacian").funcs, 103, 3);
}

} // namespace

} // namespace tessera::samples
