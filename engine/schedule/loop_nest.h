// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/stage.h"
#include "engine/schedule/words/words.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::schedule {

// The k-th split of an axis cuts part k - 1 in two: parts k and later have `factor` iterations
// together. x → block · 128, then 128 → thread · 4 is {128, 4}.
struct Split {
  std::int64_t factor = 1;
  Tail tail = Tail::Auto;

  friend bool operator==(const Split &, const Split &) = default;
};

// A loop of a nest: part 0 is the outermost of its axis.
struct LoopRef {
  std::uint16_t axis = 0;
  std::uint16_t part = 0;

  friend bool operator==(const LoopRef &, const LoopRef &) = default;
  friend auto operator<=>(const LoopRef &, const LoopRef &) = default;
};

// A chain of loops that together run over one dimension of the stage, or over several fused loops.
struct Axis {
  std::vector<LoopRef> fused; // innermost first; empty: axis i is dimension i
  std::vector<Split> splits;  // outermost first

  std::uint16_t parts() const { return static_cast<std::uint16_t>(splits.size() + 1); }
  // The steps of the axis in one iteration of a part: the iterations of all parts inside of it.
  std::int64_t inside(std::size_t part) const {
    return part < splits.size() ? splits[part].factor : 1;
  }
  friend bool operator==(const Axis &, const Axis &) = default;
};

struct Loop {
  LoopRef ref;
  LoopKind kind = LoopKind::Serial;

  friend bool operator==(const Loop &, const Loop &) = default;
};

// All loops of one stage. Any sequence of Halide's split, fuse and reorder has one form here:
// splits of an axis are listed from the outside in, whatever order they were made in.
struct LoopNest {
  std::vector<Axis> axes;    // the stage's dimensions, then the fused axes; sources before results
  std::vector<Loop> loops;   // innermost first; all parts that are not fused into another axis
  bool singleThread = false; // one thread of one block, for stages without loops to distribute

  // The position in `loops`; none for a part that does not exist or that is fused away. A search
  // calls this many times for each schedule.
  std::optional<std::size_t> find(LoopRef ref) const {
    for (std::size_t i = 0; i < loops.size(); ++i)
      if (loops[i].ref == ref) return i;
    return std::nullopt;
  }
  bool contains(LoopKind kind) const;
  friend bool operator==(const LoopNest &, const LoopNest &) = default;
};

// The nest that Halide makes by default: one serial loop for each dimension, in order.
LoopNest plainNest(const pipeline::Stage &stage);

// The iterations of each loop, in the order of `loops`, when the stage's dimensions have these
// extents. Rounded up where a factor does not divide.
std::vector<std::int64_t> loopExtents(const LoopNest &nest, std::span<const std::int64_t> dims);

std::int64_t loopExtent(const LoopNest &nest, LoopRef ref, std::span<const std::int64_t> dims);
// Iterations of all parts of an axis together.
std::int64_t axisExtent(const LoopNest &nest, std::uint16_t axis,
                        std::span<const std::int64_t> dims);

// Iterations of one part of an axis of this extent.
std::int64_t partExtent(const Axis &axis, std::int64_t extent, std::size_t part);

// The dimensions that a loop runs over: one, or those of all loops that are fused in it.
std::vector<std::uint16_t> dimsOf(const LoopNest &nest, LoopRef ref);

} // namespace tessera::schedule
