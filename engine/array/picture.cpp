// SPDX-License-Identifier: MIT
#include "engine/array/picture.h"

#include "engine/pipeline/number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tessera::array {

namespace {

using Extents = std::span<const std::int64_t>;
using Colour = std::array<std::uint8_t, 3>;

constexpr std::size_t kColours = 3;

std::size_t strideOf(Extents extents, std::size_t dim) {
  std::size_t stride = 1;
  for (std::size_t d = 0; d < dim && d < extents.size(); ++d)
    stride *= static_cast<std::size_t>(extents[d]);
  return stride;
}

std::int64_t extentOf(Extents extents, std::size_t dim) {
  return dim < extents.size() ? extents[dim] : 1;
}

// Calls `visit(number)` with the index of each pixel's first channel, row by row.
template <typename Visit>
void forEachPixel(Extents extents, const Cut &cut, const Visit &visit) {
  const std::size_t first = indexAt(extents, cut, 0, 0);
  const std::size_t right = strideOf(extents, cut.across), below = strideOf(extents, cut.down);
  const auto width = static_cast<std::size_t>(extentOf(extents, cut.across));
  const auto height = static_cast<std::size_t>(extentOf(extents, cut.down));
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      visit(first + x * right + y * below);
}

Colour between(const Colour &from, const Colour &to, double part) {
  Colour colour{};
  for (std::size_t i = 0; i < colour.size(); ++i)
    colour[i] = static_cast<std::uint8_t>(std::lround(from[i] + part * (to[i] - from[i])));
  return colour;
}

Colour colourOf(float error) {
  constexpr Colour kNone{12, 12, 16}, kLittle{32, 56, 104}, kAllowed{120, 176, 255},
      kBeyond{255, 128, 0}, kFar{255, 244, 214};
  constexpr float kFarthest = 1e4F; // as a multiple of the tolerance; larger errors look the same
  if (error <= 0) return kNone;
  if (error <= 1) return between(kLittle, kAllowed, static_cast<double>(error));
  return between(kBeyond, kFar,
                 static_cast<double>(std::log(std::min(error, kFarthest)) / std::log(kFarthest)));
}

// An error excused by rounding is drawn like an error at the tolerance.
float shownError(float error, float excused) { return error > 1 && error > excused ? 1 : error; }

// The value below which the fraction `part` of `numbers` lies; `otherwise` if `numbers` is empty.
double quantile(std::vector<double> &numbers, double part, double otherwise) {
  if (numbers.empty()) return otherwise;
  const auto at = std::lround(part * static_cast<double>(numbers.size() - 1));
  std::ranges::nth_element(numbers, numbers.begin() + at);
  return numbers[static_cast<std::size_t>(at)];
}

Picture emptyPicture(Extents extents, const Cut &cut, std::size_t channels) {
  Picture picture{extentOf(extents, cut.across), extentOf(extents, cut.down), channels, {}};
  picture.pixels.reserve(static_cast<std::size_t>(picture.width * picture.height) * channels);
  return picture;
}

} // namespace

Cut usualCut(Extents extents) {
  const auto isColour = [&](std::size_t dim) { return extents[dim] == 3 || extents[dim] == 4; };
  Cut cut;
  cut.at.assign(extents.size(), 0);
  if (extents.size() < 3) return cut;
  if (isColour(2)) {
    cut.colour = 2;
  } else if (isColour(0)) {
    cut.colour = 0;
    cut.across = 1;
    cut.down = 2;
  }
  return cut;
}

std::size_t indexAt(Extents extents, const Cut &cut, std::int64_t x, std::int64_t y) {
  std::size_t number = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::int64_t at = d == cut.across   ? x
                            : d == cut.down   ? y
                            : d == cut.colour ? 0
                                              : cut.at[d];
    number += static_cast<std::size_t>(at) * strideOf(extents, d);
  }
  return number;
}

std::size_t colourStride(Extents extents, const Cut &cut) {
  return cut.colour ? strideOf(extents, *cut.colour) : 0;
}

Tones tonesOf(const Array &array) {
  const auto size = static_cast<std::size_t>(array.type.bytes());
  if (array.type == pipeline::ScalarType{pipeline::TypeKind::UInt, 8}) return {};
  const bool isFloat =
      array.type.kind == pipeline::TypeKind::Float || array.type.kind == pipeline::TypeKind::BFloat;
  constexpr std::size_t kMost = 1'000'000;
  const std::size_t count = array.data.size() / size;
  const std::size_t step = isFloat ? 1 + count / kMost : 1;
  std::vector<double> numbers; // the finite elements; filled only for floats
  Tones all{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (std::size_t i = 0; i < count; i += step) {
    const double number = pipeline::numberAt(&array.data[i * size], array.type);
    if (!std::isfinite(number)) continue;
    if (isFloat) numbers.push_back(number);
    all.black = std::min(all.black, number);
    all.white = std::max(all.white, number);
  }
  if (all.black > all.white) return {0, 1}; // no element is finite
  const Tones most{quantile(numbers, 0.01, all.black), quantile(numbers, 0.99, all.white)};
  if (most.black < most.white) return most;
  if (all.black == all.white) all.black -= 1;
  return all;
}

Picture pictureOf(const Array &array, const Cut &cut, const Tones &tones) {
  const std::size_t channels = cut.colour ? kColours : 1;
  const std::size_t stride = colourStride(array.extents, cut);
  const auto size = static_cast<std::size_t>(array.type.bytes());
  Picture picture = emptyPicture(array.extents, cut, channels);
  forEachPixel(array.extents, cut, [&](std::size_t number) {
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const double value =
          pipeline::numberAt(&array.data[(number + channel * stride) * size], array.type);
      const double tone = 255 * (value - tones.black) / (tones.white - tones.black);
      // NaN is drawn black.
      picture.pixels.push_back(
          static_cast<std::uint8_t>(tone > 0 ? std::lround(std::min(tone, 255.0)) : 0));
    }
  });
  return picture;
}

Picture differenceOf(std::span<const float> errors, Extents extents, const Cut &cut,
                     float excused) {
  const std::size_t channels = cut.colour ? static_cast<std::size_t>(extents[*cut.colour]) : 1;
  const std::size_t stride = colourStride(extents, cut);
  Picture picture = emptyPicture(extents, cut, kColours);
  forEachPixel(extents, cut, [&](std::size_t number) {
    float worst = 0;
    for (std::size_t channel = 0; channel < channels; ++channel)
      worst = std::max(worst, shownError(errors[number + channel * stride], excused));
    for (const std::uint8_t part : colourOf(worst))
      picture.pixels.push_back(part);
  });
  return picture;
}

} // namespace tessera::array
