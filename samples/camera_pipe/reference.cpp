// SPDX-License-Identifier: MIT
#include "samples/camera_pipe/reference.h"

#include <cmath>
#include <cstdlib>

namespace tessera::samples::camera_pipe {

namespace {

constexpr int kLeft = 16, kTop = 12;

int mean(int a, int b) { return (a + b + 1) >> 1; }

// The sensor's pixels, at the coordinates of the result.
class Mosaic {
public:
  explicit Mosaic(const Image<std::uint16_t> &raw) : m_raw(raw) {}

  // The sensor's own value, unless it is brighter than all four neighbours of the same colour.
  int at(int x, int y) const {
    const int around = std::max(std::max(rawAt(x - 2, y), rawAt(x + 2, y)),
                                std::max(rawAt(x, y - 2), rawAt(x, y + 2)));
    return std::min(rawAt(x, y), around);
  }

  // Green at any pixel: measured there, or else the mean of two opposite neighbours, of the pair
  // that differs less.
  int green(int x, int y) const {
    if (isGreen(x, y)) return at(x, y);
    const int left = at(x - 1, y), right = at(x + 1, y), up = at(x, y - 1), down = at(x, y + 1);
    return std::abs(left - right) < std::abs(up - down) ? mean(left, right) : mean(up, down);
  }

  int red(int x, int y) const { return other(x, y, 1, 0); }
  int blue(int x, int y) const { return other(x, y, 0, 1); }

private:
  static bool isGreen(int x, int y) { return ((x ^ y) & 1) == 0; }
  int rawAt(int x, int y) const { return m_raw.at(x + kLeft, y + kTop); }

  // The mean of two pixels of a colour, corrected by how much green at (x, y) deviates from the
  // mean of green at those two pixels.
  int between(int x, int y, int dx, int dy) const {
    return green(x, y) - mean(green(x - dx, y - dy), green(x + dx, y + dy)) +
           mean(at(x - dx, y - dy), at(x + dx, y + dy));
  }

  // Red or blue. The parities are those of the sites where the sensor has this colour.
  int other(int x, int y, int parityX, int parityY) const {
    const bool inColumn = (x & 1) == parityX, inRow = (y & 1) == parityY;
    if (inColumn && inRow) return at(x, y);
    if (inRow) return between(x, y, 1, 0);
    if (inColumn) return between(x, y, 0, 1);
    const int rising = std::abs(at(x + 1, y - 1) - at(x - 1, y + 1));
    const int falling = std::abs(at(x - 1, y - 1) - at(x + 1, y + 1));
    return rising < falling ? between(x, y, 1, -1) : between(x, y, 1, 1);
  }

  const Image<std::uint16_t> &m_raw;
};

// The matrix for a light between warm and cool, times 256.
std::array<int, 12> matrixFor(const Parameters &p) {
  const float cool = (1.0f / p.colorTemperature - 1.0f / 3200) / (1.0f / 7000 - 1.0f / 3200);
  std::array<int, 12> matrix;
  for (std::size_t i = 0; i < matrix.size(); ++i)
    matrix[i] =
        static_cast<int>((p.matrix3200[i] + (p.matrix7000[i] - p.matrix3200[i]) * cool) * 256.0f);
  return matrix;
}

std::array<std::uint8_t, 1024> curveFor(const Parameters &p) {
  const float slope = 2.0f - std::pow(2.0f, p.contrast / 100.0f);
  const float bend = 2.0f - 2.0f * slope;
  const auto half = [&](float v) { return bend * v * v + slope * v; };
  std::array<std::uint8_t, 1024> curve;
  for (int i = 0; i < 1024; ++i) {
    const float range = static_cast<float>(p.whiteLevel - p.blackLevel);
    const float linear =
        std::clamp(static_cast<float>(i - p.blackLevel) * (1.0f / range), 0.0f, 1.0f);
    const float g = std::pow(linear, 1.0f / p.gamma);
    const float value = g > 0.5f ? 1.0f - half(1.0f - g) : half(g);
    curve[i] = i <= p.blackLevel ? 0
               : i > p.whiteLevel
                   ? 255
                   : static_cast<std::uint8_t>(std::clamp(value * 255.0f + 0.5f, 0.0f, 255.0f));
  }
  return curve;
}

} // namespace

Image<std::uint8_t> reference(const Image<std::uint16_t> &raw, int width, int height,
                              const Parameters &parameters) {
  const Mosaic mosaic(raw);
  const auto matrix = matrixFor(parameters);
  const auto curve = curveFor(parameters);
  // Sharpening reads a border of one pixel.
  Image<int> toned(width + 2, height + 2, 3);
  for (int y = -1; y <= height; ++y)
    for (int x = -1; x <= width; ++x) {
      const int color[3] = {mosaic.red(x, y), mosaic.green(x, y), mosaic.blue(x, y)};
      for (int c = 0; c < 3; ++c) {
        const int *row = &matrix[4 * c];
        const int sum = row[0] * color[0] + row[1] * color[1] + row[2] * color[2] + row[3];
        toned.at(x + 1, y + 1, c) = curve[std::clamp(sum >> 8, 0, 1023)];
      }
    }
  const int strength =
      static_cast<int>(std::clamp(parameters.sharpenStrength * 32.0f, 0.0f, 255.0f));
  Image<std::uint8_t> output(width, height, 3);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const auto column = [&](int at) {
          return mean(mean(toned.at(at, y, c), toned.at(at, y + 2, c)), toned.at(at, y + 1, c));
        };
        const int center = toned.at(x + 1, y + 1, c);
        const int blurred = mean(mean(column(x), column(x + 2)), column(x + 1));
        output.at(x, y, c) = static_cast<std::uint8_t>(
            std::clamp(center + (((center - blurred) * strength) >> 5), 0, 255));
      }
  return output;
}

} // namespace tessera::samples::camera_pipe
