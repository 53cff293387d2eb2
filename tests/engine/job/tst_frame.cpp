// SPDX-License-Identifier: MIT
#include "engine/job/frame.h"

#include "tests/engine/job/random_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstring>
#include <random>

namespace tessera::job {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using Bytes = std::vector<std::byte>;

Bytes encoded(const json &message) { return *encodeFrame(message); }

Bytes payload(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values)
    bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

// Returns the error of a reader that gets these bytes at once, or "" if it accepts them.
std::string refusal(const Bytes &bytes, std::size_t maxPayload = kMaxPayloadBytes) {
  FrameReader reader(maxPayload);
  reader.append(bytes);
  while (true) {
    const auto next = reader.next();
    if (!next) return next.error().message;
    if (!*next) return {};
  }
}

Bytes patched(Bytes frame, std::size_t at, std::uint8_t value) {
  frame[at] = std::byte{value};
  return frame;
}

TEST(Frame, LooksAsDocumented) {
  const Bytes frame = encoded(json{{"a", 1}});
  EXPECT_EQ(std::memcmp(frame.data(), "TSRA\x01\0", 6), 0);
  EXPECT_EQ(frame[8], std::byte{4}); // length, low byte first
  EXPECT_EQ(frame.size(), kFrameHeaderBytes + 4);
  // The bytes and checksums must not change, because a worker on another machine may be of an
  // older or newer version.
  EXPECT_EQ(frame, payload({'T', 'S', 'R',  'A',  1,    0,    0x25, 0x52, 4,    0,
                            0,   0,   0x1b, 0x6a, 0x67, 0x96, 0xa1, 0x61, 0x61, 1}));
}

TEST(Frame, ArrivesWholeInAnyPieces) {
  EXPECT_TRUE(rc::check("messages equal after random cuts", [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<json> sent;
    Bytes stream;
    for (std::uint64_t i = 1 + random() % 4; i > 0; --i) {
      sent.push_back(test::randomJson(random, 4));
      const Bytes frame = encoded(sent.back());
      stream.insert(stream.end(), frame.begin(), frame.end());
    }
    FrameReader reader;
    std::vector<json> received;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t take = std::min<std::size_t>(1 + random() % 40, stream.size() - at);
      reader.append(std::span(stream).subspan(at, take));
      at += take;
      while (true) {
        auto next = reader.next();
        RC_ASSERT(next.ok());
        if (!*next) break;
        received.push_back(std::move(**next));
      }
    }
    RC_ASSERT(received == sent);
    RC_ASSERT(reader.finish().ok());
  }));
}

TEST(Frame, NeedsEveryByte) {
  const Bytes frame = encoded(json{{"key", "value"}});
  FrameReader reader;
  for (std::size_t i = 0; i + 1 < frame.size(); ++i) {
    reader.append(std::span(frame).subspan(i, 1));
    const auto next = reader.next();
    ASSERT_TRUE(next);
    EXPECT_FALSE(*next);
  }
  reader.append(std::span(frame).last(1));
  EXPECT_EQ(**reader.next(), (json{{"key", "value"}}));
}

TEST(Frame, RefusesEachDamageByName) {
  const Bytes good = encoded(json{{"key", "value"}});
  EXPECT_EQ(refusal(good), "");
  EXPECT_THAT(refusal(patched(good, 0, 'X')), HasSubstr("magic word TSRA"));
  EXPECT_THAT(refusal(patched(good, 4, 7)), HasSubstr("its version is 7, but this program uses 1"));
  EXPECT_THAT(refusal(patched(good, 6, 0xee)), HasSubstr("checksum of its header"));
  // Byte 9 is a part of the payload's length.
  EXPECT_THAT(refusal(patched(good, 9, 1)), HasSubstr("checksum of its header"));
  EXPECT_THAT(refusal(patched(good, 20, 0xee)), HasSubstr("checksum of its payload"));
  EXPECT_THAT(refusal(good, 4), HasSubstr("11 bytes is over the limit of 4"));
  EXPECT_THAT(refusal(frameAround({})), HasSubstr("ends in the middle"));
  EXPECT_THAT(refusal(frameAround(payload({0xff}))), HasSubstr("not CBOR"));
  EXPECT_THAT(refusal(frameAround(payload({0x00, 0x00}))), HasSubstr("1 trailing bytes"));
}

TEST(Frame, RefusesTheFirstWrongByte) {
  EXPECT_THAT(refusal(payload({'H'})), HasSubstr("magic word TSRA"));
  EXPECT_THAT(refusal(payload({'T', 'S', 'R', 'B'})), HasSubstr("magic word TSRA"));
}

TEST(Frame, SaysWhenAStreamEndsInTheMiddle) {
  const Bytes frame = encoded(json{{"key", "value"}});
  for (std::size_t length = 1; length < frame.size(); ++length) {
    FrameReader reader;
    reader.append(std::span(frame).first(length));
    ASSERT_TRUE(reader.next());
    const Status end = reader.finish();
    ASSERT_FALSE(end);
    EXPECT_THAT(end.error().message,
                HasSubstr("the stream ends after " + std::to_string(length) + " bytes of it"));
  }
}

TEST(Frame, StaysBroken) {
  const Bytes good = encoded(json{{"key", "value"}});
  FrameReader reader;
  reader.append(patched(good, 20, 0xee));
  const auto first = reader.next();
  ASSERT_FALSE(first);
  reader.append(good);
  const auto second = reader.next();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(), first.error());
  EXPECT_FALSE(reader.finish());
  EXPECT_EQ(reader.bufferedBytes(), 0u) << "a broken reader must not collect";
}

TEST(Frame, DoesNotRecurseForDepth) {
  // These are 8 Mi nested arrays. A recursive reader would need a stack frame for each.
  Bytes deep(std::size_t{8} << 20, std::byte{0x81});
  deep.push_back(std::byte{0});
  EXPECT_THAT(refusal(frameAround(deep)), HasSubstr("nested deeper"));
  Bytes strings(std::size_t{8} << 20, std::byte{0x7f}); // indefinite strings recurse as well
  EXPECT_THAT(refusal(frameAround(strings)), HasSubstr("indefinite length"));
}

TEST(Frame, AllocatesNothingForALie) {
  // The header promises 8 MiB, but only 10 bytes follow. The reader holds only what has arrived.
  Bytes frame = frameAround(Bytes(std::size_t{8} << 20));
  FrameReader reader;
  reader.append(std::span(frame).first(kFrameHeaderBytes + 10));
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.bufferedBytes(), kFrameHeaderBytes + 10);
}

TEST(Frame, DoesNotSendWhatNobodyReads) {
  json deep = 1;
  for (int i = 0; i < 65; ++i)
    deep = json::array({std::move(deep)});
  const auto refused = encodeFrame(deep);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("nested deeper"));

  const auto large = encodeFrame(json::binary(std::vector<std::uint8_t>(kMaxPayloadBytes)));
  ASSERT_FALSE(large);
  EXPECT_THAT(large.error().message, HasSubstr("longer than the 256 MiB"));
}

} // namespace
} // namespace tessera::job
