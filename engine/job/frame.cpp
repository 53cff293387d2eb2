// SPDX-License-Identifier: MIT
#include "engine/job/frame.h"

#include "engine/job/cbor_check.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tessera::job {
namespace {

constexpr std::array<char, 4> kMagic{'T', 'S', 'R', 'A'};
constexpr std::size_t kVersionAt = 4;
constexpr std::size_t kCheckAt = 6;
constexpr std::size_t kLengthAt = 8;
constexpr std::size_t kCrcAt = 12;
constexpr std::size_t kKeptCapacity = std::size_t{1} << 20; // a larger buffer is released after use

template <typename Word>
void putLittleEndian(std::byte *to, Word word) {
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    to[i] = static_cast<std::byte>(word >> (8 * i));
}

template <typename Word>
Word littleEndian(const std::byte *from) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    word = static_cast<Word>(word | std::to_integer<Word>(from[i]) << (8 * i));
  return word;
}

std::uint32_t checksum(std::span<const std::byte> bytes, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

std::uint16_t headerCheck(const std::byte *header) {
  std::uint32_t crc = checksum({header, kCheckAt});
  crc = checksum({header + kLengthAt, kFrameHeaderBytes - kLengthAt}, crc);
  return static_cast<std::uint16_t>(crc ^ crc >> 16);
}

Error damaged(std::string cause) {
  return {ErrorCode::WorkerFailed, "damaged frame: " + std::move(cause), ""};
}

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

} // namespace

std::vector<std::byte> frameAround(std::span<const std::byte> payload) {
  std::vector<std::byte> frame(kFrameHeaderBytes + payload.size());
  std::memcpy(frame.data(), kMagic.data(), kMagic.size());
  putLittleEndian(frame.data() + kVersionAt, kFrameVersion);
  putLittleEndian(frame.data() + kLengthAt, static_cast<std::uint32_t>(payload.size()));
  putLittleEndian(frame.data() + kCrcAt, checksum(payload));
  putLittleEndian(frame.data() + kCheckAt, headerCheck(frame.data()));
  std::copy(payload.begin(), payload.end(), frame.begin() + kFrameHeaderBytes);
  return frame;
}

Result<std::vector<std::byte>> encodeFrame(const nlohmann::json &message) {
  std::vector<std::uint8_t> cbor;
  nlohmann::json::to_cbor(message, cbor);
  if (cbor.size() > kMaxPayloadBytes)
    return Error{ErrorCode::WorkerFailed,
                 "a message of " + mebibytes(cbor.size()) + " is longer than the " +
                     mebibytes(kMaxPayloadBytes) + " that a frame may carry",
                 ""};
  const std::span<const std::byte> payload = std::as_bytes(std::span(cbor));
  if (std::string why = whyNotCbor(payload); !why.empty())
    return Error{ErrorCode::WorkerFailed, "a message that cannot be sent in a frame: " + why, ""};
  return frameAround(payload);
}

FrameReader::FrameReader(std::size_t maxPayloadBytes) : m_maxPayloadBytes(maxPayloadBytes) {}

void FrameReader::append(std::span<const std::byte> bytes) {
  if (m_broken) return;
  // Unread bytes move to the front only when they are less than half of the buffer. So the total
  // cost stays linear.
  if (m_begin > m_buffer.size() / 2) {
    m_buffer.erase(m_buffer.begin(), m_buffer.begin() + static_cast<std::ptrdiff_t>(m_begin));
    m_begin = 0;
  }
  m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
}

Error FrameReader::breakWith(std::string cause) {
  m_broken = damaged(std::move(cause));
  std::vector<std::byte>().swap(m_buffer);
  m_begin = 0;
  return *m_broken;
}

Result<std::optional<nlohmann::json>> FrameReader::next() {
  if (m_broken) return *m_broken;
  const std::size_t have = bufferedBytes();
  if (have == 0) return std::optional<nlohmann::json>();
  const std::byte *header = m_buffer.data() + m_begin;
  if (std::memcmp(header, kMagic.data(), std::min(have, kMagic.size())) != 0)
    return breakWith("it does not begin with the magic word TSRA");
  if (have < kFrameHeaderBytes) return std::optional<nlohmann::json>();
  if (const auto version = littleEndian<std::uint16_t>(header + kVersionAt);
      version != kFrameVersion)
    return breakWith("its version is " + std::to_string(version) + ", but this program uses " +
                     std::to_string(kFrameVersion));
  if (littleEndian<std::uint16_t>(header + kCheckAt) != headerCheck(header))
    return breakWith("the checksum of its header does not match");
  const std::size_t length = littleEndian<std::uint32_t>(header + kLengthAt);
  if (length > m_maxPayloadBytes)
    return breakWith("its length of " + std::to_string(length) + " bytes is over the limit of " +
                     std::to_string(m_maxPayloadBytes));
  if (have < kFrameHeaderBytes + length) return std::optional<nlohmann::json>();

  const std::span<const std::byte> payload{header + kFrameHeaderBytes, length};
  if (littleEndian<std::uint32_t>(header + kCrcAt) != checksum(payload))
    return breakWith("the checksum of its payload does not match");
  if (std::string why = whyNotCbor(payload); !why.empty())
    return breakWith("its payload is not CBOR as we write it: " + why);
  const auto *begin = reinterpret_cast<const std::uint8_t *>(payload.data());
  nlohmann::json message =
      nlohmann::json::from_cbor(begin, begin + length, /*strict=*/true, /*allow_exceptions=*/false);
  if (message.is_discarded()) return breakWith("its payload is not CBOR");

  m_begin += kFrameHeaderBytes + length;
  if (m_begin == m_buffer.size()) {
    m_buffer.clear(), m_begin = 0;
    if (m_buffer.capacity() > kKeptCapacity) m_buffer.shrink_to_fit();
  }
  return std::optional(std::move(message));
}

Status FrameReader::finish() {
  if (m_broken) return *m_broken;
  if (bufferedBytes() == 0) return Done{};
  return breakWith("the stream ends after " + std::to_string(bufferedBytes()) + " bytes of it");
}

} // namespace tessera::job
