// SPDX-License-Identifier: MIT
#pragma once

#include <zlib.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Image files made by hand. Images that libpng writes are in written_png.h.
namespace tessera::array::test {

using Bytes = std::vector<std::uint8_t>;

inline Bytes bytesOf(std::string_view text) { return {text.begin(), text.end()}; }

inline Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes &part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

inline Bytes bigEndian(std::uint32_t word) {
  return {static_cast<std::uint8_t>(word >> 24), static_cast<std::uint8_t>(word >> 16),
          static_cast<std::uint8_t>(word >> 8), static_cast<std::uint8_t>(word)};
}

// The checksum covers a chunk's type letters and its data.
inline std::uint32_t checksumOf(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), bytes.size()));
}

inline Bytes chunk(std::string_view type, const Bytes &data) {
  const Bytes checked = joined({bytesOf(type), data});
  return joined({bigEndian(static_cast<std::uint32_t>(data.size())), checked,
                 bigEndian(checksumOf(checked))});
}

// A zlib stream of one stored block.
inline Bytes stored(const Bytes &data) {
  const auto size = static_cast<std::uint16_t>(data.size());
  const auto low = [](std::uint16_t n) { return static_cast<std::uint8_t>(n); };
  const auto high = [](std::uint16_t n) { return static_cast<std::uint8_t>(n >> 8); };
  const auto inverse = static_cast<std::uint16_t>(~size);
  return joined({{0x78, 0x01, 0x01, low(size), high(size), low(inverse), high(inverse)},
                 data,
                 bigEndian(static_cast<std::uint32_t>(adler32_z(1, data.data(), data.size())))});
}

struct PngHeader {
  std::uint32_t width = 1, height = 1;
  std::uint8_t depth = 8, colours = 0, interlace = 0;
};

inline Bytes headerChunk(const PngHeader &h) {
  return chunk(
      "IHDR",
      joined({bigEndian(h.width), bigEndian(h.height), {h.depth, h.colours, 0, 0, h.interlace}}));
}

// Each row in `rows` begins with the number of its filter.
inline Bytes png(const PngHeader &header, const Bytes &rows, const Bytes &between = {}) {
  return joined({bytesOf("\x89PNG\r\n\x1a\n"), headerChunk(header), between,
                 chunk("IDAT", stored(rows)), chunk("IEND", {})});
}

} // namespace tessera::array::test
