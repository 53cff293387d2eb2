// SPDX-License-Identifier: MIT
#pragma once

#include "engine/array/array.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace tessera::array {

// An image to show: rows of pixels, either grey (one channel) or red, green and blue.
struct Picture {
  std::int64_t width = 0, height = 0;
  std::size_t channels = 1;
  std::vector<std::uint8_t> pixels;
};

// The part of an array that is shown: one dimension across and one down. Optionally, the first
// three positions of a third dimension are red, green and blue. Other dimensions have one position.
struct Cut {
  std::size_t across = 0, down = 1;
  std::optional<std::size_t> colour;
  std::vector<std::int64_t> at; // position in every dimension, from 0; ignored for shown dimensions

  friend bool operator==(const Cut &, const Cut &) = default;
};
// The usual view of an image: the third dimension, or else the first, is the colour if its extent
// is three or four.
Cut usualCut(std::span<const std::int64_t> extents);
// The index of the array element that the pixel (x, y) shows in its first channel.
std::size_t indexAt(std::span<const std::int64_t> extents, const Cut &cut, std::int64_t x,
                    std::int64_t y);
// The distance, in elements of the array, between two channels of a pixel; 0 without colour.
std::size_t colourStride(std::span<const std::int64_t> extents, const Cut &cut);

// The value that is drawn black and the value that is drawn white.
struct Tones {
  double black = 0, white = 255;

  friend bool operator==(const Tones &, const Tones &) = default;
};
// For unsigned bytes, 0 and 255; for other integers, the minimum and the maximum. For floats, the
// quantiles of 1 % and 99 %, since a single bright number would leave the rest black. Of more than
// a million floats, at most a million are sampled evenly.
Tones tonesOf(const Array &array);

Picture pictureOf(const Array &array, const Cut &cut, const Tones &tones);

// Draws the errors of an array's elements, as multiples of the tolerance (report::errorsOf): black
// for no error, blue up to the tolerance, and from there orange to white. Errors above `excused`
// are excused by rounding and drawn like errors at the tolerance. A coloured pixel shows the
// largest error of its channels.
Picture differenceOf(std::span<const float> errors, std::span<const std::int64_t> extents,
                     const Cut &cut, float excused = std::numeric_limits<float>::infinity());

} // namespace tessera::array
