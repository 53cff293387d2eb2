// SPDX-License-Identifier: MIT
#include "samples/blur/reference.h"

namespace tessera::samples::blur {

namespace {

// Sums wrap at 16 bits, as they do in the pipeline, whose type is u16 throughout.
std::uint16_t third(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  return static_cast<std::uint16_t>(static_cast<std::uint16_t>(a + b + c) / 3);
}

} // namespace

Image<std::uint16_t> reference(const Image<std::uint16_t> &input) {
  Image<std::uint16_t> rows(input.width() - 2, input.height());
  for (int y = 0; y < rows.height(); ++y)
    for (int x = 0; x < rows.width(); ++x)
      rows.at(x, y) = third(input.at(x, y), input.at(x + 1, y), input.at(x + 2, y));
  Image<std::uint16_t> result(rows.width(), input.height() - 2);
  for (int y = 0; y < result.height(); ++y)
    for (int x = 0; x < result.width(); ++x)
      result.at(x, y) = third(rows.at(x, y), rows.at(x, y + 1), rows.at(x, y + 2));
  return result;
}

} // namespace tessera::samples::blur
