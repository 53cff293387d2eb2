// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::search {

// Where a func is computed in a state of the beam search (section 6 of Anderson et al. 2021).
enum class BeamPlace : std::uint8_t {
  Undecided, // counts as a kernel of its own in costs, and as nothing in hashes
  Root,      // a kernel of its own; its tiles are chosen in the second phase
  Block,     // in each block of a kernel, in shared memory
  Thread,    // in each thread, in registers
  Inline,
};

// What is decided about one func, as the hash sees it. The extents are of the pure definition, by
// dimension, and empty while the func has no tiles.
struct FuncShape {
  BeamPlace place = BeamPlace::Undecided;
  std::uint32_t anchor = 0; // for Block and Thread: the stage around it
  std::vector<std::int64_t> blocks, threads, serial;
  std::size_t innermost = 0; // the dimension that neighbouring threads lie along

  friend bool operator==(const FuncShape &, const FuncShape &) = default;
};

// Section 3: states are put into buckets by a hash of their loop nests up to a depth. Two depths
// belong to each level of loops: at the first, only whether a loop has one iteration or more is
// seen, at the second the exact extents, and what is computed at the next level.
//
//   0  which funcs are kernels              3  whether there are several threads
//   1  whether there are several blocks     4  how many, and what is computed in the threads
//   2  how many, and what is computed in    5  whether a thread computes several points
//      the blocks                           6  how many
inline constexpr int kHashDepths = 7;

// A func's term in the hash of a state, for each depth. The hash is the sum of all terms, so that a
// decision about one func changes one term.
using HashTerms = std::array<std::uint64_t, kHashDepths>;
HashTerms hashTerms(pipeline::FuncId func, const FuncShape &shape);
// The term for one depth; depths beyond the last are the last.
std::uint64_t hashTerm(pipeline::FuncId func, const FuncShape &shape, int depth);

} // namespace tessera::search
