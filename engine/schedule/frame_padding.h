// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/shape.h"

#include <cstdint>
#include <map>
#include <vector>

namespace tessera::schedule {

// A dimension whose storage is rounded up to a multiple.
struct Padding {
  std::size_t dim = 0;
  std::int64_t alignment = 0;

  friend bool operator==(const Padding &, const Padding &) = default;
};

// Whether any stage of a kernel has a vectorised loop, by the func at its root.
std::vector<bool> kernelsWithVectors(const Schedule &schedule, const Shape &shape);

// What threads keep, where a kernel has vectors: Halide 21 lays it one after the other into a frame
// or into global memory, aligned for single elements, and loads vectors from there as if each func
// began at a multiple of a vector (CUDA_ERROR_MISALIGNED_ADDRESS, or silently wrong numbers). So
// each of them takes multiples of 16 bytes, the largest vector that a thread loads at once.
//
// Follows from the other decisions: lower() adds it, raise() takes it away again.
std::map<pipeline::FuncId, Padding> framePadding(const Schedule &schedule);

} // namespace tessera::schedule
