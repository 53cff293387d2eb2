// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <array>
#include <cstdint>

namespace tessera::samples::camera_pipe {

// Row c gives colour c of the result: the factors of red, green and blue, and an offset.
using Matrix = std::array<float, 12>;

// The matrices are the published calibration of one phone's sensor (Nokia N900).
struct Parameters {
  Matrix matrix3200{1.6697f, -0.2693f,  -0.4004f, -42.4346f, -0.3576f, 1.0615f,
                    1.5949f, -37.1158f, -0.2175f, -1.8751f,  6.9640f,  -26.6970f};
  Matrix matrix7000{2.2997f,  -0.4478f,  0.1706f,  -39.0923f, -0.3826f, 1.5906f,
                    -0.2080f, -25.4311f, -0.0888f, -0.7344f,  2.2832f,  -20.0826f};
  float colorTemperature = 3700.0f; // kelvin
  float gamma = 2.0f;
  float contrast = 50.0f; // percent
  float sharpenStrength = 1.0f;
  int blackLevel = 25;
  int whiteLevel = 1023;
};

// Turns raw values of ten bits into `width` x `height` pixels, the first of which lies at (16, 12)
// of `raw`. Rows of green and red alternate with rows of blue and green.
Image<std::uint8_t> reference(const Image<std::uint16_t> &raw, int width, int height,
                              const Parameters &parameters);

} // namespace tessera::samples::camera_pipe
