// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tessera::job {

// nlohmann's CBOR parser recurses once per nested value and builds up to eighty bytes for one byte
// of input; these two bounds keep stack and heap in our hands.
inline constexpr std::size_t kMaxCborDepth = 64;
inline constexpr std::size_t kMaxCborItems = std::size_t{4} << 20;

// Walks the bytes without recursion and without allocating. Returns why they are not exactly one
// value of the part of CBOR that we write (definite lengths, text keys, no tags), or nothing.
std::string whyNotCbor(std::span<const std::byte> bytes);

} // namespace tessera::job
