// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::bench {

// The kernels that find a GPU's highest rates, as PTX for the driver's compiler: no toolkit is
// needed where they run, and the text is for every GPU since 2016. All have the same parameters:
//
//   (from, to, mask, steps)  addresses, and how often the loop runs. Block b moves the chunk
//                            (b + step * blocks) & mask of its memory in each step.
//
// Each result depends on everything that was loaded or computed and is stored if it has one value
// that nobody expects: no compiler can leave anything out.
inline constexpr int kCeilingThreads = 256;                          // of a block
inline constexpr std::int64_t kChunkBytes = std::int64_t{16} * 1024; // a block moves in a step

enum class CeilingKind : std::uint8_t { Dram, L2, L1, Shared, Arithmetic };

struct CeilingKernel {
  std::string name;  // the entry, and the name in results
  std::string label; // what it does, for a person
  CeilingKind kind = CeilingKind::Arithmetic;
  std::string unit;         // "bytes", "operations", "instructions"
  double perThreadStep = 0; // of these, in one step of one thread
};
const std::vector<CeilingKernel> &ceilingKernels();

std::string ceilingPtx(); // all of them, one module

} // namespace tessera::bench
