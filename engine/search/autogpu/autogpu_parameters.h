// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/parameters.h"

#include <cstdint>

namespace tessera::search {

// Where the paper is silent or vague, its authors' public code decides otherwise than our reading
// of the paper. PAPER.md has both.
enum class AutoGpuReading : std::uint8_t { Paper, Artifact };
// What runs inside of a loop whose iterations are compared for reuse: the whole of the inner loops,
// or one iteration of each, as in Halide's scheduler, which the paper refers to.
enum class AutoGpuOverlap : std::uint8_t { Inner, Paper };
// The order of loops inside of threads: as in the definition, or the smallest stride innermost.
enum class AutoGpuLoopOrder : std::uint8_t { Declared, Stride };
// The costs by which funcs are inlined: those of tiled groups, or of single points without threads,
// as in Halide's scheduler.
enum class AutoGpuInlining : std::uint8_t { Tiled, Untiled };
// When a func counts as read point by point by one other func: as the algorithm has it, or also
// through what is inlined, as in Halide's scheduler, which looks again after each inlining.
enum class AutoGpuTrivial : std::uint8_t { Once, Repeated };
// Whether a store costs as much as a load, as in Halide's scheduler. The paper only has loads.
enum class AutoGpuStores : std::uint8_t { Ignored, Counted };
// Whether also short dimensions are tiled, which the paper leaves whole, if no other tiling is
// valid.
enum class AutoGpuWide : std::uint8_t { Allowed, Never };

// Values that the paper leaves to the machine, does not give, or gives otherwise than its authors'
// code has them.
struct AutoGpuParameters {
  // The number of computations that one transaction with global memory costs. The paper only says
  // that there is such a factor; 40 is Halide's default for the same factor (Mullapudi2019,
  // `balance`).
  double balance = 40;
  double transactionBytes = 128;  // largest transaction, section 4.2
  double occupancyThreshold = .1; // section 4.2, "usually"
  // Registers per thread, below the paper's bound. With the bound itself, a multiprocessor would
  // always hold a single block; with 64, the example of section 3 gets the occupancy of 100 % that
  // the paper states. The authors' code has min(64, 255, registers / threads) too.
  std::int64_t registers = 64;

  AutoGpuReading loads = AutoGpuReading::Paper; // line 4 and line 6 of listing 1
  // Only for loads as in the artifact: the largest cost of a byte of shared and of global memory.
  double sharedCost = 1, l2Cost = 200;
  AutoGpuReading coalescing = AutoGpuReading::Paper; // line 4
  AutoGpuReading severe = AutoGpuReading::Paper;     // section 4.3
  AutoGpuReading activeSms = AutoGpuReading::Paper;  // line 33
  double smallGroupOccupancy = 0; // a higher threshold for groups of one or two members
  std::int64_t leastThreads = 1;  // of each stage of a group
  AutoGpuReading tiledDims = AutoGpuReading::Paper; // section 4.2
  AutoGpuReading tileCeiling = AutoGpuReading::Paper;
  AutoGpuOverlap overlap = AutoGpuOverlap::Inner; // listing 2
  std::int64_t longestUnrolled = 16;              // iterations
  AutoGpuLoopOrder loopOrder = AutoGpuLoopOrder::Declared;
  AutoGpuInlining inlining = AutoGpuInlining::Tiled;
  AutoGpuTrivial trivial = AutoGpuTrivial::Once;
  AutoGpuStores stores = AutoGpuStores::Ignored;
  AutoGpuWide wide = AutoGpuWide::Allowed;
  // Registers that ptxas may give a thread of the schedule. Not part of any cost.
  std::int64_t registerCap = 255;

  friend bool operator==(const AutoGpuParameters &, const AutoGpuParameters &) = default;
};

// The parameters that the user of AutoGPU's variants may change.
const ParameterTable &autoGpuTable();

AutoGpuParameters autoGpuParameters(const ParameterValues &values);

} // namespace tessera::search
