// SPDX-License-Identifier: MIT
#include "engine/schedule/edits/edits.h"

#include "engine/schedule/edits/followers.h"
#include "engine/schedule/edits/mend.h"
#include "engine/schedule/edits/parts.h"
#include "engine/schedule/edits/tiling.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/directives/loop_names.h"
#include "engine/schedule/rules/inlining.h"
#include "engine/schedule/rules/legality.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

namespace tessera::schedule {

using pipeline::Func;
using pipeline::FuncId;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Stage;
using pipeline::StageId;

namespace {

constexpr std::array<std::int64_t, 11> kSizes{1, 2, 3, 4, 5, 8, 16, 32, 64, 128, 256};
constexpr std::array<std::int64_t, 3> kCopies{2, 4, 8};

// The nest with `count` copies inside of the innermost part of an axis.
LoopNest copiedNest(LoopNest nest, std::uint16_t axis, std::int64_t count, LoopKind kind) {
  const LoopRef inside{axis, nest.axes[axis].parts()};
  return withPart(std::move(nest), inside, count, kind, 0);
}

std::string sizeValue(const std::string &loop, std::int64_t size) {
  return loop + ": " + std::to_string(size);
}

std::string copiesValue(const std::string &loop, std::int64_t count, LoopKind kind) {
  return loop + ": " + std::to_string(count) + " " + std::string(name(kind)) + " inside";
}

class Proposer {
public:
  Proposer(const Schedule &schedule, StageId id)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_stage(m_pipeline.stage(id)),
        m_plan(schedule.plan(m_stage.func)), m_stagePlan(m_plan.stages[m_stage.index]) {
    if (!isSound(schedule)) return; // an unsound schedule has no bounds
    const Bounds bounds(schedule);
    m_depth = bounds.of(m_stage.func).depth;
    m_storeDepth = bounds.of(m_stage.func).storeDepth;
  }

  std::vector<Edit> propose() {
    if (isExtern()) return {}; // its function decides everything
    if (m_stage.index == 0) proposePlaces();
    if (m_plan.isInline()) return std::move(m_edits);
    if (m_stage.index == 0) proposeStorage();
    proposeFactors(kSizes);
    proposeCopies(kCopies);
    proposeOrder();
    proposeKinds();
    proposeTails();
    proposeReduction();
    return std::move(m_edits);
  }

  std::vector<Edit> resize(std::int64_t size) {
    if (m_plan.isInline() || isExtern()) return {};
    m_keepsSame = true;
    const std::span sizes(&size, 1);
    proposeFactors(sizes);
    if (size > 1) proposeCopies(sizes);
    return std::move(m_edits);
  }

private:
  void add(DecisionKind kind, std::uint16_t axis, std::string value, FuncPlan plan) {
    if (plan == m_plan && !m_keepsSame) return;
    const std::uint32_t stage = kind <= DecisionKind::Bounds ? 0 : m_stage.index;
    m_edits.push_back({{m_stage.func, stage, kind, axis}, std::move(value), std::move(plan)});
  }

  FuncPlan withNest(LoopNest nest) const {
    FuncPlan plan = m_plan;
    plan.stages[m_stage.index].nest = std::move(nest);
    return plan;
  }

  bool isExtern() const { return m_pipeline.func(m_stage.func).externCall.has_value(); }

  void proposePlaces() {
    if (m_pipeline.func(m_stage.func).staysAtRoot()) return; // it stays a kernel of its own
    if (mayBeInlined(m_pipeline, m_stage.func)) proposePlace("inline", Place::inlined());
    proposePlace("own kernel", Place::root());
    for (const StageId stage : stagesAround(m_stage.func)) {
      const LoopNest &nest = m_schedule.plan(stage).nest;
      const LoopNames names(m_pipeline.stage(stage), nest);
      // Goes from the outside in. Leaves out places between threads or inside of a vectorised loop.
      for (std::size_t l = nest.loops.size(); l-- > 0;) {
        if (nest.loops[l].kind == LoopKind::Vectorized) break;
        if (tenableLoop(nest, l) != l) continue;
        const LoopRef loop = nest.loops[l].ref;
        proposePlace("at " + m_pipeline.stageName(stage) + ": " + names.of(loop).name,
                     Place::at(stage, loop));
      }
    }
  }

  void proposePlace(std::string value, const Place &place) {
    if (place != m_plan.compute) add(DecisionKind::Compute, 0, std::move(value), placed(place));
  }

  // The stages that read the func, and the stages in whose loops these are computed.
  std::set<StageId> stagesAround(FuncId func) const {
    std::set<StageId> stages;
    for (const StageId reader : readersOf(m_schedule, func)) {
      stages.insert(reader);
      for (Place place = m_schedule.plan(m_pipeline.stage(reader).func).compute;
           place.kind == Place::Kind::At;) {
        stages.insert(place.stage);
        place = m_schedule.plan(m_pipeline.stage(place.stage).func).compute;
      }
    }
    return stages;
  }

  // The func's plan with `place` as its compute place: its loops become loops that are legal there,
  // and its storage is left to Halide.
  FuncPlan placed(const Place &place) const {
    const auto stages = m_pipeline.stagesOf(m_stage.func);
    FuncPlan plan = m_plan;
    plan.compute = place;
    plan.store.reset();
    plan.hoist.reset();
    plan.storage = Storage::Auto;
    for (std::size_t s = 0; s < stages.size(); ++s)
      plan.stages[s].nest = plainNest(stages[s]);
    // An inlined func has no other decisions, so that equal schedules have equal plans.
    // Opaque directives stay, for the rule that refuses them there.
    if (plan.isInline())
      return {.compute = place,
              .stages = {{.nest = plan.stages.front().nest, .opaque = plan.stages.front().opaque}}};
    Schedule moved = m_schedule;
    moved.set(m_stage.func, plan);
    const Bounds bounds(moved);
    const Depth depth = bounds.of(m_stage.func).depth;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      const auto id = static_cast<StageId>(index(m_pipeline.func(m_stage.func).firstStage) + s);
      plan.stages[s].nest =
          tiledNest(stages[s], startTilings(stages[s], depth, bounds.of(id).dims), depth);
    }
    return plan;
  }

  void proposeStorage() {
    const Func &func = m_pipeline.func(m_stage.func);
    if (func.isOutput || func.isHanded) return; // the caller, or an extern stage, needs its memory
    for (const Storage storage : storages()) {
      FuncPlan plan = m_plan;
      plan.storage = storage;
      add(DecisionKind::Storage, 0, std::string(name(storage)), std::move(plan));
    }
    const std::size_t dims = m_pipeline.func(m_stage.func).args.size();
    for (std::uint16_t d = 0; d + 1U < dims; ++d) {
      FuncPlan plan = m_plan;
      if (plan.layout.empty())
        for (std::uint16_t i = 0; i < dims; ++i)
          plan.layout.push_back(i);
      std::swap(plan.layout[d], plan.layout[d + 1U]);
      if (std::ranges::is_sorted(plan.layout)) plan.layout.clear();
      const std::vector<std::string> &args = m_pipeline.func(m_stage.func).args;
      add(DecisionKind::Layout, 0, "swap " + args[d] + " and " + args[d + 1U], std::move(plan));
    }
  }

  // The kinds of storage that are possible at the func's store place.
  std::vector<Storage> storages() const {
    switch (m_storeDepth) {
    case Depth::Host:
    case Depth::Thread: // Auto means the thread's registers
      return {Storage::Auto, Storage::Global};
    case Depth::Block:
      return {Storage::Auto, Storage::Global, Storage::Shared, Storage::Registers};
    }
    return {Storage::Auto};
  }

  // Proposes different numbers of iterations for each part of an axis except the outermost. The
  // parts inside of the changed part keep theirs.
  void proposeFactors(std::span<const std::int64_t> sizes) {
    const LoopNest &nest = m_stagePlan.nest;
    const LoopNames names(m_stage, nest);
    for (std::uint16_t a = 0; a < nest.axes.size(); ++a)
      for (std::uint16_t p = 1; p < nest.axes[a].parts(); ++p)
        for (const std::int64_t size : sizes)
          add(DecisionKind::Factors, a, sizeValue(names.of({a, p}).name, size),
              withNest(resized(nest, {a, p}, size)));
  }

  // Proposes to split the innermost part of an axis once more. The new inner loop is unrolled,
  // vectorised or serial.
  void proposeCopies(std::span<const std::int64_t> counts) {
    const LoopNest &nest = m_stagePlan.nest;
    const LoopNames names(m_stage, nest);
    for (std::uint16_t a = 0; a < nest.axes.size(); ++a) {
      const auto part = static_cast<std::uint16_t>(nest.axes[a].splits.size());
      if (!nest.find({a, part})) continue;
      const std::string loop = names.of({a, part}).name;
      for (const std::int64_t count : counts)
        for (const LoopKind kind : {LoopKind::Unrolled, LoopKind::Vectorized, LoopKind::Serial}) {
          LoopNest cut = copiedNest(nest, a, count, kind);
          if (!makesSense(cut)) continue;
          add(DecisionKind::Factors, a, copiesValue(loop, count, kind), withNest(std::move(cut)));
        }
    }
  }

  void proposeOrder() {
    const LoopNames names(m_stage, m_stagePlan.nest);
    for (std::size_t l = 0; l + 1 < m_stagePlan.nest.loops.size(); ++l) {
      LoopNest nest = m_stagePlan.nest;
      std::swap(nest.loops[l], nest.loops[l + 1]);
      if (!makesSense(nest)) continue;
      add(DecisionKind::Order, 0,
          names.of(m_stagePlan.nest.loops[l].ref).name + " around " +
              names.of(m_stagePlan.nest.loops[l + 1].ref).name,
          withNest(std::move(nest)));
    }
  }

  void proposeKinds() {
    const LoopNames names(m_stage, m_stagePlan.nest);
    for (std::size_t l = 0; l < m_stagePlan.nest.loops.size(); ++l)
      for (const LoopKind kind : {LoopKind::Serial, LoopKind::Unrolled, LoopKind::Vectorized,
                                  LoopKind::Thread, LoopKind::Block}) {
        LoopNest nest = m_stagePlan.nest;
        nest.loops[l].kind = kind;
        if (!makesSense(nest) || isTooDeep(kind)) continue;
        add(DecisionKind::Order, 0,
            names.of(m_stagePlan.nest.loops[l].ref).name + " " + std::string(name(kind)),
            withNest(std::move(nest)));
      }
  }

  // False for a vectorised loop around thread loops, which is at best as good as one inside of
  // them, and for a second vectorised loop, since Halide would split one of the two into single
  // elements.
  static bool makesSense(const LoopNest &nest) {
    bool threads = false, vector = false;
    for (const Loop &loop : nest.loops) {
      threads = threads || loop.kind == LoopKind::Thread;
      if (loop.kind != LoopKind::Vectorized) continue;
      if (threads || vector) return false;
      vector = true;
    }
    return true;
  }

  // There is no thread loop inside of a thread, and no block loop inside of a block.
  bool isTooDeep(LoopKind kind) const {
    return (kind == LoopKind::Thread && m_depth == Depth::Thread) ||
           (kind == LoopKind::Block && m_depth != Depth::Host);
  }

  // The tail of a split is listed under the name of the split's inner loop.
  void proposeTails() {
    const LoopNames names(m_stage, m_stagePlan.nest);
    for (std::uint16_t a = 0; a < m_stagePlan.nest.axes.size(); ++a)
      for (std::size_t k = 0; k < m_stagePlan.nest.axes[a].splits.size(); ++k) {
        const std::string loop = names.of({a, static_cast<std::uint16_t>(k + 1)}).name;
        for (const Tail tail : {Tail::Auto, Tail::RoundUp, Tail::GuardWithIf, Tail::ShiftInwards}) {
          LoopNest nest = m_stagePlan.nest;
          nest.axes[a].splits[k].tail = tail;
          add(DecisionKind::Tails, a, loop + ": " + std::string(name(tail)),
              withNest(std::move(nest)));
        }
      }
  }

  void proposeReduction() {
    if (m_stage.index == 0) return;
    for (const Atomic atomic : {Atomic::No, Atomic::Proven}) {
      FuncPlan plan = m_plan;
      plan.stages[m_stage.index].atomic = atomic;
      add(DecisionKind::Reduction, 0, atomic == Atomic::No ? "in turn" : "atomic", std::move(plan));
    }
    // With atomic updates, the reduction loops can be distributed over threads, so they are tiled
    // here like pure loops.
    Stage spread = m_stage;
    for (LoopDim &loop : spread.loops)
      loop.kind = LoopDim::Kind::Pure;
    std::vector<std::int64_t> extents;
    for (const LoopDim &loop : m_stage.loops)
      extents.push_back(loop.range.extent());
    if (!m_plan.isRoot()) return;
    FuncPlan plan = m_plan;
    plan.stages[m_stage.index].atomic = Atomic::Proven;
    plan.stages[m_stage.index].nest =
        tiledNest(spread, startTilings(spread, Depth::Host, extents), Depth::Host);
    add(DecisionKind::Reduction, 0, "atomic, spread over threads", std::move(plan));
  }

  const Schedule &m_schedule;
  const Pipeline &m_pipeline;
  const Stage &m_stage;
  const FuncPlan &m_plan;
  const StagePlan &m_stagePlan;
  Depth m_depth = Depth::Host, m_storeDepth = Depth::Host;
  bool m_keepsSame = false; // also proposes what is decided already
  std::vector<Edit> m_edits;
};

} // namespace

Applied applied(const Schedule &schedule, const Edit &edit, Origin origin,
                KnownLegality &legality) {
  Applied after{schedule, {}};
  after.schedule.set(edit.decision.func, edit.plan);
  after.violations = mend(after.schedule, edit.decision, legality);
  Mark mark = schedule.mark(edit.decision);
  mark.origin = origin;
  after.schedule.setMark(edit.decision, mark);
  return after;
}

std::vector<Edit> proposals(const Schedule &schedule, StageId stage) {
  return Proposer(schedule, stage).propose();
}

std::vector<Edit> resizings(const Schedule &schedule, StageId stage, std::int64_t size) {
  if (size < 1 || size > kMostIterations) return {};
  return Proposer(schedule, stage).resize(size);
}

std::vector<Edit> edits(const Schedule &schedule, StageId stage, const machine::Machine &machine) {
  std::vector<Edit> legal = proposals(schedule, stage);
  KnownLegality legality(machine);
  std::erase_if(legal, [&](const Edit &edit) {
    return !applied(schedule, edit, Origin::User, legality).isLegal();
  });
  return legal;
}

Edit resized(const Schedule &schedule, StageId id, LoopRef part, std::int64_t size) {
  const Stage &stage = schedule.pipeline()->stage(id);
  FuncPlan plan = schedule.plan(stage.func);
  LoopNest &nest = plan.stages[stage.index].nest;
  nest = resized(std::move(nest), part, size);
  return {{stage.func, stage.index, DecisionKind::Factors, part.axis},
          sizeValue(LoopNames(stage, nest).of(part).name, size),
          std::move(plan)};
}

Edit withCopies(const Schedule &schedule, StageId id, std::uint16_t axis, std::int64_t count) {
  const Stage &stage = schedule.pipeline()->stage(id);
  FuncPlan plan = schedule.plan(stage.func);
  LoopNest &nest = plan.stages[stage.index].nest;
  const auto part = static_cast<std::uint16_t>(nest.axes[axis].splits.size());
  std::string value =
      copiesValue(LoopNames(stage, nest).of({axis, part}).name, count, LoopKind::Unrolled);
  nest = copiedNest(std::move(nest), axis, count, LoopKind::Unrolled);
  return {
      {stage.func, stage.index, DecisionKind::Factors, axis}, std::move(value), std::move(plan)};
}

} // namespace tessera::schedule
