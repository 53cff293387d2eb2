// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tessera::job {

// nlohmann's CBOR parser recurses once per nested value, and allocates up to eighty bytes for one
// byte of input. These two limits bound the stack and the heap.
inline constexpr std::size_t kMaxCborDepth = 64;
inline constexpr std::size_t kMaxCborItems = std::size_t{4} << 20;

// Walks the bytes without recursion and without allocation. They must be exactly one value of the
// part of CBOR that Tessera writes (definite lengths, text keys, no tags). Returns the reason if
// they are not, else "".
std::string whyNotCbor(std::span<const std::byte> bytes);

} // namespace tessera::job
