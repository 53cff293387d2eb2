// SPDX-License-Identifier: MIT
#include "engine/halide/import/fixed_ranges.h"

#include "engine/halide/import/index_map.h"
#include "engine/halide/import/stage_loads.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tessera::halide {

using pipeline::Access;
using pipeline::IndexMap;
using pipeline::LoopDim;
using pipeline::Precision;

namespace {

// Copies of the stage's loops. A loop whose range depends on the estimates is unbounded in the
// copy.
std::vector<LoopDim> loopsOfAnySize(const pipeline::Stage &stage) {
  std::vector<LoopDim> loops = stage.loops;
  for (LoopDim &loop : loops)
    if (!loop.fixed) loop.range = pipeline::kEverything;
  return loops;
}

bool isWhole(const IndexMap &map) { return map.precision == Precision::Whole; }

} // namespace

void markFixedRanges(pipeline::Stage &stage, const Graph &rawGraph, const StageSource &raw) {
  const std::vector<LoopDim> loops = loopsOfAnySize(stage);
  IndexEvaluator evaluator(loops, rawGraph.values);
  std::vector<Access> loads; // filled on first use
  const auto mark = [](IndexMap &map, bool isFixed) {
    map.fixed = isFixed && isWhole(map) && map.offset.bounded();
  };
  const auto hasFixedRange = [](const IndexMap &map) { return !isWhole(map) || map.fixed; };
  for (Access &load : stage.loads)
    for (std::size_t d = 0; d < load.indices.size(); ++d) {
      if (!isWhole(load.indices[d])) continue;
      if (loads.empty()) loads = loadsOf(rawGraph, raw, evaluator);
      mark(load.indices[d], std::ranges::all_of(loads, [&](const Access &other) {
             return other.producer != load.producer || hasFixedRange(other.indices[d]);
           }));
    }
  if (std::ranges::none_of(stage.store.indices, isWhole)) return;
  const Access store = storeOf(raw, evaluator);
  for (std::size_t d = 0; d < store.indices.size(); ++d)
    mark(stage.store.indices[d], hasFixedRange(store.indices[d]));
}

} // namespace tessera::halide
