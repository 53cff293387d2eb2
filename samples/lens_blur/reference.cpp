// SPDX-License-Identifier: MIT
#include "samples/lens_blur/reference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace tessera::samples::lens_blur {

namespace {

using Bytes = Image<std::uint8_t>;

// The width of the margin around the finest level. Depths are read outside of the picture, up to
// the largest radius away; the margin is twice as wide.
constexpr int kMargin = 2 * kMaxRadius;

// A plane of numbers for each channel, which starts at (left, top).
struct Area {
  int left, top;
  Image<float> values;

  Area(int left_, int top_, int right, int bottom, int channels)
      : left(left_), top(top_), values(right - left_ + 1, bottom - top_ + 1, channels) {}
  int right() const { return left + values.width() - 1; }
  int bottom() const { return top + values.height() - 1; }
  float &at(int x, int y, int c = 0) { return values.at(x - left, y - top, c); }
  float at(int x, int y, int c = 0) const { return values.at(x - left, y - top, c); }
  float clamped(int x, int y, int c) const { return values.clamped(x - left, y - top, c); }
};

template <typename Visit>
void visit(const Area &area, Visit visitValue) {
  for (int c = 0; c < area.values.channels(); ++c)
    for (int y = area.top; y <= area.bottom(); ++y)
      for (int x = area.left; x <= area.right(); ++x)
        visitValue(x, y, c);
}

float costOf(const Bytes &left, const Bytes &right, int x, int y, int slice) {
  float sum = 0.0f;
  for (int c = 0; c < 3; ++c) {
    const int here = left.clamped(x, y, c);
    const int one = std::abs(here - right.clamped(x + 2 * slice, y, c));
    const int other = std::abs(here - right.clamped(x + 2 * slice + 1, y, c));
    const auto least = static_cast<float>(std::min(one, other));
    sum += least * least;
  }
  return sum;
}

// The variance of the costs over the slices.
float variance(const Area &finest, int x, int y, int slices) {
  float sum = 0.0f, squares = 0.0f;
  for (int z = 0; z < slices; ++z) {
    const float one = finest.at(x, y, z);
    sum += one;
    squares += one * one;
  }
  const float mean = sum / static_cast<float>(slices);
  return squares / static_cast<float>(slices) - mean * mean;
}

// Channels 0 to slices - 1 hold cost times confidence, and the last channel holds the confidence.
Area finestLevel(const Bytes &left, const Bytes &right, int slices) {
  Area finest(-kMargin, -kMargin, left.width() + kMargin - 1, left.height() + kMargin - 1,
              slices + 1);
  visit(finest, [&](int x, int y, int z) {
    if (z < slices) finest.at(x, y, z) = costOf(left, right, x, y, z);
  });
  for (int y = finest.top; y <= finest.bottom(); ++y)
    for (int x = finest.left; x <= finest.right(); ++x) {
      const float confidence = variance(finest, x, y, slices);
      for (int z = 0; z < slices; ++z)
        finest.at(x, y, z) *= confidence;
      finest.at(x, y, slices) = confidence;
    }
  return finest;
}

// Uses the weights 1 3 3 1 in both dimensions. Only the finest level extends beyond the picture.
Area downsampled(const Area &fine, int width, int height) {
  Area coarse(0, 0, width - 1, height - 1, fine.values.channels());
  const auto across = [&](int x, int y, int c) {
    return (fine.clamped(2 * x - 1, y, c) +
            3.0f * (fine.clamped(2 * x, y, c) + fine.clamped(2 * x + 1, y, c)) +
            fine.clamped(2 * x + 2, y, c)) /
           8.0f;
  };
  visit(coarse, [&](int x, int y, int c) {
    coarse.at(x, y, c) =
        (across(x, 2 * y - 1, c) + 3.0f * (across(x, 2 * y, c) + across(x, 2 * y + 1, c)) +
         across(x, 2 * y + 2, c)) /
        8.0f;
  });
  return coarse;
}

float upsampled(const Area &coarse, int x, int y, int c) {
  const auto towards = [](int i) { return (i >> 1) + ((i & 1) ? 1 : -1); };
  const auto across = [&](int row) {
    return 0.25f * coarse.at(towards(x), row, c) + 0.75f * coarse.at(x >> 1, row, c);
  };
  return 0.25f * across(towards(y)) + 0.75f * across(y >> 1);
}

// The region of the next coarser level that upsampling to `area` reads.
Area coarserArea(const Area &area) {
  return Area((area.left >> 1) - 1, (area.top >> 1) - 1, (area.right() >> 1) + 1,
              (area.bottom() >> 1) + 1, area.values.channels());
}

// The finest level after it was smoothed down and up the pyramid.
Area smoothed(const Area &finest, int width, int height, int levels) {
  std::vector<Area> push = {finest}, pull = {finest};
  for (int j = 1; j < levels; ++j) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    push.push_back(downsampled(push.back(), width, height));
    pull.push_back(coarserArea(pull.back()));
  }
  for (int j = levels - 1; j >= 0; --j)
    visit(pull[j], [&](int x, int y, int c) {
      const float own = push[j].clamped(x, y, c);
      pull[j].at(x, y, c) = j == levels - 1 ? own : 0.5f * (upsampled(pull[j + 1], x, y, c) + own);
    });
  return pull[0];
}

Image<int> cheapestSlices(const Area &costs, int slices) {
  Image<int> depth(costs.values.width(), costs.values.height());
  for (int y = 0; y < depth.height(); ++y)
    for (int x = 0; x < depth.width(); ++x) {
      float least = INFINITY;
      for (int z = 0; z < slices; ++z) {
        const float cost = costs.values.at(x, y, z) / costs.values.at(x, y, slices);
        if (cost < least) {
          least = cost;
          depth.at(x, y) = z;
        }
      }
    }
  return depth;
}

// Returns the same number in [-1, 1) for the same pixel, sample and axis.
float randomOffset(int x, int y, int sample, int axis) {
  std::uint32_t bits = static_cast<std::uint32_t>(x) * 0x8da6b343u ^
                       static_cast<std::uint32_t>(y) * 0xd8163841u ^
                       static_cast<std::uint32_t>(2 * sample + axis) * 0xcb1ab31fu;
  bits = (bits ^ (bits >> 15)) * 0x2c1b3c6du;
  bits = (bits ^ (bits >> 12)) * 0x297a2d39u;
  bits = bits ^ (bits >> 15);
  return static_cast<float>(bits >> 8) / 8388608.0f - 1.0f;
}

class Aperture {
public:
  Aperture(const Bytes &picture, const Image<int> &depth, const Parameters &parameters)
      : m_picture(picture), m_depth(depth), m_parameters(parameters) {}

  void blurPixel(int x, int y, Image<float> &result) const {
    float sums[4] = {0, 0, 0, 1};
    for (int c = 0; c < 3; ++c)
      sums[c] = m_picture.at(x, y, c);
    const float worst = worstRadius(x, y);
    for (int s = 0; s < m_parameters.apertureSamples; ++s) {
      const int u = offset(x, y, s, 0, worst), v = offset(x, y, s, 1, worst);
      if (!counts(x, y, u, v)) continue;
      for (int c = 0; c < 3; ++c)
        sums[c] += m_picture.clamped(x + u, y + v, c);
      sums[3] += 1.0f;
    }
    for (int c = 0; c < 3; ++c)
      result.at(x, y, c) = sums[c] / sums[3];
  }

private:
  int depth(int x, int y) const { return m_depth.at(x + kMargin, y + kMargin); }
  float radius(int x, int y) const {
    return static_cast<float>(std::abs(depth(x, y) - m_parameters.focus)) *
           m_parameters.radiusScale;
  }
  float worstRadius(int x, int y) const {
    float worst = 0.0f;
    for (int v = -kMaxRadius; v <= kMaxRadius; ++v)
      for (int u = -kMaxRadius; u <= kMaxRadius; ++u)
        worst = std::max(worst, radius(x + u, y + v));
    return worst;
  }
  static int offset(int x, int y, int sample, int axis, float worst) {
    const auto pixels = static_cast<int>(randomOffset(x, y, sample, axis) * worst);
    return std::clamp(pixels, -kMaxRadius, kMaxRadius);
  }
  bool counts(int x, int y, int u, int v) const {
    const auto distance = static_cast<float>(u * u + v * v);
    const float own = radius(x, y), its = radius(x + u, y + v);
    const bool isInFront = depth(x + u, y + v) < depth(x, y);
    return (distance < own * own || isInFront) && distance < its * its;
  }

  const Bytes &m_picture;
  const Image<int> &m_depth;
  const Parameters &m_parameters;
};

} // namespace

Image<float> reference(const Bytes &left, const Bytes &right, const Parameters &parameters) {
  const Area costs = smoothed(finestLevel(left, right, parameters.slices), left.width(),
                              left.height(), parameters.pyramidLevels);
  const Image<int> depth = cheapestSlices(costs, parameters.slices);
  const Aperture aperture(left, depth, parameters);
  Image<float> result(left.width(), left.height(), 3);
  for (int y = 0; y < left.height(); ++y)
    for (int x = 0; x < left.width(); ++x)
      aperture.blurPixel(x, y, result);
  return result;
}

} // namespace tessera::samples::lens_blur
