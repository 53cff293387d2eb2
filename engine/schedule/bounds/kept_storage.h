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
// For what a thread keeps, Halide 21 has an expression that it often cannot bound: it refuses the
// schedule, or uses global memory. Bounds knows the number, so Halide is told (bound_storage;
// Halide checks that it is enough, while it compiles or in the kernel). What a block keeps is
// measured at the launch.
//
// Halide lays out kept funcs one after the other, aligned for single elements, but loads vectors as
// if each func began at a multiple of a vector (CUDA_ERROR_MISALIGNED_ADDRESS, or silently wrong
// numbers). So in a kernel with vectors each func takes multiples of 16 bytes, the largest vector
// that a thread loads at once.
//
// All this follows from the other decisions: lower() adds it, raise() takes it away again.
class KeptStorage {
public:
  // `funcs`: those that may be asked about, by rising number, each with all others of its kernel.
  KeptStorage(const Schedule &schedule, const Bounds &bounds,
              std::span<const pipeline::FuncId> funcs);

  // The decided storage, and what has to be added to it.
  StorageDim dim(pipeline::FuncId func, std::size_t dim) const;
  std::int64_t extent(pipeline::FuncId func, std::size_t dim) const; // with all that is added
  std::int64_t elements(pipeline::FuncId func) const;
  std::int64_t bytes(pipeline::FuncId func) const;
  // Whether any stage of a kernel has a vectorised loop, by the root func of the kernel.
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
  const std::vector<bool> m_vectors; // by root func of the kernel
  const std::vector<pipeline::FuncId> m_overrunning;
};

} // namespace tessera::schedule
