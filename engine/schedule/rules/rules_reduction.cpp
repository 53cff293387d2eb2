// SPDX-License-Identifier: MIT

#include "engine/schedule/rules/rules_reduction.h"

#include <algorithm>
#include <span>

namespace tessera::schedule {

using pipeline::LoopDim;
using pipeline::Stage;
using pipeline::StageId;
using pipeline::TypeKind;

namespace {

class ReductionRules {
public:
  ReductionRules(const RuleContext &context, const Bounds &bounds, StageId id)
      : m_context(context), m_id(id), m_stage(context.pipeline.stage(id)),
        m_plan(context.schedule.plan(id)), m_extents(bounds.of(id).loops) {}

  void check() const {
    checkParallel();
    checkAtomic();
    checkOrder();
  }

private:
  void refuse(Rule rule, DecisionKind kind, const std::string &message,
              std::string allowed = {}) const {
    m_context.refuse(rule, m_id, kind, 0, message, std::move(allowed));
  }

  bool hasSteps(std::uint16_t dim) const {
    const LoopDim &loop = m_stage.loops[dim];
    return loop.kind == LoopDim::Kind::Reduction && !loop.independent;
  }

  bool hasSteps(LoopRef ref) const {
    return std::ranges::any_of(dimsOf(m_plan.nest, ref),
                               [this](std::uint16_t dim) { return hasSteps(dim); });
  }

  static bool isConcurrent(LoopKind kind) {
    return kind != LoopKind::Serial && kind != LoopKind::Unrolled;
  }

  void checkParallel() const {
    if (m_plan.atomic != Atomic::No) return;
    for (const Loop &loop : m_plan.nest.loops)
      if (isConcurrent(loop.kind) && hasSteps(loop.ref))
        refuse(Rule::ParallelReduction, DecisionKind::Order,
               aLoop(loop.kind) + " runs steps of the reduction concurrently, which would race",
               m_stage.associative ? "atomic, a serial loop, or rfactor" : "a serial loop");
  }

  void checkAtomic() const {
    if (m_plan.atomic == Atomic::No) return;
    const pipeline::Func &func = m_context.pipeline.func(m_stage.func);
    if (m_stage.index == 0)
      refuse(Rule::AtomicProof, DecisionKind::Reduction, "a pure definition cannot be atomic",
             "atomic on an update");
    if (m_plan.atomic == Atomic::Proven && !m_stage.commutative)
      refuse(Rule::AtomicProof, DecisionKind::Reduction,
             "Halide cannot prove that the steps of the reduction may run in any order",
             "an update that is not atomic");
    if (func.types.size() > 1)
      refuse(Rule::AtomicType, DecisionKind::Reduction,
             "a GPU updates the elements of a tuple one by one, so the update is not atomic",
             "an update that is not atomic");
    for (const pipeline::ScalarType type : func.types)
      if (type.bits < 32)
        refuse(Rule::AtomicType, DecisionKind::Reduction,
               "GPUs have no atomic update of " + toString(type), "a type of 32 or 64 bits");
    for (std::size_t l = 0; l < m_plan.nest.loops.size(); ++l) {
      const Loop &loop = m_plan.nest.loops[l];
      if (loop.kind != LoopKind::Vectorized) continue;
      if (hasSteps(loop.ref))
        refuse(Rule::AtomicType, DecisionKind::Order,
               "it has a vectorised loop over steps of the atomic reduction", "thread loops");
      else if (isStoredAsOne(loop.ref, m_extents[l]))
        refuse(Rule::AtomicType, DecisionKind::Order,
               "Halide would store its atomic vector of four as one value of 128 bits",
               "two or eight lanes");
    }
  }

  // Halide stores four contiguous values of 32 bits as one, where it sees that they begin at a
  // multiple of 16 bytes. LLVM has no atomic update of that width, and ends the process.
  bool isStoredAsOne(LoopRef ref, std::int64_t lanes) const {
    constexpr std::int64_t kLanes = 4;
    constexpr int kBits = 32;
    if (lanes != kLanes || isFused(ref)) return false;
    const pipeline::Func &func = m_context.pipeline.func(m_stage.func);
    const std::vector<std::uint16_t> &layout = m_context.schedule.plan(m_stage.func).layout;
    return func.types.front().bits == kBits &&
           m_stage.loops[ref.axis].argument == (layout.empty() ? 0 : layout.front());
  }

  // The iterations of a reduction have to keep their order, unless every order gives the same
  // result.
  void checkOrder() const {
    if (m_stage.commutative || m_plan.atomic == Atomic::Trusted) return;
    // The order of the algorithm: the last dimension is outermost, and the loops of a split
    // dimension go from the outside in.
    std::vector<LoopRef> wanted, actual;
    collect(wanted, true);
    collect(actual, false);
    if (wanted != actual)
      refuse(Rule::ReductionOrder, DecisionKind::Order,
             "the steps of its reduction are taken in another order, which may change the result",
             "the order of the definition");
  }

  // Appends all loops that iterate over the reduction, outermost first, in the order of the
  // definition or of the nest.
  void collect(std::vector<LoopRef> &out, bool ofDefinition) const {
    const LoopNest &nest = m_plan.nest;
    if (!ofDefinition) {
      for (std::size_t l = nest.loops.size(); l-- > 0;)
        if (counts(nest.loops[l].ref)) expand(out, nest.loops[l].ref);
      return;
    }
    for (std::size_t d = m_stage.loops.size(); d-- > 0;)
      for (std::uint16_t p = 0; p < nest.axes[d].parts(); ++p)
        if (hasSteps(static_cast<std::uint16_t>(d)) && counts({static_cast<std::uint16_t>(d), p}))
          out.push_back({static_cast<std::uint16_t>(d), p});
  }

  // Whether a loop counts for the order. A part of a fused axis counts, and so does a part that is
  // fused into one. A loop of one iteration does not count, unless its dimension is split: Halide
  // then does not see that it has one iteration.
  bool counts(LoopRef ref) const {
    const auto at = m_plan.nest.find(ref);
    return !at || m_extents[*at] > 1 || isFused(ref) || m_plan.nest.axes[ref.axis].parts() > 1;
  }

  bool isFused(LoopRef ref) const { return !m_plan.nest.axes[ref.axis].fused.empty(); }

  // A fused loop iterates over its source loops, the outermost source first. If the fused loop is
  // split, its parts have to be adjacent: another loop between them would change the order.
  void expand(std::vector<LoopRef> &out, LoopRef ref) const {
    if (!isFused(ref)) {
      if (hasSteps(ref.axis)) out.push_back(ref);
      return;
    }
    const std::vector<LoopRef> &fused = m_plan.nest.axes[ref.axis].fused;
    std::vector<LoopRef> sources;
    for (std::size_t s = fused.size(); s-- > 0;)
      expand(sources, fused[s]);
    const bool follows =
        out.size() >= sources.size() && std::equal(sources.rbegin(), sources.rend(), out.rbegin());
    if (ref.part == 0)
      out.insert(out.end(), sources.begin(), sources.end());
    else if (!follows)
      out.push_back(ref);
  }

  const RuleContext &m_context;
  StageId m_id;
  const Stage &m_stage;
  const StagePlan &m_plan;
  std::span<const std::int64_t> m_extents;
};

} // namespace

void checkReductions(const RuleContext &context, const Bounds &bounds) {
  for (const pipeline::FuncId func : context.funcs)
    for (const StageId id : context.pipeline.stageIdsOf(func))
      if (context.pipeline.stage(id).index > 0 || context.schedule.plan(id).atomic != Atomic::No)
        ReductionRules(context, bounds, id).check();
}

} // namespace tessera::schedule
