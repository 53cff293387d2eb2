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

// What can be looked at: rows of pixels, each a grey (one channel) or red, green and blue.
struct Picture {
  std::int64_t width = 0, height = 0;
  std::size_t channels = 1;
  std::vector<std::uint8_t> pixels;
};

// What of an array is looked at: one dimension across, one down, perhaps three numbers of another
// as red, green and blue, and one place of each of the rest.
struct Cut {
  std::size_t across = 0, down = 1;
  std::optional<std::size_t> colour;
  std::vector<std::int64_t> at; // a place in every dimension, from 0; those above do not count

  friend bool operator==(const Cut &, const Cut &) = default;
};
// As images are: a dimension of three or four at the end, or at the beginning, is the colour.
Cut usualCut(std::span<const std::int64_t> extents);
// Which of the array's numbers the pixel shows, its first channel.
std::size_t indexAt(std::span<const std::int64_t> extents, const Cut &cut, std::int64_t x,
                    std::int64_t y);
// How far apart the channels' numbers are.
std::size_t colourStride(std::span<const std::int64_t> extents, const Cut &cut);

// The numbers that are black and white.
struct Tones {
  double black = 0, white = 255;

  friend bool operator==(const Tones &, const Tones &) = default;
};
// Of bytes 0 and 255, of other integers the least and the most. Of floats what all but the lowest
// and the highest hundredth lie between, as a single bright number would leave the rest black; of
// a million of them, spread over the array, where there are more.
Tones tonesOf(const Array &array);

Picture pictureOf(const Array &array, const Cut &cut, const Tones &tones);

// Errors of an array's numbers, in the most that is allowed (schedule::errorsOf): black where there
// is none, blue up to what is allowed, from there on orange to white. Those above `excused` count
// as allowed. Of colours the largest.
Picture differenceOf(std::span<const float> errors, std::span<const std::int64_t> extents,
                     const Cut &cut, float excused = std::numeric_limits<float>::infinity());

} // namespace tessera::array
