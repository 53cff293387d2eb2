// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::schedule {

// What a schedule can be refused for. Each stands for a compile error, a launch failure or a wrong
// result of Halide 21; tests/engine/schedule has a smallest example of every one.
enum class Rule : std::uint8_t {
  NestWhole,          // every part of every axis is one loop, or part of one fused axis
  FactorDivides,      // each factor of a chain divides the one before
  OutputAtRoot,       // outputs are kernels of their own
  InlineIsPure,       // only pure definitions are inlined
  PlaceExists,        // a place names a loop of a func that is computed later
  PlaceEncloses,      // all that read a func are inside of its compute place
  PlaceBetweenBlocks, // all block loops are outside of a place, or none
  VectorInnermost,    // no threads and no other func inside of a vectorised loop
  BoundedInKernel,    // what the algorithm bounds is whole there
  StoreApart,         // storage further out than computation
  HostLoopInKernel,
  BlocksInKernel, // a kernel starts no other
  ThreadsInThread,
  ThreadsWithoutBlocks,
  BlocksOutermost, // side by side, with nothing but host loops around them
  LanesInnermost,
  BlockDimensions,
  ThreadDimensions,
  ThreadsPerBlock,
  GridLimit,
  ConstantExtent, // unrolled, vectorised, and what is kept on the chip
  UnrollSize,
  VectorWidth,
  VectorTail,   // a vector is not cut by a guard
  StorageDepth, // shared memory belongs to a block, registers to a thread
  SharedMemory,
  SharedReuse,
  LocalMemory,
  FrameAlignment,
  ParallelReduction,
  AtomicType,
  AtomicProof,
  ReductionOrder,
  TailOverruns,
  RegisterCap,
};
inline constexpr int kRules = 35;
std::string_view name(Rule rule);

// Why a schedule is refused: which decision, in words, and what would be allowed instead.
struct Violation {
  Rule rule = Rule::NestWhole;
  DecisionKey decision;
  std::string message; // names the stage
  std::string allowed; // may be empty

  // What can be done, as the hint of an error.
  std::string hint() const { return allowed.empty() ? std::string() : "allowed: " + allowed; }

  friend bool operator==(const Violation &, const Violation &) = default;
};

// Empty: the schedule compiles, launches and gives the right result. Knows nothing of Halide and
// takes microseconds.
std::vector<Violation> check(const Schedule &schedule, const machine::Machine &machine);
bool isLegal(const Schedule &schedule, const machine::Machine &machine);
// Whether all that it names exists, so that it can be measured; the first thing that check() asks.
bool isSound(const Schedule &schedule);

} // namespace tessera::schedule
