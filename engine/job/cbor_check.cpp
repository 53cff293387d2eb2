// SPDX-License-Identifier: MIT
#include "engine/job/cbor_check.h"

#include <array>
#include <cstdint>
#include <limits>

namespace tessera::job {
namespace {

enum class Major : std::uint8_t { Unsigned, Negative, Bytes, Text, Array, Map, Tag, Simple };

// An array or map that is not complete yet. For a map, keys and values count separately.
struct Open {
  std::uint64_t left = 0;
  bool isMap = false;
};

class Walk {
public:
  explicit Walk(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  std::string run() {
    do {
      if (std::string why = item(); !why.empty()) return why + " at byte " + std::to_string(m_at);
      while (m_depth > 0 && m_open[m_depth - 1].left == 0)
        --m_depth;
    } while (m_depth > 0);
    const std::size_t trailing = m_bytes.size() - m_position;
    return trailing == 0 ? "" : std::to_string(trailing) + " trailing bytes after the message";
  }

private:
  std::string item() {
    m_at = m_position;
    if (m_position == m_bytes.size()) return "ends in the middle";
    if (++m_items > kMaxCborItems) return "more than " + std::to_string(kMaxCborItems) + " values";
    const auto first = std::to_integer<std::uint8_t>(m_bytes[m_position++]);
    const auto major = static_cast<Major>(first >> 5);
    std::uint64_t argument = first & 31;
    if (argument >= 28) return "an indefinite length or a reserved code";
    if (argument >= 24 && !readArgument(std::size_t{1} << (argument - 24), argument))
      return "ends in the middle";
    if (m_depth > 0) {
      Open &parent = m_open[m_depth - 1];
      if (parent.isMap && parent.left % 2 == 0 && major != Major::Text)
        return "a key that is not text";
      --parent.left;
    }
    return content(major, first & 31, argument);
  }

  std::string content(Major major, int code, std::uint64_t argument) {
    switch (major) {
    case Major::Unsigned:
      return "";
    case Major::Negative: {
      constexpr std::uint64_t kLowest = std::numeric_limits<std::int64_t>::max();
      return argument > kLowest ? "an integer below 64 bits" : "";
    }
    case Major::Bytes:
    case Major::Text:
      if (argument > m_bytes.size() - m_position) return "a string longer than the message";
      m_position += argument;
      return "";
    case Major::Array:
    case Major::Map:
      return open(major == Major::Map, argument);
    case Major::Tag:
      return "a tag";
    case Major::Simple:
      break;
    }
    const bool known = (code >= 20 && code <= 22) || (code >= 25 && code <= 27);
    return known ? "" : "an unknown simple value";
  }

  std::string open(bool isMap, std::uint64_t count) {
    // A value takes at least one byte, so a count larger than this cannot be true and is refused at
    // once.
    const std::uint64_t bytesLeft = m_bytes.size() - m_position;
    if (count > (isMap ? bytesLeft / 2 : bytesLeft))
      return "more elements than the message has bytes";
    if (m_depth == kMaxCborDepth)
      return "nested deeper than " + std::to_string(kMaxCborDepth) + " levels";
    m_open[m_depth++] = {isMap ? count * 2 : count, isMap};
    return "";
  }

  bool readArgument(std::size_t count, std::uint64_t &value) {
    if (count > m_bytes.size() - m_position) return false;
    value = 0;
    for (std::size_t i = 0; i < count; ++i)
      value = value << 8 | std::to_integer<std::uint64_t>(m_bytes[m_position++]);
    return true;
  }

  std::span<const std::byte> m_bytes;
  std::size_t m_position = 0;
  std::size_t m_at = 0; // position where the current item begins
  std::size_t m_items = 0;
  std::array<Open, kMaxCborDepth> m_open;
  std::size_t m_depth = 0;
};

} // namespace

std::string whyNotCbor(std::span<const std::byte> bytes) { return Walk(bytes).run(); }

} // namespace tessera::job
