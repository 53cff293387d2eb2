// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <cstdint>

namespace tessera::samples::clahe {

// The size of a tile in pixels, and the largest count of a bin in mean counts.
struct Tiles {
  int width = 192, height = 320;
  int most = 4;
};

// Equalises each tile's histogram, with limited contrast, and mixes the tables of neighbours.
Image<std::uint8_t> reference(const Image<std::uint8_t> &input, const Tiles &tiles = {});

} // namespace tessera::samples::clahe
