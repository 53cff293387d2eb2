// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::schedule {

// The iteration of a place that is measured. Usually it is one in the middle, since boundary
// conditions make the ones at the ends smaller. In the first and the last iteration, accesses that
// do not move alike are furthest apart.
enum class Iteration : std::uint8_t { Middle, First, Last };
inline constexpr std::size_t kIterations = 3;

} // namespace tessera::schedule
