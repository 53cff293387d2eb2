// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_bytes.h"

#include "engine/schedule/rules/cuda_vectors.h"
#include "engine/schedule/rules/shuffled_bytes.h"
#include "engine/schedule/bounds/tails.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::StageId;

namespace {

// Whether a guard may cut the vectors along an axis.
bool isGuarded(const RuleContext &context, const Bounds &bounds, StageId id, std::uint16_t axis) {
  const pipeline::Stage &stage = context.pipeline.stage(id);
  const Axis &split = context.schedule.plan(id).nest.axes[axis];
  const bool isReduction =
      split.fused.empty() && stage.loops[axis].kind == pipeline::LoopDim::Kind::Reduction;
  const bool hasGuard = std::ranges::any_of(split.splits, [&](const Split &one) {
    return guards(performed(one.tail, stage.index > 0, isReduction));
  });
  // Halide leaves out the guard of what it can divide.
  const bool isDivided = split.fused.empty() && bounds.of(id).extents[axis] <= Extent::Fixed &&
                         bounds.of(id).dims[axis] % split.inside(0) == 0;
  return hasGuard && !isDivided;
}

// The vector that a loop becomes, with what the loops of its axis inside of it make of it.
ByteVector vectorOf(const LoopNest &nest, std::size_t at, std::span<const std::uint16_t> loops,
                    std::span<const std::int64_t> sizes) {
  const LoopRef ref = nest.loops[at].ref;
  ByteVector vector{loops, sizes[at]};
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    const Loop &loop = nest.loops[l];
    if (loop.ref.axis != ref.axis || loop.ref.part <= ref.part) continue;
    if (loop.kind == LoopKind::Unrolled)
      vector.copies *= sizes[l];
    else
      vector.isSpread = vector.isSpread || sizes[l] > 1;
  }
  return vector;
}

} // namespace

void checkBytes(const RuleContext &context, const Bounds &bounds) {
  const auto isInline = [&](FuncId func) { return context.schedule.plan(func).isInline(); };
  forEachCudaVector(context, bounds, [&](StageId id, std::size_t l) {
    const LoopNest &nest = context.schedule.plan(id).nest;
    const LoopRef ref = nest.loops[l].ref;
    const auto sizes = bounds.of(id).loops;
    const std::vector<std::uint16_t> loops = dimsOf(nest, ref);
    ByteVector vector = vectorOf(nest, l, loops, sizes);
    vector.isGuarded = isGuarded(context, bounds, id, ref.axis);
    if (shufflesBytes(context.pipeline, id, vector, isInline))
      context.refuse(Rule::VectorBytes, id, DecisionKind::Order, ref.axis,
                     "it has vectors of bytes that it reads repeatedly or backwards, or stores "
                     "between others, at which LLVM 21 fails",
                     "a vector of 2, or an unrolled loop instead of the vectorised one");
  });
}

} // namespace tessera::schedule
