// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera::cost {

// The memory that holds the values of a func while its kernel runs.
enum class MemorySpace : std::uint8_t {
  Global,
  Shared,
  Registers,
  Local, // an array of each thread: its index varies at run time, and registers have no index
  Apart, // such arrays for a func stored per block: each has all elements, its thread uses a part
};
std::string_view name(MemorySpace space); // "global", "shared", "registers", "local"

} // namespace tessera::cost
