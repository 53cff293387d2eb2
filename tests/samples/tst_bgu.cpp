// SPDX-License-Identifier: MIT
#include "samples/bgu/reference.h"
#include "samples/common/test_image.h"
#include "tests/samples/sample_test.h"

namespace tessera::samples {

namespace {

// A grid cell covers 4 x 4 pixels of the small pictures and 16 x 16 pixels of the large picture.
const bgu::Parameters kSmall{4, 8, 4};
const Halide::GeneratorParamsMap kSmallGrid{{"s_sigma", "4"}, {"upsample", "4"}};

class BguTest : public ::testing::Test {
protected:
  BguTest() {
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < m_splat.height(); ++y)
        for (int x = 0; x < m_splat.width(); ++x) {
          float sum = 0.0f;
          for (int v = 0; v < 4; ++v)
            for (int u = 0; u < 4; ++u)
              sum += m_slice.clamped(4 * x + u, 4 * y + v, c);
          m_splat.at(x, y, c) = sum / 16.0f;
        }
    applyToSmall([](float value, int x, int) {
      return value * value * (3.0f - 2.0f * value) * (1.0f - 0.01f * static_cast<float>(x));
    });
  }

  template <typename Effect>
  void applyToSmall(Effect effect) {
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < m_splat.height(); ++y)
        for (int x = 0; x < m_splat.width(); ++x)
          m_values.at(x, y, c) = effect(m_splat.at(x, y, c), x, y);
  }

  Image<float> run(const Halide::Callable &bgu) {
    Image<float> output(m_slice.width(), m_slice.height(), 3);
    auto splat = view(m_splat, 3), values = view(m_values, 3), slice = view(m_slice, 3);
    auto out = view(output, 3);
    splat.set_host_dirty();
    values.set_host_dirty();
    slice.set_host_dirty();
    EXPECT_EQ(bgu(splat, values, slice, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<float> expected() const { return bgu::reference(m_splat, m_values, m_slice, kSmall); }

  Image<float> m_slice = testImage<float>(97, 77, 3, 1.0f);
  Image<float> m_splat{25, 20, 3}, m_values{25, 20, 3};
};

// The reference solves in double precision.
constexpr double kTolerance = 1e-3;

TEST_F(BguTest, AlgorithmEqualsReference) {
  EXPECT_FALSE(isFlat(expected()));
  EXPECT_TRUE(isClose(expected(), run(unscheduledOnHost("bgu", kSmallGrid)), kTolerance));
}

TEST_F(BguTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  auto parameters = kSmallGrid;
  parameters.insert({{"tile_y", "8"}, {"strips", "2"}});
  EXPECT_TRUE(isClose(expected(), run(manualOnOpenCl("bgu", parameters)), kTolerance));
}

TEST_F(BguTest, ScheduleWithoutVectorsEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  auto parameters = kSmallGrid;
  parameters.insert(
      {{"tile_y", "4"}, {"strips", "4"}, {"solved", "5"}, {"ahead", "1"}, {"vector", "1"}});
  EXPECT_TRUE(isClose(expected(), run(manualOnOpenCl("bgu", parameters)), kTolerance));
}

// The fit finds at least nine tenths of an affine effect. It misses the rest because cells with few
// pixels, or with nearly equal colours, are pulled towards the identity.
TEST_F(BguTest, RecoversAnAffineEffect) {
  applyToSmall([](float value, int, int) { return 0.2f + 0.5f * value; });
  const auto output = bgu::reference(m_splat, m_values, m_slice, {8, 8, 4});
  double sum = 0.0, sumOfIdentity = 0.0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const float wanted = 0.2f + 0.5f * m_slice.data()[i];
    sum += std::fabs(output.data()[i] - wanted);
    sumOfIdentity += std::fabs(m_slice.data()[i] - wanted);
  }
  EXPECT_LT(sum, 0.1 * sumOfIdentity);
}

// The effect darkens only the bright side of a step. The step stays as sharp as in the large
// picture, although it runs through the middle of small pixels.
TEST_F(BguTest, KeepsEdgesOfTheLargePicture) {
  for (int c = 0; c < 3; ++c) {
    for (int y = 0; y < m_slice.height(); ++y)
      for (int x = 0; x < m_slice.width(); ++x)
        m_slice.at(x, y, c) = x < 50 ? 0.1f : 0.9f;
    for (int y = 0; y < m_splat.height(); ++y)
      for (int x = 0; x < m_splat.width(); ++x)
        m_splat.at(x, y, c) = x < 12 ? 0.1f : x > 12 ? 0.9f : 0.5f;
  }
  applyToSmall([](float value, int, int) { return value < 0.4f ? value : 0.5f * value; });
  const auto output = expected();
  for (int y = 0; y < output.height(); ++y) {
    ASSERT_NEAR(output.at(49, y), 0.1f, 0.02f);
    ASSERT_NEAR(output.at(50, y), 0.45f, 0.03f);
  }
}

TEST(BguCounts, AsTheTableInTheReadmeSays) { EXPECT_EQ(countsOf("bgu").funcs, 21); }

} // namespace

} // namespace tessera::samples
