// SPDX-License-Identifier: MIT
#include "engine/array/deflate.h"

#include "engine/array/deflate_code.h"

#include <algorithm>
#include <cstddef>

namespace tessera::array {

namespace {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

constexpr std::size_t kLeastLength = 3, kMostLength = 258, kMostDistance = 32768;
constexpr unsigned kHashBits = 15;

class BitWriter {
public:
  explicit BitWriter(Bytes &out) : m_out(out) {}

  void bits(std::uint32_t value, unsigned count) {
    m_bits |= std::uint64_t{value} << m_held;
    for (m_held += count; m_held >= 8; m_held -= 8, m_bits >>= 8)
      m_out.push_back(static_cast<std::uint8_t>(m_bits));
  }
  // Codes are written with their most significant bit first.
  void code(std::uint32_t code, unsigned count) {
    std::uint32_t turned = 0;
    for (unsigned i = 0; i < count; ++i)
      turned |= (code >> i & 1) << (count - 1 - i);
    bits(turned, count);
  }
  void fillByte() {
    if (m_held > 0) bits(0, 8 - m_held);
  }

private:
  Bytes &m_out;
  std::uint64_t m_bits = 0;
  unsigned m_held = 0;
};

// RFC 1951, 3.2.6.
void writeSymbol(BitWriter &writer, std::uint32_t symbol) {
  if (symbol < 144)
    writer.code(0x30 + symbol, 8);
  else if (symbol < 256)
    writer.code(0x190 + symbol - 144, 9);
  else if (symbol < 280)
    writer.code(symbol - 256, 7);
  else
    writer.code(0xc0 + symbol - 280, 8);
}

// Which range of the table holds the value.
template <typename Table>
std::size_t rangeOf(const Table &table, std::size_t value) {
  const auto after = std::ranges::upper_bound(table, value, {}, &CodeRange::base);
  return static_cast<std::size_t>(after - table.begin()) - 1;
}

void writeRepetition(BitWriter &writer, std::size_t length, std::size_t distance) {
  const std::size_t ofLength = rangeOf(kLengths, length);
  writeSymbol(writer, static_cast<std::uint32_t>(kEndOfBlock + 1 + ofLength));
  writer.bits(static_cast<std::uint32_t>(length - kLengths[ofLength].base),
              kLengths[ofLength].extra);
  const std::size_t ofDistance = rangeOf(kDistances, distance);
  writer.code(static_cast<std::uint32_t>(ofDistance), 5);
  writer.bits(static_cast<std::uint32_t>(distance - kDistances[ofDistance].base),
              kDistances[ofDistance].extra);
}

std::size_t hashAt(View bytes, std::size_t at) {
  const std::uint32_t three = bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16;
  return three * 0x9e3779b1u >> (32 - kHashBits);
}

// One block. Of the places with the same three bytes the last one is tried.
void writeCoded(Bytes &out, View bytes) {
  BitWriter writer(out);
  writer.bits(1, 1); // the last block
  writer.bits(1, 2); // with the fixed codes
  std::vector<std::size_t> last(std::size_t{1} << kHashBits, SIZE_MAX);
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t length = 0, distance = 0;
    if (at + kLeastLength <= bytes.size()) {
      std::size_t &known = last[hashAt(bytes, at)];
      if (known != SIZE_MAX && at - known <= kMostDistance) {
        distance = at - known;
        const std::size_t most = std::min(kMostLength, bytes.size() - at);
        while (length < most && bytes[known + length] == bytes[at + length])
          ++length;
      }
      known = at;
    }
    if (length < kLeastLength) {
      writeSymbol(writer, bytes[at++]);
      continue;
    }
    writeRepetition(writer, length, distance);
    at += length;
  }
  writeSymbol(writer, kEndOfBlock);
  writer.fillByte();
}

void writeStored(Bytes &out, View bytes) {
  constexpr std::size_t kMost = 0xffff;
  do {
    const View block = bytes.first(std::min(kMost, bytes.size()));
    bytes = bytes.subspan(block.size());
    const auto low = static_cast<std::uint8_t>(block.size()),
               high = static_cast<std::uint8_t>(block.size() >> 8);
    out.push_back(bytes.empty() ? 1 : 0);
    for (const std::uint8_t byte : {low, high})
      out.push_back(byte);
    for (const std::uint8_t byte : {low, high})
      out.push_back(static_cast<std::uint8_t>(~byte));
    out.insert(out.end(), block.begin(), block.end());
  } while (!bytes.empty());
}

} // namespace

Bytes deflated(View bytes) {
  const Bytes header{0x78, 0x01};
  Bytes out = header;
  writeCoded(out, bytes);
  if (out.size() > bytes.size()) {
    out = header;
    writeStored(out, bytes);
  }
  const std::uint32_t checksum = adler32(bytes);
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<std::uint8_t>(checksum >> shift));
  return out;
}

} // namespace tessera::array
