// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera::schedule {

// The iteration of the loops for which bounds are measured. Usually it is one in the middle, since
// boundary conditions make the regions of the first and the last iteration smaller. In the first
// and the last, accesses that move at different speeds are furthest apart: y and y / 8 at the last
// row. Where one of them moves along two dimensions, it is first in one and last in the other: y
// and (x + y) / 8 are furthest apart at the left of the last row. Of four dimensions, every other
// one goes together.
enum class Iteration : std::uint8_t { Middle, First, Last, FirstOfEven, FirstOfOdd };
inline constexpr std::size_t kIterations = 5;
inline constexpr std::array kCorners{Iteration::First, Iteration::Last, Iteration::FirstOfEven,
                                     Iteration::FirstOfOdd};

// Whether the iteration is the first one along a dimension.
constexpr bool isFirst(Iteration iteration, std::size_t dim) {
  return iteration == Iteration::First || (iteration == Iteration::FirstOfEven && dim % 2 == 0) ||
         (iteration == Iteration::FirstOfOdd && dim % 2 == 1);
}

} // namespace tessera::schedule
