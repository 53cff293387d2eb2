// SPDX-License-Identifier: MIT
#include "tests/campaigns/frames/frame_damage.h"

#include "engine/job/frame.h"
#include "tests/engine/job/random_json.h"

#include <zlib.h>

#include <algorithm>

namespace tessera::test {
namespace {

using Bytes = std::vector<std::byte>;

std::size_t below(std::mt19937_64 &random, std::size_t bound) { return random() % bound; }

std::byte randomByte(std::mt19937_64 &random) { return static_cast<std::byte>(random()); }

Bytes randomBytes(std::mt19937_64 &random, std::size_t count) {
  Bytes bytes(count);
  for (std::byte &byte : bytes)
    byte = randomByte(random);
  return bytes;
}

void flipBits(Bytes &bytes, std::mt19937_64 &random) {
  for (std::size_t i = 1 + below(random, 8); i > 0; --i)
    bytes[below(random, bytes.size())] ^= static_cast<std::byte>(1 << below(random, 8));
}

void truncate(Bytes &bytes, std::mt19937_64 &random) { bytes.resize(below(random, bytes.size())); }

// Moves, repeats or removes a piece of the bytes, or inserts noise.
void splice(Bytes &bytes, std::mt19937_64 &random) {
  const std::size_t from = below(random, bytes.size());
  const std::size_t length = 1 + below(random, std::min<std::size_t>(bytes.size() - from, 40));
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(from);
  const Bytes piece(begin, begin + static_cast<std::ptrdiff_t>(length));
  const std::size_t kind = below(random, 4);
  if (kind < 2) bytes.erase(begin, begin + static_cast<std::ptrdiff_t>(length));
  if (kind == 0) return;
  const Bytes added = kind == 3 ? randomBytes(random, length) : piece;
  const std::size_t to = below(random, bytes.size() + 1);
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(to), added.begin(), added.end());
}

// Changes the four bytes of the length: by a small step, to a power of two, or to any value.
void editLength(Bytes &frame, std::mt19937_64 &random) {
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < 4; ++i)
    length |= std::to_integer<std::uint32_t>(frame[8 + i]) << 8 * i;
  switch (below(random, 3)) {
  case 0:
    length += static_cast<std::uint32_t>(below(random, 9)) - 4;
    break;
  case 1:
    length = 1u << below(random, 32);
    break;
  default:
    length = static_cast<std::uint32_t>(random());
  }
  for (std::size_t i = 0; i < 4; ++i)
    frame[8 + i] = static_cast<std::byte>(length >> 8 * i);
}

// Computes the header check as frame.h describes it, so that an edited length passes it.
void sealHeader(Bytes &frame) {
  const auto *bytes = reinterpret_cast<const Bytef *>(frame.data());
  const auto crc = static_cast<std::uint32_t>(crc32_z(crc32_z(0, bytes, 6), bytes + 8, 8));
  const std::uint32_t folded = crc ^ crc >> 16;
  frame[6] = static_cast<std::byte>(folded);
  frame[7] = static_cast<std::byte>(folded >> 8);
}

Bytes payloadOf(const Bytes &frame) {
  return {frame.begin() + static_cast<std::ptrdiff_t>(job::kFrameHeaderBytes), frame.end()};
}

} // namespace

DamagedStream damagedStream(std::mt19937_64 &random) {
  DamagedStream stream;
  std::vector<Bytes> frames;
  for (std::size_t i = 1 + below(random, 3); i > 0; --i) {
    stream.messages.push_back(randomJson(random, 4));
    frames.push_back(*job::encodeFrame(stream.messages.back()));
  }
  Bytes &victim = frames[below(random, frames.size())];
  const Bytes before = victim;
  const std::size_t kind = below(random, 6);
  while (victim == before) {
    switch (kind) {
    case 0:
      flipBits(victim, random);
      break;
    case 1:
      truncate(victim, random);
      break;
    case 2:
      splice(victim, random);
      break;
    case 3:
      editLength(victim, random);
      if (below(random, 2) == 0 && victim != before) sealHeader(victim);
      break;
    default: { // damages what the checksums protect
      stream.resealed = true;
      Bytes payload = payloadOf(before);
      if (kind == 4)
        flipBits(payload, random);
      else if (below(random, 2) == 0)
        splice(payload, random);
      else
        payload = randomBytes(random, below(random, 64));
      victim = job::frameAround(payload);
    }
    }
  }
  for (const Bytes &frame : frames)
    stream.bytes.insert(stream.bytes.end(), frame.begin(), frame.end());
  return stream;
}

} // namespace tessera::test
