// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::job {

// One message between two of Tessera's processes, over a pipe:
//
//   magic "TSRA" | u16 version | u16 header check | u32 payload length | u32 CRC-32 of payload |
//   CBOR
//
// All numbers are little endian. The header check (CRC-32 of the other fourteen bytes, folded to
// sixteen bits) detects a damaged length at once, instead of waiting for bytes that never come. A
// reader takes bytes as they come (FrameReader). A damaged frame is an error with a cause, and the
// sender cannot cause an allocation of arbitrary size.
inline constexpr std::uint16_t kFrameVersion = 1;
inline constexpr std::size_t kFrameHeaderBytes = 16;
inline constexpr std::size_t kMaxPayloadBytes = std::size_t{256} << 20;

// Fails if the message exceeds what a reader accepts (too long, too deep).
Result<std::vector<std::byte>> encodeFrame(const nlohmann::json &message);
// A frame around the bytes of a payload; for tests that need damaged payloads.
std::vector<std::byte> frameAround(std::span<const std::byte> payload);

class FrameReader {
public:
  explicit FrameReader(std::size_t maxPayloadBytes = kMaxPayloadBytes);

  void append(std::span<const std::byte> bytes);

  // The next complete message; nullopt if more bytes are needed. Once the stream is broken it
  // returns an error for good: after a broken frame no byte can be trusted.
  Result<std::optional<nlohmann::json>> next();

  // To be called at the end of the stream: an error if the end is in the middle of a frame.
  Status finish();

  std::size_t bufferedBytes() const { return m_buffer.size() - m_begin; }

private:
  Error breakWith(std::string cause);

  std::size_t m_maxPayloadBytes;
  std::vector<std::byte> m_buffer;
  std::size_t m_begin = 0;
  std::optional<Error> m_broken;
};

} // namespace tessera::job
