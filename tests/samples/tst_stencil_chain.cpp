// SPDX-License-Identifier: MIT
#include "samples/common/test_image.h"
#include "samples/stencil_chain/reference.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

// Two stencils are enough, because all have the same GPU kernel. The tiles are small, because PoCL
// takes seconds to compile a kernel with a large tile.
const Halide::GeneratorParamsMap kShort = {{"stencils", "2"}, {"wide", "1"}, {"tall", "2"}};

class StencilChainTest : public ::testing::Test {
protected:
  Image<std::uint16_t> run(const Halide::Callable &chain) {
    Image<std::uint16_t> output(m_input.width(), m_input.height());
    auto in = view(m_input, 2);
    auto out = view(output, 2);
    in.set_host_dirty();
    EXPECT_EQ(chain(in, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<std::uint16_t> m_input = testImage<std::uint16_t>(151, 101, 1, 65535.0f);
};

TEST_F(StencilChainTest, AlgorithmEqualsReference) {
  const auto expected = stencil_chain::reference(m_input, 8);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("stencil_chain", {{"stencils", "8"}})), 0));
}

TEST_F(StencilChainTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(stencil_chain::reference(m_input, 2),
                      run(manualOnOpenCl("stencil_chain", kShort)), 0));
}

TEST_F(StencilChainTest, FusedStencilsEqualReference) {
  TESSERA_NEEDS_OPENCL();
  auto fused = kShort;
  fused["fused"] = "2";
  EXPECT_TRUE(isClose(stencil_chain::reference(m_input, 2),
                      run(manualOnOpenCl("stencil_chain", fused)), 0));
}

// The variance of a binomial 1 4 6 4 1 is 1, and the variances of the stencils add up.
TEST(StencilChainReference, SpreadsAPixelByTheSquareRootOfTheStencils) {
  Image<std::uint16_t> dot(81, 81);
  for (int y = 39; y <= 41; ++y)
    for (int x = 39; x <= 41; ++x)
      dot.at(x, y) = 65535;
  const auto output = stencil_chain::reference(dot, 32);
  double sum = 0.0, squares = 0.0;
  for (int y = 0; y < 81; ++y)
    for (int x = 0; x < 81; ++x) {
      sum += output.at(x, y);
      squares += (x - 40.0) * (x - 40.0) * output.at(x, y);
    }
  EXPECT_NEAR(squares / sum, 32.0 + 2.0 / 3.0, 1.0);
}

TEST(StencilChainCounts, AsManyFuncsAsInThePapers) {
  EXPECT_NEAR(countsOf("stencil_chain").funcs, 34, 1);
}

} // namespace

} // namespace tessera::samples
