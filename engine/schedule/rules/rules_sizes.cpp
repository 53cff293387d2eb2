// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_sizes.h"

#include "engine/schedule/rules/input_reads.h"
#include "engine/schedule/rules/rules_opaque.h"

#include <string>
#include <utility>
#include <vector>

namespace tessera::schedule {

using pipeline::Func;
using pipeline::FuncId;
using pipeline::Interval;

namespace {

std::string elements(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

// Halide compares a bound with what is needed where the func is stored. In a kernel, CUDA then ends
// the kernel, and OpenCL goes on and computes garbage. Where Halide sees the fault at compile time,
// it leaves out everything that comes behind.
void checkStorageBound(const RuleContext &context, const KeptStorage &kept, FuncId id) {
  const Func &func = context.pipeline.func(id);
  const std::vector<StorageDim> &dims = context.schedule.plan(id).storageDims;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::int64_t needed = kept.needed(id, d);
    if (dims[d].bound == 0 || dims[d].bound >= needed) continue;
    context.refuse(Rule::StorageBound, id, DecisionKind::Layout,
                   func.name + " has storage for " + elements(dims[d].bound) + " along " +
                       func.args[d] + ", but needs it for " + std::to_string(needed),
                   "at least " + std::to_string(needed) + ", or no bound");
  }
}

std::string textOf(const Interval &side) {
  return std::to_string(side.min) + " to " + std::to_string(side.max);
}

Interval promised(const RegionBound &bound, const Interval &computed) {
  const std::int64_t first = bound.min.value_or(computed.min);
  return {first, first + *bound.extent - 1};
}

bool readsInputAlong(const RuleContext &context, FuncId id, std::size_t d, InputReads &inputs) {
  for (const pipeline::StageId stage : context.pipeline.stageIdsOf(id)) {
    const std::vector<pipeline::LoopDim> &loops = context.pipeline.stage(stage).loops;
    for (std::uint32_t l = 0; l < loops.size(); ++l)
      if (loops[l].argument == d && inputs.along(stage, l)) return true;
  }
  return false;
}

// A region that is smaller than what readers need is an error of the run, which a kernel cannot
// report. A larger one may read beyond the end of an input, and an output has no memory for it;
// other producers are computed for it, too. In a kernel each tile begins somewhere else, so that a
// bound that says where the region begins has to be the whole func, and what it adds to a tile has
// no memory there.
void checkRegionBound(const RuleContext &context, const Bounds &bounds, FuncId id, std::size_t d,
                      const RegionBound &bound, DecisionKind kind, InputReads &inputs) {
  const Func &func = context.pipeline.func(id);
  const Interval &computed = bounds.of(id).computed[d];
  const auto refuse = [&](const std::string &message, std::string allowed) {
    context.refuse(Rule::RegionPromise, id, kind, func.name + message, std::move(allowed));
  };
  if (!bound.extent) return;
  const Interval given = promised(bound, computed);
  if (bounds.of(id).depth != Depth::Host && bound.min && given != func.region[d])
    return refuse(" is bounded to " + textOf(given) + " along " + func.args[d] +
                      ", but each tile of its kernel computes a part of its own",
                  "no bound, or a kernel of its own");
  if (bounds.of(id).depth != Depth::Host && given.extent() != computed.extent())
    return refuse(" is bounded to " + elements(given.extent()) + " along " + func.args[d] +
                      ", but its kernel computes " + std::to_string(computed.extent()) +
                      " in each part",
                  elements(computed.extent()) + ", or no bound");
  const bool isExact = func.isOutput || readsInputAlong(context, id, d, inputs);
  if (!given.contains(computed) || (given != computed && isExact))
    refuse(" is bounded to " + textOf(given) + " along " + func.args[d] + ", but " +
               textOf(computed) + " is computed",
           textOf(computed) + ", or no bound");
}

// Aligned regions are rounded outwards, where an output has no memory and an input no elements.
void checkAlignment(const RuleContext &context, const Bounds &bounds, FuncId id, std::size_t d,
                    InputReads &inputs) {
  const Func &func = context.pipeline.func(id);
  const std::int64_t modulus = context.schedule.plan(id).bounds[d].modulus;
  const Interval &whole = func.region[d];
  const bool isRounded = bounds.of(id).depth != Depth::Host || bounds.of(id).computed[d] != whole;
  if (modulus <= 1 || !isRounded) return;
  const auto refuse = [&](const std::string &message) {
    context.refuse(Rule::RegionPromise, id, DecisionKind::Bounds, func.name + message,
                   "a divisor of its size, or no alignment");
  };
  if (func.isOutput)
    refuse(" is an output, and its region along " + func.args[d] + ", " + textOf(whole) +
           ", is not aligned to " + std::to_string(modulus));
  else if (readsInputAlong(context, id, d, inputs))
    refuse(" reads an input along " + func.args[d] + ", and aligning its region to " +
           std::to_string(modulus) + " would make it read beyond the end");
}

} // namespace

void checkSizes(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept) {
  for (const FuncId id : context.funcs) {
    const FuncPlan &plan = context.schedule.plan(id);
    if (plan.isInline()) continue;
    // The memory of an output is the caller's.
    if (!context.pipeline.func(id).isOutput) checkStorageBound(context, kept, id);
    InputReads inputs(context, id);
    for (std::size_t d = 0; d < plan.bounds.size(); ++d) {
      checkRegionBound(context, bounds, id, d, plan.bounds[d], DecisionKind::Bounds, inputs);
      checkAlignment(context, bounds, id, d, inputs);
    }
    for (const auto &[d, bound] : boundsUnderEstimates(context, id))
      checkRegionBound(context, bounds, id, d, bound, DecisionKind::Opaque, inputs);
  }
}

} // namespace tessera::schedule
