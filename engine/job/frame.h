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

// One message between two of our processes, over a pipe:
//
//   magic "TSRA" | u16 version | u16 header check | u32 payload length | u32 CRC-32 of payload |
//   CBOR
//
// little endian. The header check (CRC-32 of the other fourteen bytes, folded to sixteen bits) lets
// a damaged length be refused at once instead of waiting for bytes that never come. A reader takes
// bytes as they come (FrameReader); whatever is damaged is an error with a cause and never an
// allocation of the sender's choosing.
inline constexpr std::uint16_t kFrameVersion = 1;
inline constexpr std::size_t kFrameHeaderBytes = 16;
inline constexpr std::size_t kMaxPayloadBytes = std::size_t{256} << 20;

// An error where the message is beyond what a reader would take (too long, too deep).
Result<std::vector<std::byte>> encodeFrame(const nlohmann::json &message);
// The same around bytes that are a payload already; for tests that need damaged ones.
std::vector<std::byte> frameAround(std::span<const std::byte> payload);

class FrameReader {
public:
  explicit FrameReader(std::size_t maxPayloadBytes = kMaxPayloadBytes);

  void append(std::span<const std::byte> bytes);

  // The next whole message; nothing when more bytes are needed; an error once the stream is broken
  // (then for good: after a broken frame no byte can be trusted).
  Result<std::optional<nlohmann::json>> next();

  // To be asked when the stream has ended: an error if that was in the middle of a frame.
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
