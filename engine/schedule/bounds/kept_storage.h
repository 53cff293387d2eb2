// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/bounds.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace tessera::schedule {

// How much room a kernel keeps for its funcs.
//
// Halide 21 knows what a thread keeps as an expression, which it often cannot bound: it refuses the
// schedule, or keeps it in global memory. The shape knows the number, so Halide is told
// (bound_storage; it checks that this is enough, while it compiles or in the kernel). What a block
// keeps it measures at the launch.
//
// And it lays out what is kept one after the other, aligned for single elements, but loads vectors
// from there as if each func began at a multiple of a vector (CUDA_ERROR_MISALIGNED_ADDRESS, or
// silently wrong numbers). So in a kernel with vectors each func takes multiples of 16 bytes, the
// largest vector that a thread loads at once.
//
// Follows from the other decisions: lower() adds it, raise() takes it away again.
class KeptStorage {
public:
  // Funcs by rising number, with each all others of its kernel: of these it is asked.
  KeptStorage(const Schedule &schedule, const Bounds &bounds,
              std::span<const pipeline::FuncId> funcs);

  // What is decided, and what has to be added to it.
  StorageDim dim(pipeline::FuncId func, std::size_t dim) const;
  std::int64_t extent(pipeline::FuncId func, std::size_t dim) const; // with all that is added
  std::int64_t elements(pipeline::FuncId func) const;
  std::int64_t bytes(pipeline::FuncId func) const;
  // Whether any stage of a kernel has a vectorised loop, by the func at its root.
  const std::vector<bool> &kernelsWithVectors() const { return m_vectors; }

private:
  StorageDim undecided(pipeline::FuncId func, std::size_t dim) const;
  std::int64_t inTile(pipeline::FuncId func, std::size_t dim) const;
  bool isReadBeyond(pipeline::FuncId func) const;
  bool isKept(pipeline::FuncId func) const;
  bool isBounded(pipeline::FuncId func, std::size_t dim) const;
  bool isPadded(pipeline::FuncId func) const;

  const Schedule &m_schedule;
  const Bounds &m_bounds;
  const std::vector<bool> m_vectors; // by kernel
  const std::vector<pipeline::FuncId> m_overrunning;
};

} // namespace tessera::schedule
