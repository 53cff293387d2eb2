// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::schedule {

// The iteration of a loop for which bounds are measured. Usually it is one in the middle, since
// boundary conditions make the regions of the first and the last iteration smaller. In those two,
// accesses that move at different speeds are furthest apart.
enum class Iteration : std::uint8_t { Middle, First, Last };
inline constexpr std::size_t kIterations = 3;

} // namespace tessera::schedule
