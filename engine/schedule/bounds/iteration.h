// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::schedule {

// Of all iterations of a place, the one that a shape looks at: one in the middle, as boundary
// conditions make those at the ends smaller; or the first or the last, where what does not move
// alike is furthest apart.
enum class Iteration : std::uint8_t { Middle, First, Last };
inline constexpr std::size_t kIterations = 3;

} // namespace tessera::schedule
