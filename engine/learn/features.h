// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/expression.h"
#include "engine/pipeline/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::learn {

// The features of Anderson et al. 2021, of one stage. PAPER.md says how each is found, and where it
// differs from what Halide's plugin finds.

// Goes up when a feature is found in another way, since weights and data hold for one way alone.
inline constexpr int kFeaturesVersion = 2;

// What is counted of an algorithm, for each class of types: 24 kinds of expressions, then four
// classes of accesses, each for four kinds of accesses. The order is that of the plugin, whose
// weights depend on it.
using ExpressionKind = pipeline::NodeKind;
inline constexpr std::size_t kExpressionKinds = pipeline::kNodeKinds;

// How an index moves with the loops of the stage. An access may be in several classes:
//
//   f(x-2, y+8)   pointwise, and all others, since the matrix of derivatives is the identity
//   f(y+1, x)     transpose, broadcast and slice: a permutation
//   f(y)          broadcast, where each loop moves one index or none
//   f(x, y, 4)    slice, where each index is moved by one loop or none
enum class AccessClass : std::uint8_t { Pointwise, Transpose, Broadcast, Slice };
enum class AccessKind : std::uint8_t { LoadFunc, LoadSelf, LoadInput, Store };
inline constexpr std::size_t kAccessClasses = 4, kAccessKinds = 4;

// Signed and unsigned integers are one class. 16-bit floats are counted as 32-bit ones.
enum class TypeClass : std::uint8_t { Bool, Int8, Int16, Int32, Int64, Float, Double };
inline constexpr std::size_t kTypeClasses = 7;

TypeClass typeClassOf(pipeline::ScalarType type);

inline constexpr std::size_t kAlgorithmRows = kExpressionKinds + kAccessClasses * kAccessKinds;
inline constexpr std::size_t kAlgorithmFeatures = kAlgorithmRows * kTypeClasses; // 280

struct AlgorithmFeatures {
  std::array<float, kAlgorithmFeatures> values{}; // [row][type class]

  float &at(ExpressionKind kind, TypeClass type) { return values[place(row(kind), type)]; }
  float &at(AccessClass access, AccessKind kind, TypeClass type) {
    return values[place(row(access, kind), type)];
  }
  float at(ExpressionKind kind, TypeClass type) const { return values[place(row(kind), type)]; }
  float at(AccessClass access, AccessKind kind, TypeClass type) const {
    return values[place(row(access, kind), type)];
  }

  friend bool operator==(const AlgorithmFeatures &, const AlgorithmFeatures &) = default;

private:
  static std::size_t row(ExpressionKind kind) { return static_cast<std::size_t>(kind); }
  static std::size_t row(AccessClass access, AccessKind kind) {
    return kExpressionKinds + static_cast<std::size_t>(access) * kAccessKinds +
           static_cast<std::size_t>(kind);
  }
  static std::size_t place(std::size_t row, TypeClass type) {
    return row * kTypeClasses + static_cast<std::size_t>(type);
  }
};
std::string algorithmFeatureName(std::size_t feature); // "add of float", "pointwise store of int32"

// The 73 features of a stage in a schedule, in the order of the plugin.
enum class ScheduleFeature : std::uint8_t {
  Realizations, // how often the func is allocated
  Productions,  // how often a tile of it is computed
  PointsPerRealization,
  PointsPerProduction,
  PointsPerThread,
  PointsTotal,
  PointsMinimum, // points that the outputs need
  InnermostExtent,
  InnermostPureExtent,
  UnrolledExtent,
  InnerParallelism, // parallel tasks of the stage; 1 unless it has a kernel of its own
  OuterParallelism, // parallel tasks around the stage
  BytesAtRealization,
  BytesAtProduction,
  BytesAtRoot,
  InnermostBytesAtRealization, // along the innermost dimension of the storage
  InnermostBytesAtProduction,
  InnermostBytesAtRoot,
  InlinedCalls,              // 0: the stage is not inlined
  GlobalBytesPerRealization, // different bytes that the stage reads …
  SharedBytesPerRealization,
  RegisterBytesPerRealization,
  GlobalLinesPerRealization, // … and the pieces of memory in which they lie
  SharedLinesPerRealization,
  RegisterLinesPerRealization,
  GlobalBytesPerThread,
  SharedBytesPerThread,
  RegisterBytesPerThread,
  GlobalLinesPerThread,
  SharedLinesPerThread,
  RegisterLinesPerThread,
  GlobalAllocationRead, // bytes of all arrays that it reads from
  SharedAllocationRead,
  RegisterAllocationRead,
  WorkingSet,
  Scalars,           // points computed, outside of whole vectors
  GlobalBytesAtTask, // bytes written by a block
  SharedBytesAtTask,
  RegisterBytesAtTask,
  GlobalInnermostBytesAtTask,
  SharedInnermostBytesAtTask,
  RegisterInnermostBytesAtTask,
  BytesPerPoint,
  LinesPerPoint,
  BytesPerTask,
  LinesPerTask,
  WorkingSetAtTask,
  WorkingSetAtProduction,
  WorkingSetAtRealization,
  WorkingSetAtRoot,
  Blocks,
  WarpsPerBlock,
  BlockOccupancy,
  WarpLaneUtilization,
  ActiveWarpsPerBlock,
  WarpLaneUtilizationY,
  WarpLaneUtilizationZ,
  IdleLaneWastage,
  SharedLoadsPerBlock, // transactions, with bank conflicts
  GlobalLoadsPerBlock, // transactions, with what is not coalesced
  SharedStoresPerBlock,
  GlobalStoresPerBlock,
  SharedStoreEfficiency,
  SharedLoadEfficiency,
  GlobalStoreEfficiency,
  GlobalLoadEfficiency,
  WorkingSetAtThread,
  SharedOccupancy,
  SharedBlockLimit,
  WarpOccupancy,
  BlockLimitOccupancy,
  ThreadsPerBlock,
  Branching, // Strahler number of the expression
};
inline constexpr std::size_t kScheduleFeatures = 73;
std::string_view name(ScheduleFeature feature); // the paper's, such as "num_realizations"

struct ScheduleFeatures {
  std::array<double, kScheduleFeatures> values{};

  double &operator[](ScheduleFeature feature) { return values[static_cast<std::size_t>(feature)]; }
  double operator[](ScheduleFeature feature) const {
    return values[static_cast<std::size_t>(feature)];
  }
  friend bool operator==(const ScheduleFeatures &, const ScheduleFeatures &) = default;
};

} // namespace tessera::learn
