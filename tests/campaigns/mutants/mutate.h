// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/words/directive.h"

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace tessera::test {

// What is changed in an exported schedule, in one place of it.
enum class Operator : std::uint8_t {
  StorageNumber, // the number of a bound_storage, align_storage or fold_storage
  RegionNumber,  // a number of a bound, bound_extent or align_bounds
  SplitFactor,
  VectorWidth, // the factor of a split whose inner loop is vectorised or unrolled
  Tail,
  LoopKind,   // gpu_blocks, gpu_threads, gpu_lanes, unroll, vectorize or parallel becomes another
  Drop,       // a directive is left out
  SwapLoops,  // of a reorder or a fuse
  RenameLoop, // a directive names another loop of the same func
  MovePlace,  // compute_at names another loop of the same func
  SwapPlaces, // two funcs get each other's compute_at or compute_root
  StoreIn,    // another memory, or none
  AddStorage, // a bound_storage, align_storage or fold_storage more
  AddRegion,  // a bound, bound_extent or align_bounds more
  Flag,       // atomic with or without proof, races allowed, loops never partitioned
  ShareLoops, // a compute_with more
  SwapCalls,  // two neighbouring directives of one func
};
inline constexpr int kOperators = 17;
std::string_view name(Operator op);

// Applies an operator where `random` says. Returns false if there is no such place; then the
// directives may have been changed, too. A change need not make a difference.
bool mutate(std::vector<schedule::Directive> &directives, Operator op, std::mt19937_64 &random);

} // namespace tessera::test
