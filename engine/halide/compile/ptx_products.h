// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::halide {

// A product of which ptxas makes another number, as all from CUDA 11.8 to 13.5 do that we tried,
// whatever the GPU, from -O2 on. Where y * a and y * b are both shifted by k before something is
// added, in one block of instructions, ptxas shifts y instead, once for both. Of a third, y * c
// shifted by j, it then takes the same y << k, if 2^j is k: y times 2 and y shifted by 2 are one to
// it, and so are 4 and 4, 8 and 8. Addresses are such sums where rows have a multiple of four
// elements.
struct WrongProduct {
  std::string kernel;
  std::uint32_t line = 0;            // of the third shift in the device code, from 1
  std::uint32_t meant = 0, made = 0; // what it is shifted by
};

// In order.
std::vector<WrongProduct> wrongProducts(std::string_view ptx);

} // namespace tessera::halide
