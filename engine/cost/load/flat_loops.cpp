// SPDX-License-Identifier: MIT
#include "engine/cost/load/flat_loops.h"

#include <algorithm>

namespace tessera::cost {

using schedule::Axis;
using schedule::Loop;
using schedule::LoopNest;
using schedule::LoopRef;

namespace {

class Flattener {
public:
  Flattener(const LoopNest &nest, std::span<const std::int64_t> dims, std::vector<FlatLoop> &loops)
      : m_nest(nest), m_dims(dims), m_loops(loops) {}

  void add(const Loop &loop, std::uint16_t place) {
    m_flat = {loop.kind, 0, place, 1, 1};
    const Axis &axis = m_nest.axes[loop.ref.axis];
    const std::int64_t extent = schedule::axisExtent(m_nest, loop.ref.axis, m_dims);
    const std::int64_t count = schedule::partExtent(axis, extent, loop.ref.part);
    addPart(loop.ref, axis.inside(loop.ref.part), count);
  }

private:
  // Adds a loop of `count` iterations that each advance by `before` steps of the axis.
  void addPart(LoopRef ref, std::int64_t before, std::int64_t count) {
    const Axis &axis = m_nest.axes[ref.axis];
    if (axis.fused.empty()) {
      m_flat.dim = ref.axis;
      addLoop(count, before);
      return;
    }
    // In a fused loop, the index of the innermost source loop changes fastest.
    std::int64_t skipped = before;
    for (const LoopRef source : axis.fused) {
      const std::int64_t size = schedule::loopExtent(m_nest, source, m_dims);
      if (skipped >= size) {
        skipped = divideUp(skipped, size);
        continue;
      }
      const std::int64_t taken = std::min(count, divideUp(size, skipped));
      addPart(source, m_nest.axes[source.axis].inside(source.part) * skipped, taken);
      count = divideUp(count, taken);
      skipped = 1;
      if (count == 1) break;
    }
  }

  void addLoop(std::int64_t iterations, std::int64_t step) {
    if (iterations <= 1) return;
    m_flat.iterations = iterations;
    m_flat.step = step;
    m_loops.push_back(m_flat);
  }

  const LoopNest &m_nest;
  std::span<const std::int64_t> m_dims;
  std::vector<FlatLoop> &m_loops;
  FlatLoop m_flat;
};

} // namespace

void flatten(const LoopNest &nest, std::span<const std::int64_t> dims,
             std::vector<FlatLoop> &loops) {
  loops.clear();
  Flattener flattener(nest, dims, loops);
  for (std::size_t l = 0; l < nest.loops.size(); ++l)
    flattener.add(nest.loops[l], static_cast<std::uint16_t>(l));
}

} // namespace tessera::cost
