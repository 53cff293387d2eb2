// SPDX-License-Identifier: MIT
#pragma once

#include "samples/common/image.h"
#include "tests/samples/comparison.h"
#include "tests/samples/sample_pipeline.h"

// Skips the rest of a test where no OpenCL device can run GPU code.
#define TESSERA_NEEDS_OPENCL()                                                                     \
  if (!::tessera::samples::haveOpenCl())                                                           \
  GTEST_SKIP() << "no OpenCL device (Debian: pocl-opencl-icd)"

namespace tessera::samples {

// A Halide view of an image, which starts at (`left`, `top`) in the pipeline's coordinates.
template <typename T>
Halide::Buffer<T> view(Image<T> &image, int dimensions, int left = 0, int top = 0) {
  Halide::Buffer<T> buffer =
      dimensions == 2
          ? Halide::Buffer<T>(image.data(), image.width(), image.height())
          : Halide::Buffer<T>(image.data(), image.width(), image.height(), image.channels());
  buffer.translate(0, left);
  buffer.translate(1, top);
  return buffer;
}

} // namespace tessera::samples
