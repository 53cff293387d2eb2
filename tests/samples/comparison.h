// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

namespace tessera::samples {

// Every value has to be within `tolerance` of the reference. For integers, a tolerance of 1 allows
// for different rounding. A value that is not a number never passes.
template <typename T>
::testing::AssertionResult isClose(const Image<T> &expected, const Image<T> &actual,
                                   double tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto a = static_cast<double>(expected.data()[i]);
    const auto b = static_cast<double>(actual.data()[i]);
    if (!(std::fabs(a - b) <= tolerance))
      return ::testing::AssertionFailure() << "value " << i << " is " << b << ", expected " << a;
  }
  return ::testing::AssertionSuccess();
}

// Returns whether all values are equal. A comparison of such pictures would prove nothing.
template <typename T>
bool isFlat(const Image<T> &image) {
  for (std::size_t i = 1; i < image.size(); ++i)
    if (image.data()[i] != image.data()[0]) return false;
  return true;
}

} // namespace tessera::samples
