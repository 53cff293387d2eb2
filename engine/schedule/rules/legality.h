// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::schedule {

// The reasons to refuse a schedule. Each stands for a compile error, a launch failure or a wrong
// result of Halide 21; tests/engine/schedule has a smallest example of each.
enum class Rule : std::uint8_t {
  NestWhole,          // every part of an axis is one loop, or fused into one axis
  FactorDivides,      // each factor of an axis divides the next outer one
  OutputAtRoot,       // outputs are kernels of their own
  ExternStage,        // an extern stage stays as it is, with all that it reads in memory
  InlineIsPure,       // only pure definitions are inlined, of which each value is read
  IndexBounds,        // no func is inlined whose values alone bound an index
  PlaceExists,        // a place names a loop of a func that is computed later
  PlaceEncloses,      // all readers of a func are inside of its compute place
  PlaceBetweenBlocks, // a place is not between two block loops, or two thread loops
  VectorInnermost,    // no threads and no other func inside of a vectorised loop
  BoundedInKernel,    // a func that the algorithm bounds is computed whole in a kernel
  OpaqueHolds,        // what an opaque directive names is there, and Halide heeds it
  StoreApart,         // a func is stored where it is computed
  RegionPromise,      // what is promised of a region is what is computed
  SharedLoops,        // stages that share loops are alike, and independent of each other
  HostLoopInKernel,
  BlocksInKernel, // a kernel starts no other kernel
  ThreadsInThread,
  ThreadsWithoutBlocks,
  BlocksOutermost, // block loops are directly inside each other, with only host loops around
  LanesInnermost,
  BlockDimensions,
  ThreadDimensions,
  ThreadsPerBlock,
  GridLimit,
  ConstantExtent, // unrolled and vectorised loops and storage per thread have constant sizes
  UnrollSize,
  VectorWidth,
  VectorTail,   // no guard cuts a vector, in OpenCL
  VectorHalves, // no float32 becomes a float16 just before it is stored as part of a vector
  VectorBytes,  // no vector computes with bytes that are read out of order
  StorageDepth, // the kind of memory exists at the place where a func is stored
  StorageBound, // a bounded storage holds all that is stored
  SharedMemory,
  SharedReuse,
  LocalMemory,
  FrameAlignment,
  ParallelReduction,
  AtomicType,
  AtomicProof,
  ReductionOrder,
  TailOverruns,
  HalfGuarded, // a guard of a tail is around loads and stores
  BlendRaces,  // a tail that blends has no concurrent loops along its dimension
  RegisterCap,
};
inline constexpr int kRules = 45;
std::string_view name(Rule rule);

// Why a schedule is refused: the decision, the reason in words, and what would be allowed instead.
struct Violation {
  Rule rule = Rule::NestWhole;
  DecisionKey decision;
  std::string message; // names the stage
  std::string allowed; // may be empty

  // The allowed alternative, as the hint of an error.
  std::string hint() const { return allowed.empty() ? std::string() : "allowed: " + allowed; }

  friend bool operator==(const Violation &, const Violation &) = default;
};

// If the result is empty, the schedule compiles, launches and computes the right values. The check
// does not use Halide and takes microseconds.
std::vector<Violation> checkWithin(const Schedule &schedule, const machine::Limits &limits);
std::vector<Violation> check(const Schedule &schedule, const machine::Machine &machine);
bool isLegal(const Schedule &schedule, const machine::Machine &machine);
// Whether a schedule can be measured: what it names exists, and nests are whole. check() tests this
// before it measures.
bool isSound(const Schedule &schedule);

} // namespace tessera::schedule
