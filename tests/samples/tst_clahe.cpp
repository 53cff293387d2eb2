// SPDX-License-Identifier: MIT
#include "samples/clahe/reference.h"
#include "samples/common/test_image.h"
#include "tests/samples/sample_test.h"

#include <algorithm>

namespace tessera::samples {

namespace {

// Small tiles, so that the small picture has 8 by 8 of them, the last of which reach beyond it.
constexpr clahe::Tiles kTiles{29, 19, 4};
const Halide::GeneratorParamsMap kParameters{{"tile_width", "29"}, {"tile_height", "19"}};

class ClaheTest : public ::testing::Test {
protected:
  Image<std::uint8_t> run(const Halide::Callable &clahe) {
    Image<std::uint8_t> output(m_input.width(), m_input.height());
    auto in = view(m_input, 2);
    auto out = view(output, 2);
    in.set_host_dirty();
    EXPECT_EQ(clahe(in, out), 0);
    out.copy_to_host();
    return output;
  }

  Image<std::uint8_t> m_input = testImage<std::uint8_t>(227, 149, 1, 200.0f);
};

// Tables and tiles are exact; the four products are rounded differently, and then to a whole
// number.
TEST_F(ClaheTest, AlgorithmEqualsReference) {
  const auto expected = clahe::reference(m_input, kTiles);
  EXPECT_FALSE(isFlat(expected));
  EXPECT_TRUE(isClose(expected, run(unscheduledOnHost("clahe", kParameters)), 1));
}

TEST_F(ClaheTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(
      isClose(clahe::reference(m_input, kTiles), run(manualOnOpenCl("clahe", kParameters)), 1));
}

// The limit keeps noise from being amplified: a bin holds at most four times its share.
TEST_F(ClaheTest, FaintContrastGrowsWithinTheLimit) {
  for (int y = 0; y < m_input.height(); ++y)
    for (int x = 0; x < m_input.width(); ++x)
      m_input.at(x, y) = static_cast<std::uint8_t>(100 + (x + y) % 16);
  const auto output = clahe::reference(m_input, kTiles);
  const auto [least, most] = std::minmax_element(output.data(), output.data() + output.size());
  EXPECT_GT(*most - *least, 2 * 15);
  EXPECT_LE(*most - *least, 4 * 16 + 16);
  std::fill(m_input.data(), m_input.data() + m_input.size(), std::uint8_t{100});
  EXPECT_NEAR(clahe::reference(m_input).at(113, 74), 100, 4) << "a flat picture stays";
}

// Each tile has a table of its own: what is bright beside dark pixels is not what is bright.
TEST_F(ClaheTest, EachTileIsEqualisedByItself) {
  for (int y = 0; y < m_input.height(); ++y)
    for (int x = 0; x < m_input.width(); ++x)
      m_input.at(x, y) = static_cast<std::uint8_t>((x < 114 ? 20 : 180) + (7 * x + y) % 64);
  const auto output = clahe::reference(m_input, kTiles);
  const auto meanOf = [&](const Image<std::uint8_t> &image, int from) {
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = from; x < from + 58; ++x)
        sum += image.at(x, y);
    return sum / (58 * image.height());
  };
  const double before = meanOf(m_input, 169) - meanOf(m_input, 0);
  EXPECT_LT(meanOf(output, 169) - meanOf(output, 0), 0.7 * before);
}

TEST(ClaheCounts, AsTheCatalogueSays) {
  const Counts counts = countsOf("clahe");
  EXPECT_EQ(counts.funcs, 7);
  EXPECT_EQ(counts.stages, 10);
}

} // namespace

} // namespace tessera::samples
