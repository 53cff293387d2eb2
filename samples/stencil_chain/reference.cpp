// SPDX-License-Identifier: MIT
#include "samples/stencil_chain/reference.h"

namespace tessera::samples::stencil_chain {

Image<std::uint16_t> reference(const Image<std::uint16_t> &input, int stencils) {
  constexpr int kWeights[] = {1, 4, 6, 4, 1};
  // Only the input repeats its edge, and each stencil reads two pixels beyond its result on each
  // side. So the input gets a margin of two pixels for every stencil.
  const int margin = 2 * stencils;
  Image<std::uint16_t> last(input.width() + 2 * margin, input.height() + 2 * margin);
  for (int y = 0; y < last.height(); ++y)
    for (int x = 0; x < last.width(); ++x)
      last.at(x, y) = input.clamped(x - margin, y - margin);
  for (int i = 0; i < stencils; ++i) {
    Image<std::uint16_t> next(last.width() - 4, last.height() - 4);
    for (int y = 0; y < next.height(); ++y)
      for (int x = 0; x < next.width(); ++x) {
        std::uint32_t sum = 128;
        for (int v = 0; v < 5; ++v)
          for (int u = 0; u < 5; ++u)
            sum += static_cast<std::uint32_t>(kWeights[u] * kWeights[v]) * last.at(x + u, y + v);
        next.at(x, y) = static_cast<std::uint16_t>(sum / 256);
      }
    last = next;
  }
  return last;
}

} // namespace tessera::samples::stencil_chain
