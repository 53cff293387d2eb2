// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::bench {

// The kernels that find a GPU's highest rates, as PTX for the driver's compiler. They need no
// toolkit and run on every GPU since 2016. All have the same parameters:
//
//   (from, to, mask, steps)  two addresses, a mask, and the number of loop iterations. In each
//                            step, block b moves the chunk (b + step * blocks) & mask.
//
// The result depends on everything that was loaded or computed, and is stored if it has one
// unlikely value. So a compiler cannot remove any of the work.
inline constexpr int kCeilingThreads = 256;                          // threads per block
inline constexpr std::int64_t kChunkBytes = std::int64_t{16} * 1024; // per block and step

enum class CeilingKind : std::uint8_t { Dram, L2, L1, Shared, Arithmetic };

struct CeilingKernel {
  std::string name;  // entry point, also the name in results
  std::string label; // what it does, for the user
  CeilingKind kind = CeilingKind::Arithmetic;
  std::string unit;         // "bytes", "operations", "instructions"
  double perThreadStep = 0; // amount in `unit` per thread and step
};
const std::vector<CeilingKernel> &ceilingKernels();

std::string ceilingPtx(); // all kernels in one module

} // namespace tessera::bench
