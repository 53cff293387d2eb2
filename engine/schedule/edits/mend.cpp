// SPDX-License-Identifier: MIT
#include "engine/schedule/edits/mend.h"

#include "engine/schedule/edits/followers.h"
#include "engine/schedule/bounds/bounds.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::StageId;

namespace {

// In kernels, splits unrolled and vectorised loops for which Halide would find no constant length.
// The inner loop gets the length under the estimates, behind a guard. Loops over a whole image are
// left as they are.
class Lengths {
public:
  Lengths(Schedule &schedule, KnownLegality &legality)
      : m_schedule(schedule), m_legality(legality) {}

  // Splits one loop at a time: after a split, Halide may know more about the loops inside. Takes
  // the current violations, and returns those that are left.
  std::vector<Violation> settle(std::vector<Violation> violations) {
    constexpr int kMost = 16;
    for (int i = 0; i < kMost; ++i) {
      const auto loop = firstVague(violations);
      if (!loop) break;
      split(*loop);
      violations = m_legality.check(m_schedule);
    }
    return violations;
  }

private:
  struct Vague {
    StageId stage{};
    LoopRef loop;
    std::int64_t length = 1; // number of iterations of the loop
  };

  std::optional<Vague> firstVague(const std::vector<Violation> &violations) const {
    for (const Violation &violation : violations) {
      if (violation.rule != Rule::ConstantExtent || violation.decision.kind != DecisionKind::Order)
        continue;
      const DecisionKey &key = violation.decision;
      const pipeline::Func &func = m_schedule.pipeline()->func(key.func);
      const auto stage = static_cast<StageId>(index(func.firstStage) + key.stage);
      if (isFrozen(key)) continue;
      const LoopNest &nest = m_schedule.plan(stage).nest;
      const LoopRef outermost{key.axis, 0};
      const auto at = nest.find(outermost);
      const Bounds bounds(m_schedule);
      const bool isInKernel = bounds.of(key.func).depth != Depth::Host;
      if (at && isInKernel && nest.loops[*at].kind != LoopKind::Lane)
        return Vague{stage, outermost, bounds.of(stage).loops[*at]};
    }
    return std::nullopt;
  }

  bool isFrozen(DecisionKey key) const {
    for (const DecisionKind kind : {DecisionKind::Order, DecisionKind::Factors}) {
      key.kind = kind;
      for (const std::uint16_t axis : {std::uint16_t{0}, key.axis})
        if (m_schedule.mark({key.func, key.stage, kind, axis}).frozen) return true;
    }
    return false;
  }

  void split(const Vague &vague) {
    const FuncId func = m_schedule.pipeline()->stage(vague.stage).func;
    FuncPlan plan = m_schedule.plan(func);
    LoopNest &nest = plan.stages[m_schedule.pipeline()->stage(vague.stage).index].nest;
    const std::uint16_t along = vague.loop.axis;
    const auto inwards = [along](LoopRef &ref) {
      if (ref.axis == along) ++ref.part;
    };
    Axis &axis = nest.axes[along];
    axis.splits.insert(axis.splits.begin(), {vague.length * axis.inside(0), Tail::GuardWithIf});
    for (Axis &other : nest.axes)
      std::ranges::for_each(other.fused, inwards);
    const auto place = static_cast<std::ptrdiff_t>(*nest.find(vague.loop));
    for (Loop &loop : nest.loops)
      inwards(loop.ref);
    nest.loops.insert(nest.loops.begin() + place + 1, {vague.loop, LoopKind::Serial});
    m_schedule.set(func, std::move(plan));
    movePlaces(vague.stage, inwards);
  }

  // Adjusts the places that name loops of the stage, whose parts have new numbers after a split. A
  // frozen place is not adjusted, and so names the new loop around its old one.
  template <typename Move>
  void movePlaces(StageId stage, Move move) {
    for (const FuncId id : m_schedule.pipeline()->allFuncs()) {
      if (m_schedule.mark({id, 0, DecisionKind::Compute, 0}).frozen) continue;
      FuncPlan plan = m_schedule.plan(id);
      const auto moveOne = [&](Place &place) {
        if (place.kind == Place::Kind::At && place.stage == stage) move(place.loop);
      };
      moveOne(plan.compute);
      if (plan.store) moveOne(*plan.store);
      if (plan.hoist) moveOne(*plan.hoist);
      for (StagePlan &one : plan.stages)
        if (one.computeWith && one.computeWith->stage == stage) move(one.computeWith->loop);
      if (plan != m_schedule.plan(id)) m_schedule.set(id, std::move(plan));
    }
  }

  Schedule &m_schedule;
  KnownLegality &m_legality;
};

// Changes the layout of funcs that are stored in a frame, the local memory of one thread. A
// dimension of length 1 becomes the innermost one and is padded, so that Halide accesses vectors
// element by element. The order of the dimensions does not affect the speed of a frame. With any
// other innermost dimension, LLVM would join neighbours that are read together into vectors, and
// assume an alignment that the frame does not have.
class Frames {
public:
  Frames(Schedule &schedule, KnownLegality &legality)
      : m_schedule(schedule), m_legality(legality) {}

  // Takes the current violations, and returns those that are left after the repairs.
  std::vector<Violation> settle(const DecisionKey &changed, std::vector<Violation> violations) {
    std::set<FuncId> tried;
    while (const auto func = firstUnaligned(changed, tried, violations)) {
      tried.insert(*func);
      violations = turn(*func, std::move(violations));
    }
    return violations;
  }

private:
  std::optional<FuncId> firstUnaligned(const DecisionKey &changed, const std::set<FuncId> &tried,
                                       const std::vector<Violation> &violations) const {
    for (const Violation &violation : violations) {
      const FuncId func = violation.decision.func;
      if (violation.rule != Rule::FrameAlignment || tried.contains(func)) continue;
      const DecisionKey layout{func, 0, DecisionKind::Layout, 0};
      if (changed != layout && !m_schedule.mark(layout).frozen) return func;
    }
    return std::nullopt;
  }

  // Takes and returns violations as settle() does.
  std::vector<Violation> turn(FuncId func, std::vector<Violation> violations) {
    const FuncPlan before = m_schedule.plan(func);
    const auto dims = static_cast<std::uint16_t>(m_schedule.pipeline()->func(func).args.size());
    if (dims < 2 || !before.storageDims.empty()) return violations;
    const Bounds bounds(m_schedule);
    // The padded length has to exceed the 4 elements that Halide loads together, and must not be
    // shorter than a vector.
    for (const std::int64_t length : {8, 16})
      for (std::uint16_t innermost = 0; innermost < dims; ++innermost) {
        if (bounds.of(func).stored[innermost].extent() != 1) continue;
        FuncPlan plan = before;
        plan.layout = withInnermost(innermost, dims);
        plan.storageDims.resize(dims);
        plan.storageDims[innermost].alignment = length;
        m_schedule.set(func, std::move(plan));
        std::vector<Violation> left = m_legality.check(m_schedule);
        if (!isUnaligned(func, left)) return left;
      }
    m_schedule.set(func, before);
    return violations;
  }

  static std::vector<std::uint16_t> withInnermost(std::uint16_t innermost, std::uint16_t dims) {
    std::vector<std::uint16_t> layout{innermost};
    for (std::uint16_t d = 0; d < dims; ++d)
      if (d != innermost) layout.push_back(d);
    if (innermost == 0) layout.clear();
    return layout;
  }

  static bool isUnaligned(FuncId func, const std::vector<Violation> &violations) {
    return std::ranges::any_of(violations, [&](const Violation &violation) {
      return violation.rule == Rule::FrameAlignment && violation.decision.func == func;
    });
  }

  Schedule &m_schedule;
  KnownLegality &m_legality;
};

} // namespace

std::vector<Violation> mend(Schedule &schedule, const DecisionKey &changed,
                            KnownLegality &legality) {
  follow(schedule, changed.func);
  std::vector<Violation> violations = legality.check(schedule);
  const bool isBroken = std::ranges::any_of(violations, [](const Violation &violation) {
    return violation.rule == Rule::ConstantExtent || violation.rule == Rule::FrameAlignment;
  });
  if (!isBroken) return violations;
  violations = Lengths(schedule, legality).settle(std::move(violations));
  return Frames(schedule, legality).settle(changed, std::move(violations));
}

} // namespace tessera::schedule
