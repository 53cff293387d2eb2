// SPDX-License-Identifier: MIT
#include "engine/array/inflate.h"

#include "engine/array/deflate_code.h"

#include <algorithm>
#include <array>

namespace tessera::array {

namespace {

constexpr std::size_t kMostBits = 15; // of a code

struct Damaged {}; // thrown inside this file alone

class BitReader {
public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

  std::uint32_t bits(unsigned count) {
    while (m_held < count) {
      if (m_at == m_bytes.size()) throw Damaged{};
      m_bits |= std::uint32_t{m_bytes[m_at++]} << m_held;
      m_held += 8;
    }
    const std::uint32_t value = m_bits & ((1u << count) - 1);
    m_bits >>= count;
    m_held -= count;
    return value;
  }

  // From the next whole byte on; never more than seven bits are held between two calls.
  std::span<const std::uint8_t> bytes(std::size_t count) {
    m_bits = m_held = 0;
    if (count > m_bytes.size() - m_at) throw Damaged{};
    m_at += count;
    return m_bytes.subspan(m_at - count, count);
  }
  bool isAtEnd() const { return m_at == m_bytes.size(); }

private:
  std::span<const std::uint8_t> m_bytes;
  std::size_t m_at = 0;
  std::uint32_t m_bits = 0;
  unsigned m_held = 0;
};

// A canonical Huffman code: symbols by the length of their codes, then by number.
class Code {
public:
  explicit Code(std::span<const std::uint8_t> lengths) {
    for (const std::uint8_t length : lengths)
      ++m_count[length];
    m_count[0] = 0;
    std::array<std::uint16_t, kMostBits + 2> next{};
    int left = 1; // codes of a length that are free
    for (std::size_t length = 1; length <= kMostBits; ++length) {
      left = 2 * left - m_count[length];
      if (left < 0) throw Damaged{}; // more symbols than codes
      next[length + 1] = static_cast<std::uint16_t>(next[length] + m_count[length]);
    }
    m_symbols.resize(lengths.size());
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] != 0)
        m_symbols[next[lengths[symbol]]++] = static_cast<std::uint16_t>(symbol);
  }

  std::uint16_t read(BitReader &reader) const {
    int code = 0, first = 0, index = 0; // of this length
    for (std::size_t length = 1; length <= kMostBits; ++length) {
      code |= static_cast<int>(reader.bits(1));
      const int count = m_count[length];
      if (code - first < count) return m_symbols[static_cast<std::size_t>(index + code - first)];
      index += count;
      first = 2 * (first + count);
      code *= 2;
    }
    throw Damaged{}; // a code that stands for nothing
  }

private:
  std::array<std::uint16_t, kMostBits + 1> m_count{}; // codes of each length
  std::vector<std::uint16_t> m_symbols;
};

struct Codes {
  Code literals, distances;
};

Codes fixedCodes() {
  std::array<std::uint8_t, 288> literals{};
  for (std::size_t i = 0; i < literals.size(); ++i)
    literals[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  std::array<std::uint8_t, 30> distances{};
  distances.fill(5);
  return {Code(literals), Code(distances)};
}

// The lengths of a block's own codes are coded themselves.
Codes ownCodes(BitReader &reader) {
  const std::size_t literals = reader.bits(5) + 257, distances = reader.bits(5) + 1;
  const std::size_t given = reader.bits(4) + 4;
  if (literals > 286 || distances > 30) throw Damaged{};
  static constexpr std::array<std::uint8_t, 19> kOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                       11, 4,  12, 3, 13, 2, 14, 1, 15};
  std::array<std::uint8_t, 19> ofLengths{};
  for (std::size_t i = 0; i < given; ++i)
    ofLengths[kOrder[i]] = static_cast<std::uint8_t>(reader.bits(3));
  const Code code(ofLengths);
  std::vector<std::uint8_t> lengths;
  while (lengths.size() < literals + distances) {
    const std::uint16_t symbol = code.read(reader);
    if (symbol < 16) {
      lengths.push_back(static_cast<std::uint8_t>(symbol));
      continue;
    }
    if (symbol == 16 && lengths.empty()) throw Damaged{};
    const std::uint8_t value = symbol == 16 ? lengths.back() : std::uint8_t{0};
    const std::size_t times = symbol == 16   ? reader.bits(2) + 3
                              : symbol == 17 ? reader.bits(3) + 3
                                             : reader.bits(7) + 11;
    lengths.insert(lengths.end(), times, value);
  }
  if (lengths.size() != literals + distances || lengths[kEndOfBlock] == 0) throw Damaged{};
  const std::span all(lengths);
  return {Code(all.first(literals)), Code(all.subspan(literals))};
}

class Inflating {
public:
  Inflating(std::span<const std::uint8_t> stream, std::size_t size)
      : m_reader(stream), m_size(size) {}

  std::vector<std::uint8_t> run() {
    checkHeader();
    bool isLast = false;
    while (!isLast) {
      isLast = m_reader.bits(1) != 0;
      const std::uint32_t kind = m_reader.bits(2);
      if (kind == 0) {
        copyStored();
      } else if (kind == 1) {
        copyCoded(fixedCodes());
      } else if (kind == 2) {
        copyCoded(ownCodes(m_reader));
      } else {
        throw Damaged{};
      }
    }
    checkEnd();
    return std::move(m_out);
  }

private:
  void checkHeader() {
    const std::uint32_t method = m_reader.bits(8), flags = m_reader.bits(8);
    const bool hasDictionary = (flags & 0x20) != 0;
    if ((method & 0xf) != 8 || (256 * method + flags) % 31 != 0 || hasDictionary) throw Damaged{};
  }

  void checkEnd() {
    std::uint32_t stored = 0;
    for (const std::uint8_t byte : m_reader.bytes(4))
      stored = stored << 8 | byte;
    if (stored != adler32(m_out) || !m_reader.isAtEnd() || m_out.size() != m_size) throw Damaged{};
  }

  void put(std::uint8_t byte) {
    if (m_out.size() == m_size) throw Damaged{};
    m_out.push_back(byte);
  }

  void copyStored() {
    const auto header = m_reader.bytes(4);
    const std::uint32_t length = header[0] | header[1] << 8;
    const std::uint32_t inverse = header[2] | header[3] << 8;
    if ((length ^ inverse) != 0xffff) throw Damaged{};
    for (const std::uint8_t byte : m_reader.bytes(length))
      put(byte);
  }

  template <typename Table>
  std::size_t from(const Table &table, std::size_t symbol) {
    if (symbol >= table.size()) throw Damaged{};
    return table[symbol].base + m_reader.bits(table[symbol].extra);
  }

  void copyCoded(const Codes &codes) {
    while (true) {
      const std::uint16_t symbol = codes.literals.read(m_reader);
      if (symbol == kEndOfBlock) return;
      if (symbol < kEndOfBlock) {
        put(static_cast<std::uint8_t>(symbol));
        continue;
      }
      const std::size_t length = from(kLengths, symbol - kEndOfBlock - 1u);
      const std::size_t back = from(kDistances, codes.distances.read(m_reader));
      if (back > m_out.size()) throw Damaged{};
      for (std::size_t i = 0; i < length; ++i)
        put(m_out[m_out.size() - back]);
    }
  }

  BitReader m_reader;
  std::size_t m_size;
  std::vector<std::uint8_t> m_out;
};

} // namespace

std::optional<std::vector<std::uint8_t>> inflated(std::span<const std::uint8_t> stream,
                                                  std::size_t size) {
  try {
    return Inflating(stream, size).run();
  } catch (const Damaged &) {
    return std::nullopt;
  }
}

} // namespace tessera::array
