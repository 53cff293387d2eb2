// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/kernel_runs.h"
#include "engine/cost/layout.h"
#include "engine/cost/warp_access.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::cost {

// What the threads of a warp access when each of them runs one body of a stage. How far their
// addresses are apart is found by moving the loops by some threads and looking how far the boxes
// move: through inlined funcs, fused loops and boundary conditions.
class BodyAccess {
public:
  BodyAccess(const pipeline::Pipeline &pipeline, const Run &run, const Launch &launch,
             std::int64_t warpSize);

  // What the stage's loops run over in one thread's body, and what that reads and stores.
  const std::vector<pipeline::Interval> &body() const { return m_body; }
  std::span<const pipeline::Interval> boxOf(const Reads::Source &source) const {
    return source.boxIn(m_boxes);
  }
  std::span<const pipeline::Interval> storeBox() const { return m_stored; }
  std::vector<pipeline::Interval> storeBox(std::span<const pipeline::Interval> over) const;

  WarpAccess load(const Reads::Source &source, const Layout &layout);
  WarpAccess store(const Layout &layout) const;
  bool isStoredAnywhere() const; // data decide where

  // Elements that one instruction takes from shared memory, or puts there.
  double loadWidth(const Reads::Source &source, const Layout &layout, const WarpAccess &access);
  double storeWidth(const Layout &layout) const;

private:
  template <typename BoxOf>
  WarpAccess accessOf(const Layout &layout, std::span<const pipeline::Interval> here,
                      const BoxOf &boxOf) const;
  double vectorised(const Reads::Source &source, double elementBytes);
  bool isVector() const;

  const pipeline::Pipeline &m_pipeline;
  const Run &m_run;
  const Launch &m_launch;
  const std::int64_t m_warpSize;
  const pipeline::Stage &m_stage;
  const std::vector<pipeline::Interval> m_body;
  std::vector<pipeline::Interval> m_boxes, m_moved; // what is read there, and elsewhere
  const std::vector<pipeline::Interval> m_stored;
};

} // namespace tessera::cost
