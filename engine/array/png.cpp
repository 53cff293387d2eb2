// SPDX-License-Identifier: MIT
#include "engine/array/png.h"

#include "engine/array/deflate.h"
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

// What a filter, of five, takes a byte for by those around it.
int guessed(int filter, int left, int above, int corner) {
  switch (filter) {
  case 1:
    return left;
  case 2:
    return above;
  case 3:
    return (left + above) / 2;
  case 4:
    return paeth(left, above, corner);
  default:
    return 0;
  }
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
      row[x] = static_cast<std::uint8_t>(row[x] + guessed(filter, left, above, corner));
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

// The row by one filter, and how far it is from nothing but zeros: what compresses well is near.
std::uint64_t filtered(int filter, Bytes row, Bytes above, std::size_t step,
                       std::vector<std::uint8_t> &out) {
  std::uint64_t distance = 0;
  out.assign(1, static_cast<std::uint8_t>(filter));
  for (std::size_t x = 0; x < row.size(); ++x) {
    const bool hasLeft = x >= step, hasAbove = !above.empty();
    const int guess = guessed(filter, hasLeft ? row[x - step] : 0, hasAbove ? above[x] : 0,
                              hasLeft && hasAbove ? above[x - step] : 0);
    out.push_back(static_cast<std::uint8_t>(row[x] - guess));
    distance += std::min<unsigned>(out.back(), 256u - out.back());
  }
  return distance;
}

std::vector<std::uint8_t> filteredRows(const Picture &picture) {
  std::vector<std::uint8_t> rows, best, tried;
  const auto width = static_cast<std::size_t>(picture.width) * picture.channels;
  Bytes above;
  for (Bytes rest = picture.pixels; !rest.empty(); rest = rest.subspan(width)) {
    const Bytes row = rest.first(width);
    std::uint64_t least = filtered(0, row, above, picture.channels, best);
    for (const int filter : {1, 2, 4}) {
      const std::uint64_t distance = filtered(filter, row, above, picture.channels, tried);
      if (distance >= least) continue;
      least = distance;
      best.swap(tried);
    }
    rows.insert(rows.end(), best.begin(), best.end());
    above = row;
  }
  return rows;
}

void putWord(std::vector<std::uint8_t> &bytes, std::size_t word) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<std::uint8_t>(word >> shift));
}

void putChunk(std::vector<std::uint8_t> &bytes, std::string_view type, Bytes data) {
  putWord(bytes, data.size());
  const std::size_t start = bytes.size();
  bytes.insert(bytes.end(), type.begin(), type.end());
  bytes.insert(bytes.end(), data.begin(), data.end());
  putWord(bytes, job::crc32(std::as_bytes(Bytes(bytes).subspan(start))));
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

std::vector<std::uint8_t> pngOf(const Picture &picture) {
  std::vector<std::uint8_t> bytes(kSignature.begin(), kSignature.end()), header;
  putWord(header, static_cast<std::size_t>(picture.width));
  putWord(header, static_cast<std::size_t>(picture.height));
  const std::uint8_t colours = picture.channels == 1 ? 0 : 2;
  for (const std::uint8_t byte :
       {std::uint8_t{8}, colours, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{0}})
    header.push_back(byte);
  putChunk(bytes, "IHDR", header);
  putChunk(bytes, "IDAT", deflated(filteredRows(picture)));
  putChunk(bytes, "IEND", {});
  return bytes;
}

} // namespace tessera::array
