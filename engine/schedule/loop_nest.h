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

// A split of an axis. An axis with n splits is a chain of n + 1 loops, its parts. Split k, counted
// from 1, cuts part k - 1 in two: part k and all parts inside of it then have `factor` iterations
// together. x split by 128, and the inner loop of 128 split by 4, is {128, 4}.
struct Split {
  std::int64_t factor = 1;
  Tail tail = Tail::Auto;

  friend bool operator==(const Split &, const Split &) = default;
};

// A loop of a nest, named by its axis and its position in that axis. Part 0 is the outermost loop
// of the axis.
struct LoopRef {
  std::uint16_t axis = 0;
  std::uint16_t part = 0;

  friend bool operator==(const LoopRef &, const LoopRef &) = default;
  friend auto operator<=>(const LoopRef &, const LoopRef &) = default;
};

// A chain of loops that together run over one dimension of the stage, or over several fused loops.
struct Axis {
  std::vector<LoopRef> fused; // innermost first; empty: this axis is a dimension of the stage
  std::vector<Split> splits;  // outermost first

  std::uint16_t parts() const { return static_cast<std::uint16_t>(splits.size() + 1); }
  // How many iterations of the whole axis one iteration of a part covers: the product of the
  // iterations of all parts inside of it.
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
  std::vector<Axis> axes;    // dimensions of the stage, then fused axes, each after its source axes
  std::vector<Loop> loops;   // innermost first; without parts that are fused into another axis
  bool singleThread = false; // true: a kernel of one thread, for stages without loops to distribute

  // The position of a loop in `loops`; none if the part does not exist or is fused into another
  // axis. A search calls this many times per schedule.
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

// The number of iterations of each loop, in the order of `loops`, if the dimensions of the stage
// have the extents `dims`. It is rounded up where a factor does not divide the extent.
std::vector<std::int64_t> loopExtents(const LoopNest &nest, std::span<const std::int64_t> dims);

std::int64_t loopExtent(const LoopNest &nest, LoopRef ref, std::span<const std::int64_t> dims);
// The number of iterations of all parts of an axis together.
std::int64_t axisExtent(const LoopNest &nest, std::uint16_t axis,
                        std::span<const std::int64_t> dims);

// The number of iterations of one part of an axis whose extent is `extent`.
std::int64_t partExtent(const Axis &axis, std::int64_t extent, std::size_t part);

// The dimensions that a loop runs over: one, or those of all loops that are fused in it.
std::vector<std::uint16_t> dimsOf(const LoopNest &nest, LoopRef ref);

} // namespace tessera::schedule
