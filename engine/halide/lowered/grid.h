// SPDX-License-Identifier: MIT
#pragma once

#include "engine/halide/lowered/value.h"

#include <string>
#include <vector>

namespace tessera::halide::lowered {

// Which threads execute a statement. On the host there is one. Each loop over blocks or threads
// multiplies their number; the threads of one block are neighbours, and among them those of one
// outer loop, so that number t of the threads belongs to block t / (threads / blocks).
//
// Threads go in step: each expression is computed in all of them before the next one. That is one
// of the orders that a GPU may choose, and where there is no race (memory.h) all give the same.
struct Grid {
  std::uint32_t threads = 1;
  std::uint32_t blocks = 1;     // of those that run now
  std::uint32_t firstBlock = 0; // number of the first of them in its kernel

  // For each thread, whether it takes part. Empty: all do.
  std::vector<std::uint8_t> active;
  // For each thread, whether a condition that led here was computed from memory that nothing has
  // written. Empty: none was.
  std::vector<std::uint8_t> doubtful;

  std::uint32_t perBlock() const { return threads / blocks; }
  std::uint32_t blockOf(std::size_t thread) const {
    return static_cast<std::uint32_t>(thread / perBlock());
  }
  bool isActive(std::size_t thread) const { return active.empty() || active[thread] != 0; }
  bool isDoubtful(std::size_t thread) const { return !doubtful.empty() && doubtful[thread] != 0; }
  bool anyActive() const;

  // The threads of one loop more. Where extents differ, threads beyond theirs take no part.
  Grid within(const Value &extent, std::uint32_t most) const;
  // Those for which the condition holds, or does not.
  Grid where(const Value &condition, bool holds) const;

  // "thread 3 of block 7", for findings.
  std::string nameOf(std::size_t thread) const;
};

} // namespace tessera::halide::lowered
