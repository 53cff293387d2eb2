// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace tessera::machine {

// What a launch may not exceed. The values of every NVIDIA GPU since 2012 (CUDA C++ Programming
// Guide, table "Technical Specifications per Compute Capability"), but for shared memory.
struct Limits {
  std::int64_t threadsPerBlock = 1024;
  std::array<std::int64_t, 3> blockDims{1024, 1024, 64};
  std::array<std::int64_t, 3> gridDims{2147483647, 65535, 65535};
  // Newer GPUs have more, but a program has to ask for it, and Halide's runtime does not.
  std::int64_t sharedBytesPerBlock = 48 * 1024;
  // A thread may have 512 KiB, but the driver sets that aside for all threads that could be
  // resident: 16 KiB are 4.4 GB on an H200, and more was refused at the launch.
  std::int64_t localBytesPerThread = 16 * 1024;
  std::int64_t registersPerThread = 255;
  std::int64_t warpSize = 32;
  // Halide's code for CUDA takes vectors apart: several loops of them, of 2, 4 … 256, and any part
  // behind a guard. That for OpenCL has types of 2, 4, 8 and 16, and guards for none.
  bool vectorsTakenApart = true;

  friend bool operator==(const Limits &, const Limits &) = default;
};

// A GPU as a value.
struct Machine {
  std::string name = "generic";
  Limits limits;

  friend bool operator==(const Machine &, const Machine &) = default;
};

} // namespace tessera::machine
