// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_bytes.h"

#include "engine/schedule/rules/cuda_vectors.h"
#include "engine/schedule/rules/shuffled_bytes.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::StageId;

namespace {

// How often unrolled loops of the same axis, inside of a vectorised one, repeat it.
std::int64_t copiesOf(const LoopNest &nest, LoopRef vector, std::span<const std::int64_t> sizes) {
  std::int64_t copies = 1;
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    const Loop &loop = nest.loops[l];
    if (loop.ref.axis == vector.axis && loop.ref.part > vector.part &&
        loop.kind == LoopKind::Unrolled)
      copies *= sizes[l];
  }
  return copies;
}

} // namespace

void checkBytes(const RuleContext &context, const Bounds &bounds) {
  const auto isInline = [&](FuncId func) { return context.schedule.plan(func).isInline(); };
  forEachCudaVector(context, bounds, [&](StageId id, std::size_t l) {
    const LoopNest &nest = context.schedule.plan(id).nest;
    const LoopRef ref = nest.loops[l].ref;
    const auto sizes = bounds.of(id).loops;
    const std::vector<std::uint16_t> loops = dimsOf(nest, ref);
    if (shufflesBytes(context.pipeline, id, {loops, sizes[l], copiesOf(nest, ref, sizes)},
                      isInline))
      context.refuse(Rule::VectorBytes, id, DecisionKind::Order, ref.axis,
                     "it has vectors of bytes that it reads repeatedly or backwards, or stores "
                     "between others, at which LLVM 21 fails",
                     "a vector of 2, or an unrolled loop instead of the vectorised one");
  });
}

} // namespace tessera::schedule
