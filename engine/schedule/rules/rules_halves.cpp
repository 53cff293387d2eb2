// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_halves.h"

#include "engine/schedule/rules/cuda_vectors.h"
#include "engine/schedule/rules/narrowed_halves.h"
#include "engine/schedule/bounds/reach.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::StageId;

namespace {

// The dimension of a func along which neighbours are contiguous: the innermost one that is longer
// than 1, and those inside of it.
std::vector<std::size_t> denseDims(const RuleContext &context, const Bounds &bounds, FuncId id) {
  const std::vector<std::uint16_t> &layout = context.schedule.plan(id).layout;
  const auto stored = bounds.of(id).stored;
  std::vector<std::size_t> dims;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    dims.push_back(layout.empty() ? i : layout[i]);
    if (stored[dims.back()].extent() != 1) break;
  }
  return dims;
}

// Whether the elements of a vector are stored side by side: at once, or joined with those of loops
// inside of it that are unrolled. An element that data selects is stored by itself.
bool isContiguous(const LoopNest &nest, LoopRef ref, const IndexMap &map) {
  if (isAnywhere(map) || !isMoved(map, dimsOf(nest, ref))) return false;
  if (!nest.axes[ref.axis].fused.empty()) return true;
  const bool isPlain = std::ranges::any_of(map.atoms, [&](const pipeline::Atom &atom) {
    return std::ranges::any_of(atom.terms, [&](const pipeline::AffineTerm &term) {
      return term.loop == ref.axis && atom.scale * term.coefficient == 1;
    });
  });
  return isPlain && std::ranges::all_of(nest.loops, [&](const Loop &loop) {
           return loop.ref.axis != ref.axis || loop.ref.part <= ref.part ||
                  loop.kind == LoopKind::Unrolled || loop.kind == LoopKind::Vectorized;
         });
}

} // namespace

void checkHalves(const RuleContext &context, const Bounds &bounds) {
  const auto isInline = [&](FuncId func) { return context.schedule.plan(func).isInline(); };
  forEachCudaVector(context, bounds, [&](StageId id, std::size_t l) {
    if (!mayStoreNarrowed(context.pipeline, id, isInline)) return;
    const pipeline::Stage &stage = context.pipeline.stage(id);
    const LoopNest &nest = context.schedule.plan(id).nest;
    const LoopRef ref = nest.loops[l].ref;
    const std::vector<std::size_t> dense = denseDims(context, bounds, stage.func);
    if (std::ranges::none_of(dense, [&](const std::size_t dim) {
          return isContiguous(nest, ref, stage.store.indices[dim]);
        }))
      return;
    context.refuse(Rule::VectorHalves, id, DecisionKind::Order, ref.axis,
                   "it converts float32 to float16 and stores it in vectors, of which Halide 21 "
                   "stores the bits of the float32",
                   "an unrolled loop instead of the vectorised one");
  });
}

} // namespace tessera::schedule
