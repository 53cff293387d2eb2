// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::halide {

// A product that ptxas computes wrongly, at -O2 and above and for any GPU. Every version tried,
// from CUDA 11.8 to 13.5, does this. If y * a and y * b in one basic block are both shifted by k
// before something is added, ptxas shifts y once for both instead. For a third product y * c,
// shifted by j, it then reuses y << k if 2^j = k, as if a multiplication by 2 were a shift by 2
// (likewise for 4, 8 and 16). Address computations contain such sums where rows have a
// multiple of four elements.
struct WrongProduct {
  std::string kernel;
  std::uint32_t line = 0;            // line of the third shift in the device code, from 1
  std::uint32_t meant = 0, made = 0; // correct shift amount, and that which ptxas uses
};

// All such products, in the order of the code.
std::vector<WrongProduct> wrongProducts(std::string_view ptx);

} // namespace tessera::halide
