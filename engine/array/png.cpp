// SPDX-License-Identifier: MIT
#include "engine/array/png.h"

#include "engine/array/inflate.h"
#include "engine/job/crc32.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>

namespace tessera::array {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";

std::uint32_t wordAt(Bytes bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
         std::uint32_t{bytes[at + 2]} << 8 | bytes[at + 3];
}

struct Chunk {
  std::string_view type;
  Bytes data;
};

// Takes the next chunk off the rest of a file; nothing where it is cut off or damaged.
std::optional<Chunk> takeChunk(Bytes &rest) {
  constexpr std::size_t kAround = 12; // length, type, checksum
  if (rest.size() < kAround) return std::nullopt;
  const std::size_t length = wordAt(rest, 0);
  if (length > rest.size() - kAround) return std::nullopt;
  const Bytes checked = rest.subspan(4, 4 + length);
  if (job::crc32(std::as_bytes(checked)) != wordAt(rest, 8 + length)) return std::nullopt;
  rest = rest.subspan(kAround + length);
  return Chunk{{reinterpret_cast<const char *>(checked.data()), 4}, checked.subspan(4)};
}

struct Header {
  std::uint32_t width, height;
  std::size_t channels, bytes; // bytes: of a sample

  std::size_t pixelBytes() const { return channels * bytes; }
  std::uint64_t rowBytes() const { return std::uint64_t{width} * pixelBytes(); }
};

Result<Header> headerFrom(const Chunk &chunk, const std::string &file) {
  constexpr std::size_t kBytes = 13;
  if (chunk.type != "IHDR" || chunk.data.size() != kBytes)
    return refused(file, "its header cannot be read.");
  Header header{wordAt(chunk.data, 0), wordAt(chunk.data, 4), 0, chunk.data[8] / std::size_t{8}};
  const std::uint8_t depth = chunk.data[8], colours = chunk.data[9];
  switch (colours) {
  case 0:
    header.channels = 1;
    break;
  case 2:
    header.channels = 3;
    break;
  case 4:
    header.channels = 2;
    break;
  case 6:
    header.channels = 4;
    break;
  case 3:
    return refused(file, "its colours are those of a palette.", "Save it as RGB.");
  default:
    return refused(file, "its header cannot be read.");
  }
  if (depth != 8 && depth != 16)
    return refused(file, "it has " + std::to_string(depth) + " bits a sample.",
                   "Images of 8 and of 16 bits are read.");
  constexpr std::uint32_t kMostSide = 0x7fffffff;
  if (header.width == 0 || header.height == 0 || header.width > kMostSide ||
      header.height > kMostSide || chunk.data[10] != 0 || chunk.data[11] != 0)
    return refused(file, "its header cannot be read.");
  if (chunk.data[12] != 0)
    return refused(file, "it is interlaced.", "Save it without interlacing.");
  if (header.height > kMostBytes / (header.rowBytes() + 1))
    return refused(file, "it is too large to be an input.");
  return header;
}

std::uint8_t paeth(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int toLeft = std::abs(guess - left), toAbove = std::abs(guess - above),
            toCorner = std::abs(guess - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return static_cast<std::uint8_t>(left);
  return static_cast<std::uint8_t>(toAbove <= toCorner ? above : corner);
}

// Rows hold differences to what is left of them and above, each row by one of five filters. False
// where there is another.
bool unfilter(std::vector<std::uint8_t> &rows, const Header &header) {
  const auto width = static_cast<std::size_t>(header.rowBytes());
  const std::size_t step = header.pixelBytes();
  for (std::size_t y = 0; y < header.height; ++y) {
    std::uint8_t *row = rows.data() + y * (width + 1) + 1;
    const std::uint8_t filter = row[-1];
    if (filter > 4) return false;
    for (std::size_t x = 0; x < width; ++x) {
      const int left = x >= step ? row[x - step] : 0;
      const int above = y > 0 ? *(row + x - width - 1) : 0;
      const int corner = y > 0 && x >= step ? *(row + x - step - width - 1) : 0;
      const int guess = filter == 1   ? left
                        : filter == 2 ? above
                        : filter == 3 ? (left + above) / 2
                        : filter == 4 ? paeth(left, above, corner)
                                      : 0;
      row[x] = static_cast<std::uint8_t>(row[x] + guess);
    }
  }
  return true;
}

// Without the filters' bytes in front of the rows.
void closeRows(std::vector<std::uint8_t> &rows, const Header &header) {
  const auto width = static_cast<std::ptrdiff_t>(header.rowBytes());
  for (std::ptrdiff_t y = 0; y < static_cast<std::ptrdiff_t>(header.height); ++y) {
    const auto row = rows.begin() + y * (width + 1) + 1;
    std::copy(row, row + width, rows.begin() + y * width);
  }
}

} // namespace

bool isPng(const std::vector<std::uint8_t> &bytes) {
  return std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size())
      .starts_with(kSignature);
}

Result<Array> pngFrom(const std::vector<std::uint8_t> &bytes, const std::string &file) {
  if (!isPng(bytes)) return refused(file, "it is no PNG image.");
  Bytes rest = Bytes(bytes).subspan(kSignature.size());
  const Error damaged = refused(file, "it is damaged or cut off.", "Save it again.");
  const auto first = takeChunk(rest);
  if (!first) return damaged;
  const auto header = headerFrom(*first, file);
  if (!header) return header.error();
  std::vector<std::uint8_t> stream;
  while (true) {
    const auto chunk = takeChunk(rest);
    if (!chunk) return damaged;
    if (chunk->type == "IEND") break;
    if (chunk->type == "IDAT")
      stream.insert(stream.end(), chunk->data.begin(), chunk->data.end());
    else if ((chunk->type[0] & 0x20) == 0) // a capital: nobody may go on without knowing it
      return refused(file, "it has a part that is not known, '" + std::string(chunk->type) + "'.");
  }
  auto rows = inflated(stream, static_cast<std::size_t>(header->height * (header->rowBytes() + 1)));
  if (!rows || !rest.empty() || !unfilter(*rows, *header)) return damaged;
  closeRows(*rows, *header);
  return imageFrom(header->width, header->height, header->channels, header->bytes,
                   header->bytes == 1 ? 255 : 65535, rows->data());
}

} // namespace tessera::array
