// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
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
  std::int64_t registersPerBlock = 65536;
  std::int64_t warpSize = 32;
  // Halide's code for CUDA takes vectors apart: several loops of them, of 2, 4 … 256, and any part
  // behind a guard. That for OpenCL has types of 2, 4, 8 and 16, and guards for none.
  bool vectorsTakenApart = true;

  friend bool operator==(const Limits &, const Limits &) = default;
};

// What one multiprocessor holds, and what it does in a clock. The defaults are those of the H200.
struct Multiprocessor {
  std::int64_t threads = 2048, blocks = 32, registers = 65536;
  std::int64_t registerUnit = 256; // that a warp is given registers in
  std::int64_t partitions = 4;     // each with its share of the registers, issuing for its warps
  std::int64_t sharedBytes = 228 * 1024;
  std::int64_t sharedReserved = 1024; // by the driver, of each block
  std::int64_t sharedUnit = 128;
  std::int64_t cacheBytes = 256 * 1024; // first level and shared memory together

  // Results a clock, of single operations.
  double fp32 = 128, fp64 = 64, fp16 = 256, int32 = 64, special = 16;
  double warpsIssued = 4; // instructions a clock
  double sharedBytesPerClock = 128, cacheBytesPerClock = 128;

  friend bool operator==(const Multiprocessor &, const Multiprocessor &) = default;
};

// Beyond the multiprocessors. Latencies in clocks, from a load to the use of what it loaded.
struct Memory {
  std::int64_t l2Bytes = 60 * 1024 * 1024;
  double l2BytesPerSecond = 6.4e12;
  double dramBytesPerSecond = 4.02e12;
  double sharedLatency = 29, cacheLatency = 39, l2Latency = 287, dramLatency = 600;

  friend bool operator==(const Memory &, const Memory &) = default;
};

enum class Api : std::uint8_t { Cuda, OpenCl };

// A GPU as a value.
struct Machine {
  std::string name = "generic"; // the word for it, as in --machine
  std::string title;            // "NVIDIA H200"
  Api api = Api::Cuda;
  int major = 0, minor = 0; // compute capability; 0: none
  std::int64_t multiprocessors = 132;
  double clockHz = 1.98e9;
  double launchSeconds = 4.8e-6; // between the starts of two empty kernels
  Limits limits;
  Multiprocessor sm;
  Memory memory;
  std::map<std::string, std::string> sources; // by field, as in the file: where its value is from

  friend bool operator==(const Machine &, const Machine &) = default;
};

} // namespace tessera::machine
