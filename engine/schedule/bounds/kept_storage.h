// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/bounds.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace tessera::schedule {

// How much memory a kernel reserves for the funcs that are stored in it, per thread or per block.
//
// For storage per thread, Halide 21 has a size expression that it often cannot bound: it then
// refuses the schedule, or uses global memory. Bounds knows the size, so bound_storage states it
// (Halide checks at compile time or in the kernel that it is enough). The size of storage per block
// is computed at the launch.
//
// Halide lays out these funcs one after the other, aligned for single elements, but loads vectors
// as if each func began at a multiple of a vector (CUDA_ERROR_MISALIGNED_ADDRESS, or silently wrong
// numbers). So in a kernel with vectors each func takes a multiple of 16 bytes, the largest vector
// that a thread loads at once.
//
// Halide also gives the same memory to funcs of a block of which one is no longer needed when the
// other is computed. It counts that memory in elements of the widest type, and rounds down: of an
// odd number of uint16 that share with uint32, the last one is outside. So each func of a block
// takes a multiple of the widest element that is stored there.
//
// All this follows from the other decisions: lower() adds it, raise() removes it again.
class KeptStorage {
public:
  // `funcs`: the funcs that the methods may be called for, sorted by id. They include all funcs of
  // their kernels.
  KeptStorage(const Schedule &schedule, const Bounds &bounds,
              std::span<const pipeline::FuncId> funcs);

  // The decided storage of one dimension, with what has to be added to it.
  StorageDim dim(pipeline::FuncId func, std::size_t dim) const;
  // The kind of memory to state. For the registers of a block, Halide takes no bound and proves the
  // size itself, which it cannot under fused loops. There it is called the stack of each thread,
  // with a bound: the code is the same.
  Storage storage(pipeline::FuncId func) const;
  std::int64_t extent(pipeline::FuncId func, std::size_t dim) const; // with bounds and padding
  // The extent that Halide needs to store, before any bound or padding. It is the whole region
  // where Halide sees no end of a tile.
  std::int64_t needed(pipeline::FuncId func, std::size_t dim) const;
  std::int64_t elements(pipeline::FuncId func) const;
  std::int64_t bytes(pipeline::FuncId func) const;
  // The number of bytes that the func has to take a multiple of; 1 if any number will do.
  std::int64_t unit(pipeline::FuncId func) const;
  // Indexed by the root func of a kernel: whether any stage of the kernel has a vectorised loop.
  const std::vector<bool> &kernelsWithVectors() const { return m_vectors; }

private:
  StorageDim undecided(pipeline::FuncId func, std::size_t dim) const;
  std::int64_t inTile(pipeline::FuncId func, std::size_t dim) const;
  bool isReadBeyond(pipeline::FuncId func) const;
  bool isOnStack(pipeline::FuncId func) const;
  bool isKept(pipeline::FuncId func) const;
  bool isBounded(pipeline::FuncId func, std::size_t dim) const;
  bool isPadded(pipeline::FuncId func) const;

  const Schedule &m_schedule;
  const Bounds &m_bounds;
  const std::vector<bool> m_vectors; // kernelsWithVectors()
  // Indexed by the root func of a kernel: the bytes of the widest element that its blocks store, if
  // they store several funcs.
  const std::vector<std::int64_t> m_widest;
  const std::vector<pipeline::FuncId> m_overrunning;
};

} // namespace tessera::schedule
