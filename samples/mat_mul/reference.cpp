// SPDX-License-Identifier: MIT
#include "samples/mat_mul/reference.h"

namespace tessera::samples::mat_mul {

Image<float> reference(const Image<float> &a, const Image<float> &b) {
  Image<float> result(b.width(), a.height());
  for (int y = 0; y < result.height(); ++y)
    for (int k = 0; k < a.width(); ++k)
      for (int x = 0; x < result.width(); ++x)
        result.at(x, y) += a.at(k, y) * b.at(x, k);
  return result;
}

} // namespace tessera::samples::mat_mul
