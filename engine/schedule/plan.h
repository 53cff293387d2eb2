// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"
#include "engine/schedule/loop_nest.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::schedule {

// Where a func is computed, stored or allocated: in its consumers' expressions, as a kernel (or
// allocation) of its own, or in each iteration of a loop of another func's stage.
struct Place {
  enum class Kind : std::uint8_t { Inline, Root, At };
  Kind kind = Kind::Root;
  pipeline::StageId stage{}; // for At, as the next
  LoopRef loop;

  static Place inlined() { return {Kind::Inline, {}, {}}; }
  static Place root() { return {}; }
  static Place at(pipeline::StageId stage, LoopRef loop) { return {Kind::At, stage, loop}; }
  friend bool operator==(const Place &, const Place &) = default;
};

// One dimension of a func's storage; 0 where nothing is decided.
struct StorageDim {
  std::int64_t alignment = 0; // extent rounded up to a multiple
  std::int64_t bound = 0;     // extent at most
  std::int64_t fold = 0;      // a circular buffer of so many

  friend bool operator==(const StorageDim &, const StorageDim &) = default;
};

// What is promised of the region that is computed of a func, in one dimension.
struct RegionBound {
  std::optional<std::int64_t> min, extent;
  std::int64_t modulus = 0, remainder = 0; // of the minimum; modulus 0: nothing

  friend bool operator==(const RegionBound &, const RegionBound &) = default;
};

// Reductions whose steps may run in any order and at once.
enum class Atomic : std::uint8_t {
  No,
  Proven,  // Halide has to recognise the operator as associative
  Trusted, // whoever decided vouches for it
};

// Two stages in one loop nest, down to `loop` of the other.
struct SharedLoop {
  pipeline::StageId stage{};
  LoopRef loop;

  friend bool operator==(const SharedLoop &, const SharedLoop &) = default;
};

struct StagePlan {
  LoopNest nest;
  Atomic atomic = Atomic::No;
  bool allowRaces = false;
  bool neverPartition = false; // steady tiles are computed by the same code as those at the end
  std::optional<SharedLoop> computeWith;

  friend bool operator==(const StagePlan &, const StagePlan &) = default;
};

// Every decision about one func and its stages.
struct FuncPlan {
  Place compute;
  std::optional<Place> store; // none: where it is computed
  std::optional<Place> hoist; // none: where it is stored
  Storage storage = Storage::Auto;
  std::vector<std::uint16_t> layout;   // its dimensions, innermost first; empty: as declared
  std::vector<StorageDim> storageDims; // by dimension; empty: nothing decided
  std::vector<RegionBound> bounds;     // by dimension; empty: nothing promised
  std::vector<StagePlan> stages;       // the pure definition, then the updates

  bool isInline() const { return compute.kind == Place::Kind::Inline; }
  bool isRoot() const { return compute.kind == Place::Kind::Root; }
  const Place &storePlace() const { return store ? *store : compute; }
  friend bool operator==(const FuncPlan &, const FuncPlan &) = default;
};

} // namespace tessera::schedule
