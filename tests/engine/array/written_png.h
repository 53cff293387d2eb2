// SPDX-License-Identifier: MIT
#pragma once

#include "tests/engine/array/image_files.h"

#include <png.h>

#include <cstddef>
#include <ostream>

// Images of every kind that PNG has, written by libpng.
namespace tessera::array::test {

enum class Transparency { None, Marked }; // Marked: transparency comes from a tRNS chunk

struct PngKind {
  int colours = PNG_COLOR_TYPE_GRAY;
  int depth = 8;
  int interlace = PNG_INTERLACE_NONE;
  Transparency transparency = Transparency::None;

  bool hasPalette() const { return colours == PNG_COLOR_TYPE_PALETTE; }
  std::uint32_t channels() const { // the number of channels in the file
    if (hasPalette()) return 1;
    return ((colours & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1) +
           ((colours & PNG_COLOR_MASK_ALPHA) != 0 ? 1 : 0);
  }
};

inline std::ostream &operator<<(std::ostream &out, const PngKind &kind) {
  return out << "colour type " << kind.colours << ", " << kind.depth << " bits"
             << (kind.interlace != PNG_INTERLACE_NONE ? ", interlaced" : "")
             << (kind.transparency == Transparency::Marked ? ", tRNS" : "");
}

inline std::vector<PngKind> everyPngKind() {
  std::vector<PngKind> kinds;
  const auto add = [&](int colours, std::initializer_list<int> depths) {
    for (const int depth : depths)
      for (const int interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7}) {
        kinds.push_back({colours, depth, interlace, Transparency::None});
        if ((colours & PNG_COLOR_MASK_ALPHA) == 0)
          kinds.push_back({colours, depth, interlace, Transparency::Marked});
      }
  };
  add(PNG_COLOR_TYPE_GRAY, {1, 2, 4, 8, 16});
  add(PNG_COLOR_TYPE_RGB, {8, 16});
  add(PNG_COLOR_TYPE_PALETTE, {1, 2, 4, 8});
  add(PNG_COLOR_TYPE_GRAY_ALPHA, {8, 16});
  add(PNG_COLOR_TYPE_RGB_ALPHA, {8, 16});
  return kinds;
}

// Returns the sample that the file stores for a channel of the pixel at (x, y).
inline std::uint32_t storedSample(const PngKind &kind, std::uint32_t x, std::uint32_t y,
                                  std::uint32_t channel) {
  const std::uint32_t any = 40503 * (x * x + 3) + 30011 * y * (y + 7) + 12289 * channel + x * y;
  return (any ^ any >> 9) & ((1U << kind.depth) - 1);
}

inline png_color paletteEntry(std::uint32_t index) {
  return {static_cast<png_byte>(index * 37 + 1), static_cast<png_byte>(255 - index),
          static_cast<png_byte>(index * index + 90)};
}

// Returns the number of palette entries that have an opacity of their own. They are the first ones;
// the entries after them are opaque.
inline std::size_t transparentEntries(const PngKind &kind) {
  return std::size_t{1} << (kind.depth - 1);
}
inline std::uint8_t opacityOf(std::size_t index) {
  return static_cast<std::uint8_t>(11 * index + 5);
}

inline void setPalette(png_structp png, png_infop info, const PngKind &kind) {
  std::vector<png_color> palette;
  for (std::uint32_t index = 0; index < 1U << kind.depth; ++index)
    palette.push_back(paletteEntry(index));
  png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
  if (kind.transparency == Transparency::None) return;
  Bytes opacity;
  for (std::size_t index = 0; index < transparentEntries(kind); ++index)
    opacity.push_back(opacityOf(index));
  png_set_tRNS(png, info, opacity.data(), static_cast<int>(opacity.size()), nullptr);
}

// Returns a row as libpng takes it: one byte per sample, or two for samples of 16 bits.
inline Bytes storedRow(const PngKind &kind, std::uint32_t width, std::uint32_t y) {
  Bytes row;
  for (std::uint32_t x = 0; x < width; ++x)
    for (std::uint32_t channel = 0; channel < kind.channels(); ++channel) {
      const std::uint32_t sample = storedSample(kind, x, y, channel);
      if (kind.depth == 16) row.push_back(static_cast<std::uint8_t>(sample >> 8));
      row.push_back(static_cast<std::uint8_t>(sample));
    }
  return row;
}

inline Bytes writtenPng(const PngKind &kind, std::uint32_t width, std::uint32_t height) {
  Bytes file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &file,
      [](png_structp writer, png_bytep from, std::size_t count) {
        auto &out = *static_cast<Bytes *>(png_get_io_ptr(writer));
        out.insert(out.end(), from, from + count);
      },
      [](png_structp) {});
  png_set_IHDR(png, info, width, height, kind.depth, kind.colours, kind.interlace,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (kind.hasPalette()) {
    setPalette(png, info, kind);
  } else if (kind.transparency == Transparency::Marked) {
    png_color_16 colour{};
    colour.gray = colour.red = static_cast<png_uint_16>(storedSample(kind, 0, 0, 0));
    colour.green = static_cast<png_uint_16>(storedSample(kind, 0, 0, 1));
    colour.blue = static_cast<png_uint_16>(storedSample(kind, 0, 0, 2));
    png_set_tRNS(png, info, nullptr, 0, &colour);
  }
  png_write_info(png, info);
  png_set_packing(png);
  std::vector<Bytes> rows;
  for (std::uint32_t y = 0; y < height; ++y)
    rows.push_back(storedRow(kind, width, y));
  std::vector<png_bytep> starts;
  for (Bytes &row : rows)
    starts.push_back(row.data());
  png_write_image(png, starts.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return file;
}

} // namespace tessera::array::test
