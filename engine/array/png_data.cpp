// SPDX-License-Identifier: MIT
#include "engine/array/png_data.h"

#include <zlib.h>

#include <array>
#include <string_view>

namespace tessera::array {

namespace {

using Bytes = std::span<const std::uint8_t>;

// Decompresses a stream that comes in parts, and only counts the bytes.
class Counting {
public:
  Counting() : m_result(inflateInit(&m_stream)) {}
  ~Counting() { inflateEnd(&m_stream); }
  Counting(const Counting &) = delete;
  Counting &operator=(const Counting &) = delete;

  // Returns false if the part is damaged, follows the end, or leads to more than `most` bytes in
  // total.
  bool goOn(Bytes part, std::uint64_t most) {
    m_stream.next_in = const_cast<Bytef *>(part.data()); // zlib does not write to it
    m_stream.avail_in = static_cast<uInt>(part.size());
    do {
      m_stream.next_out = m_scratch.data();
      m_stream.avail_out = static_cast<uInt>(m_scratch.size());
      m_result = inflate(&m_stream, Z_NO_FLUSH);
      m_size += m_scratch.size() - m_stream.avail_out;
      if (m_size > most) return false;
      if (hasEnded()) return m_stream.avail_in == 0; // false if bytes follow the end of the stream
      if (m_result != Z_OK && m_result != Z_BUF_ERROR) return false; // Z_BUF_ERROR: needs input
    } while (m_stream.avail_out == 0);
    return true;
  }
  bool hasEnded() const { return m_result == Z_STREAM_END; }
  std::uint64_t size() const { return m_size; }

private:
  z_stream m_stream{};
  int m_result;
  std::uint64_t m_size = 0;
  std::array<std::uint8_t, 32768> m_scratch;
};

std::uint32_t wordAt(const std::uint8_t *bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
         std::uint32_t{bytes[2]} << 8 | bytes[3];
}

} // namespace

bool holdsBytes(Bytes file, std::uint64_t size) {
  constexpr std::size_t kSignature = 8, kAround = 12; // bytes; kAround: a chunk without its data
  Counting data;
  for (Bytes rest = file.subspan(kSignature); rest.size() >= kAround;) {
    const std::size_t length = wordAt(rest.data());
    if (length > rest.size() - kAround) return false;
    const std::string_view type(reinterpret_cast<const char *>(rest.data()) + 4, 4);
    if (type == "IDAT" && !data.goOn(rest.subspan(8, length), size)) return false;
    rest = rest.subspan(kAround + length);
  }
  return data.hasEnded() && data.size() == size;
}

} // namespace tessera::array
