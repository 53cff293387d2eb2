// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/load/kernel_runs.h"
#include "engine/cost/load/layout.h"
#include "engine/cost/load/warp_access.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

// How many threads of a full warp lie along each dimension of the block.
std::array<std::int64_t, kBlockDims> lanesOf(const Run &run, const Launch &launch,
                                             std::int64_t warpSize);

// What the threads of a warp access when each of them runs one body of a stage. The strides between
// threads are found by shifting the loops by some threads and comparing the boxes that are read.
// This also works through inlined funcs, fused loops and boundary conditions.
class BodyAccess {
public:
  void look(const pipeline::Pipeline &pipeline, const Run &run, const Launch &launch,
            std::int64_t warpSize);

  // The intervals of the loops in a body.
  const std::vector<pipeline::Interval> &body() const { return m_body; }
  // The boxes that one thread's body reads. storeBox() is the box that it stores.
  const std::vector<pipeline::Interval> &boxes() const { return m_boxes; }
  std::span<const pipeline::Interval> boxOf(const Reads::Source &source) const {
    return source.boxIn(m_boxes);
  }
  std::span<const pipeline::Interval> storeBox() const { return m_stored; }
  // The number of elements of storeBox() that are stored. Gaps between unrolled copies are left
  // out.
  double storedElements();
  // Whether loops over the larger intervals `over` store only the elements that the body stores.
  bool storesTheSame(std::span<const pipeline::Interval> over);

  WarpAccess load(const Reads::Source &source, const Layout &layout);
  WarpAccess store(const Layout &layout);

  // Elements that one instruction loads from shared memory, or stores there.
  double loadWidth(const Reads::Source &source, const Layout &layout, const WarpAccess &access);
  double storeWidth(const Layout &layout) const;

private:
  template <typename BoxOf>
  WarpAccess accessOf(const Layout &layout, std::span<const pipeline::Interval> here,
                      const BoxOf &boxOf) const;
  void findStoreBox(std::span<const pipeline::Interval> over,
                    std::vector<pipeline::Interval> &box) const;
  std::span<const pipeline::Interval> readBy(std::size_t blockDim);
  void shiftToLast(std::size_t blockDim);
  bool threadsDecide(std::uint32_t loops) const;
  double vectorised(const Reads::Source &source, double elementBytes);
  bool isVector() const;

  const pipeline::Pipeline *m_pipeline = nullptr;
  const Run *m_run = nullptr;
  const pipeline::Stage *m_stage = nullptr;
  std::array<std::int64_t, kBlockDims> m_lanes{1, 1, 1};
  std::vector<pipeline::Interval> m_body, m_boxes, m_stored;
  // Scratch for positions other than that of the body: the loop intervals, the boxes stored and
  // read there, and (m_moved) the boxes that the last thread of a warp reads.
  std::vector<pipeline::Interval> m_over, m_storedThere, m_there;
  std::array<std::vector<pipeline::Interval>, kBlockDims> m_moved;
  std::array<bool, kBlockDims> m_isMoved{};
};

} // namespace tessera::cost
