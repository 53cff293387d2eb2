// SPDX-License-Identifier: MIT
#include "samples/camera_pipe/reference.h"
#include "samples/common/test_image.h"
#include "tests/samples/sample_test.h"

#include <cstdlib>

namespace tessera::samples {

namespace {

constexpr int kWidth = 150, kHeight = 98;
constexpr int kRawWidth = kWidth + 32, kRawHeight = kHeight + 48;

// The colour that the sensor has at a pixel: rows of green and red alternate with rows of blue and
// green.
int colorAt(int x, int y) { return (x + y) % 2 == 0 ? 1 : y % 2 == 0 ? 0 : 2; }

template <typename Color>
Image<std::uint16_t> mosaic(Color color) {
  Image<std::uint16_t> raw(kRawWidth, kRawHeight);
  for (int y = 0; y < kRawHeight; ++y)
    for (int x = 0; x < kRawWidth; ++x)
      raw.at(x, y) = static_cast<std::uint16_t>(color(x, y, colorAt(x, y)));
  return raw;
}

class CameraPipeTest : public ::testing::Test {
protected:
  Image<std::uint8_t> run(const Halide::Callable &pipe) {
    Image<float> warm(4, 3), cool(4, 3);
    std::copy_n(m_parameters.matrix3200.data(), 12, warm.data());
    std::copy_n(m_parameters.matrix7000.data(), 12, cool.data());
    Image<std::uint8_t> output(kWidth, kHeight, 3);
    auto in = view(m_raw, 2);
    auto warmIn = view(warm, 2), coolIn = view(cool, 2);
    auto out = view(output, 3);
    in.set_host_dirty();
    warmIn.set_host_dirty();
    coolIn.set_host_dirty();
    EXPECT_EQ(pipe(in, warmIn, coolIn, m_parameters.colorTemperature, m_parameters.gamma,
                   m_parameters.contrast, m_parameters.sharpenStrength, m_parameters.blackLevel,
                   m_parameters.whiteLevel, out),
              0);
    out.copy_to_host();
    return output;
  }

  Image<std::uint8_t> expected() const {
    return camera_pipe::reference(m_raw, kWidth, kHeight, m_parameters);
  }

  // A picture with some hot pixels.
  Image<std::uint16_t> m_raw = mosaic([](int x, int y, int c) {
    return (x * 7 + y * 13) % 101 == 0 ? 1023.0f
                                       : testPixel(x, y, c, kRawWidth, kRawHeight) * 1023.0f;
  });
  camera_pipe::Parameters m_parameters;
};

// Rounding can change an entry of the tone curve by one. Sharpening subtracts the blurred picture
// from twice the picture, so the error is at most 2 + 1.
constexpr double kTolerance = 3;

TEST_F(CameraPipeTest, AlgorithmEqualsReference) {
  EXPECT_FALSE(isFlat(expected()));
  EXPECT_TRUE(isClose(expected(), run(unscheduledOnHost("camera_pipe")), kTolerance));
}

TEST_F(CameraPipeTest, ManualScheduleEqualsReference) {
  TESSERA_NEEDS_OPENCL();
  EXPECT_TRUE(isClose(expected(), run(manualOnOpenCl("camera_pipe")), kTolerance));
}

TEST_F(CameraPipeTest, SchedulesOfOtherTilesEqualReference) {
  TESSERA_NEEDS_OPENCL();
  m_parameters.colorTemperature = 6000.0f;
  EXPECT_TRUE(isClose(expected(),
                      run(manualOnOpenCl("camera_pipe", {{"tile_x", "56"},
                                                         {"tile_y", "12"},
                                                         {"wide", "2"},
                                                         {"tall", "2"},
                                                         {"shared_green", "false"},
                                                         {"shared_curve", "false"}})),
                      kTolerance));
}

// A single bright pixel leaves no trace in an even field, at sites of any colour.
TEST_F(CameraPipeTest, SuppressesHotPixels) {
  const auto field = [](int, int, int c) { return 300 + 100 * c; };
  m_raw = mosaic(field);
  const auto clean = expected();
  for (int site = 0; site < 4; ++site)
    m_raw.at(40 + 20 * site + site % 2, 60 + site / 2) = 1023;
  EXPECT_TRUE(isClose(clean, expected(), 0));
}

// A field that is grey at all sites stays without seams. The ends of the tone curve are black and
// white.
TEST_F(CameraPipeTest, DevelopsEvenFields) {
  camera_pipe::Matrix identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  m_parameters.matrix3200 = m_parameters.matrix7000 = identity;
  for (const auto &[value, developed] : {std::pair{10, 0}, std::pair{1023, 255}}) {
    m_raw = mosaic([value = value](int, int, int) { return value; });
    const auto output = expected();
    EXPECT_TRUE(isFlat(output));
    EXPECT_EQ(output.at(3, 5), developed);
  }
}

// Where a picture is smooth, the two missing colours can be found from their neighbours. The mosaic
// of a ramp therefore gives the ramp.
TEST_F(CameraPipeTest, FindsTheColorsThatTheMosaicLacks) {
  m_parameters.matrix3200 = m_parameters.matrix7000 = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  m_parameters.gamma = 1.0f;
  m_parameters.contrast = 0.0f;
  m_parameters.sharpenStrength = 0.0f;
  m_parameters.blackLevel = 0;
  const auto ramp = [](int x, int y, int c) { return 100 + 200 * c + 2 * x + y; };
  m_raw = mosaic(ramp);
  const auto output = expected();
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x)
        ASSERT_NEAR(output.at(x, y, c), ramp(x + 16, y + 12, c) * 255.0 / 1023, 1.5);
}

TEST(CameraPipeCounts, AsTheTableInTheReadmeSays) { EXPECT_EQ(countsOf("camera_pipe").funcs, 33); }

} // namespace

} // namespace tessera::samples
