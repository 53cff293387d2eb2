// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace tessera::machine {

// The limits of a launch. Nearly all NVIDIA GPUs since 2012 have these values (CUDA C++ Programming
// Guide, table "Technical Specifications per Compute Capability"). Shared and local memory are
// limited further, as explained below.
struct Limits {
  std::int64_t threadsPerBlock = 1024;
  std::array<std::int64_t, 3> blockDims{1024, 1024, 64};
  std::array<std::int64_t, 3> gridDims{2147483647, 65535, 65535};
  // Newer GPUs allow more, but only if the program requests it, and Halide's runtime does not.
  std::int64_t sharedBytesPerBlock = 48 * 1024;
  // The hardware allows 512 KiB, but the driver reserves the memory for all threads that could be
  // resident: 16 KiB take 4.4 GB on an H200, and launches with more were refused.
  std::int64_t localBytesPerThread = 16 * 1024;
  std::int64_t registersPerThread = 255;
  std::int64_t registersPerBlock = 65536;
  std::int64_t warpSize = 32;
  // Whether vectors are split into pieces. Halide's CUDA code does so: it allows several vectorised
  // loops, of up to 256 elements together, and can guard each element by itself. Its OpenCL code
  // uses vector types of 2, 4, 8 and 16 elements, which cannot be guarded by element.
  bool vectorsTakenApart = true;

  friend bool operator==(const Limits &, const Limits &) = default;
};

// What one multiprocessor can hold, and its rates per clock. The defaults are the H200's.
struct Multiprocessor {
  std::int64_t threads = 2048, blocks = 32, registers = 65536;
  std::int64_t registerUnit = 256; // registers; a warp gets a multiple of this number
  std::int64_t partitions = 4;     // each has its own warps and an equal part of the registers
  std::int64_t sharedBytes = 228 * 1024;
  std::int64_t sharedReserved = 1024; // bytes that the driver reserves in each block
  std::int64_t sharedUnit = 128;
  std::int64_t cacheBytes = 256 * 1024; // first-level cache and shared memory together

  // Results of a multiprocessor per clock. A multiply-add counts as one result, and an instruction
  // on two packed halves as two.
  double fp32 = 128, fp64 = 64, fp16 = 256, int32 = 64, special = 16;
  double warpsIssued = 4; // warp instructions per clock
  double sharedBytesPerClock = 128, cacheBytesPerClock = 128;

  friend bool operator==(const Multiprocessor &, const Multiprocessor &) = default;
};

// The memory outside of the multiprocessors, and the latencies of all memories in clocks, from a
// load to the use of its value.
struct Memory {
  std::int64_t l2Bytes = 60 * 1024 * 1024;
  double l2BytesPerSecond = 9.2e12;
  double dramBytesPerSecond = 4.02e12;
  double sharedLatency = 29, cacheLatency = 39, l2Latency = 287, dramLatency = 600;

  friend bool operator==(const Memory &, const Memory &) = default;
};

enum class Api : std::uint8_t { Cuda, OpenCl };

// The description of a GPU.
struct Machine {
  std::string name = "generic"; // as in --machine
  std::string title;            // "NVIDIA H200"
  Api api = Api::Cuda;
  int major = 0, minor = 0; // compute capability; 0: none
  std::int64_t multiprocessors = 132;
  double clockHz = 1.98e9;
  double launchSeconds = 4.8e-6; // between the starts of two successive empty kernels
  Limits limits;
  Multiprocessor sm;
  Memory memory;
  std::map<std::string, std::string> sources; // by field name in the file: the source of its value

  friend bool operator==(const Machine &, const Machine &) = default;
};

} // namespace tessera::machine
