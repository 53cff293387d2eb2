// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/loop_nest.h"
#include "engine/pipeline/types.h"
#include "engine/schedule/words/directive.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::schedule {

// Where a func is computed, stored or allocated: in its consumers' expressions, as a kernel (or
// allocation) of its own, or in each iteration of a loop of another func's stage.
struct Place {
  enum class Kind : std::uint8_t { Inline, Root, At };
  Kind kind = Kind::Root;
  pipeline::StageId stage{}; // `stage` and `loop` are only used with Kind::At
  LoopRef loop;

  static Place inlined() { return {Kind::Inline, {}, {}}; }
  static Place root() { return {}; }
  static Place at(pipeline::StageId stage, LoopRef loop) { return {Kind::At, stage, loop}; }
  friend bool operator==(const Place &, const Place &) = default;
};

// One dimension of a func's storage; 0 where nothing is decided.
struct StorageDim {
  std::int64_t alignment = 0; // the extent is rounded up to a multiple of this
  std::int64_t bound = 0;     // largest extent that is stored
  std::int64_t fold = 0;      // length of a circular buffer

  friend bool operator==(const StorageDim &, const StorageDim &) = default;
};

// Promises about the region that is computed of a func, in one dimension.
struct RegionBound {
  std::optional<std::int64_t> min, extent;
  // The extent is a multiple of `modulus`, and the minimum is `remainder` more than a multiple.
  // Modulus 0: no promise.
  std::int64_t modulus = 0, remainder = 0;

  friend bool operator==(const RegionBound &, const RegionBound &) = default;
};

// Whether the iterations of a reduction may run concurrently and in any order, as atomic updates.
enum class Atomic : std::uint8_t {
  No,
  Proven,  // Halide has to recognise the operator as associative
  Trusted, // not proven: whoever set it guarantees it
};

// Halide's compute_with: the other stage, and its innermost loop that both stages share.
struct SharedLoop {
  pipeline::StageId stage{};
  LoopRef loop;

  friend bool operator==(const SharedLoop &, const SharedLoop &) = default;
};

// A call that Halide takes and no other decision can say: a bound that is an expression of sizes,
// a variant for a special case, or a call such as async(). It is kept as its author wrote it, and
// only Halide knows what it does.
struct OpaqueDirective {
  Verb verb = Verb::Bound;
  std::vector<Argument> arguments;
  // For specialize(): whether the variant has loops of its own, which `calls` make from those of
  // the definition; else it has the loops of what it is a variant of.
  bool hasOwnLoops = false;
  std::vector<OpaqueDirective> calls;
  // Loops of the stage that it names, and loops of a variant that have their names since funcs are
  // computed in both, by the name that LoopNames gives them. Others are named by the author.
  std::vector<std::pair<std::string, LoopRef>> shared;

  friend bool operator==(const OpaqueDirective &, const OpaqueDirective &) = default;
};

struct StagePlan {
  LoopNest nest;
  Atomic atomic = Atomic::No;
  bool allowRaces = false;
  bool neverPartition = false; // true: inner tiles run the same code as tiles at the boundary
  std::optional<SharedLoop> computeWith;
  std::vector<OpaqueDirective> opaque; // in the order in which Halide gets them

  friend bool operator==(const StagePlan &, const StagePlan &) = default;
};

// Every decision about one func and its stages.
struct FuncPlan {
  Place compute;
  std::optional<Place> store; // none: stored where it is computed
  std::optional<Place> hoist; // none: allocated where it is stored
  Storage storage = Storage::Auto;
  std::vector<std::uint16_t> layout;   // dimensions, innermost first; empty: as declared
  std::vector<StorageDim> storageDims; // by dimension; empty: nothing decided
  std::vector<RegionBound> bounds;     // by dimension; empty: nothing promised
  std::vector<StagePlan> stages;       // the pure definition, then the updates

  bool isInline() const { return compute.kind == Place::Kind::Inline; }
  bool isRoot() const { return compute.kind == Place::Kind::Root; }
  const Place &storePlace() const { return store ? *store : compute; }
  friend bool operator==(const FuncPlan &, const FuncPlan &) = default;
};

} // namespace tessera::schedule
