// SPDX-License-Identifier: MIT
#include "engine/search/kernels/frozen_decisions.h"

#include <algorithm>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Stage;
using pipeline::StageId;
using schedule::Atomic;
using schedule::Axis;
using schedule::DecisionKey;
using schedule::DecisionKind;
using schedule::FuncPlan;
using schedule::Loop;
using schedule::LoopKind;
using schedule::LoopNest;
using schedule::LoopRef;
using schedule::Place;
using schedule::Schedule;
using schedule::Split;
using schedule::StagePlan;
using schedule::Storage;

namespace {

bool isOfSchedule(DecisionKind kind) {
  return kind == DecisionKind::RegisterCap || kind == DecisionKind::Promises;
}

// Sets the stage or the axis of a key to 0 if decisions of its kind have none.
DecisionKey exact(DecisionKey key) {
  if (key.kind <= DecisionKind::Bounds) key.stage = 0;
  if (key.kind != DecisionKind::Factors && key.kind != DecisionKind::Tails) key.axis = 0;
  return key;
}

bool fusesAlike(const LoopNest &a, const LoopNest &b) {
  return std::ranges::equal(a.axes, b.axes, {}, &Axis::fused, &Axis::fused);
}

bool ordersAlike(const StagePlan &a, const StagePlan &b) {
  return a.nest.loops == b.nest.loops && a.nest.singleThread == b.nest.singleThread &&
         a.neverPartition == b.neverPartition;
}

// Returns whether both nests split an axis alike. The axis may be missing in one of them.
template <typename Member>
bool splitsAlike(const LoopNest &a, const LoopNest &b, std::uint16_t axis, Member member) {
  const auto splits = [axis](const LoopNest &nest) {
    return axis < nest.axes.size() ? nest.axes[axis].splits : std::vector<Split>{};
  };
  return std::ranges::equal(splits(a), splits(b), {}, member, member);
}

bool decideAlike(const StagePlan &a, const StagePlan &b, const DecisionKey &decision) {
  switch (decision.kind) {
  case DecisionKind::Factors:
    return splitsAlike(a.nest, b.nest, decision.axis, &Split::factor);
  case DecisionKind::Tails:
    return splitsAlike(a.nest, b.nest, decision.axis, &Split::tail);
  case DecisionKind::Fusion:
    return fusesAlike(a.nest, b.nest);
  case DecisionKind::Order:
    return ordersAlike(a, b);
  case DecisionKind::Reduction:
    return a.atomic == b.atomic && a.allowRaces == b.allowRaces;
  case DecisionKind::Opaque:
    return a.opaque == b.opaque;
  default:
    return a.computeWith == b.computeWith;
  }
}

bool decideAlike(const FuncPlan &a, const FuncPlan &b, const DecisionKey &decision) {
  switch (decision.kind) {
  case DecisionKind::Compute:
    return a.compute == b.compute;
  case DecisionKind::Store:
    return a.store == b.store;
  case DecisionKind::Hoist:
    return a.hoist == b.hoist;
  case DecisionKind::Storage:
    return a.storage == b.storage;
  case DecisionKind::Layout:
    return a.layout == b.layout && a.storageDims == b.storageDims;
  case DecisionKind::Bounds:
    return a.bounds == b.bounds;
  default:
    if (decision.stage >= std::min(a.stages.size(), b.stages.size()))
      throw pipeline::ForeignId("A decision is of a stage that its func does not have.");
    return decideAlike(a.stages[decision.stage], b.stages[decision.stage], decision);
  }
}

// The size of a part of a split axis. `part` must not be the first part, whose extent follows from
// the others.
std::int64_t sizeOf(const Axis &axis, std::size_t part) {
  const std::int64_t inside = std::max<std::int64_t>(1, axis.inside(part));
  return std::max<std::int64_t>(1, axis.inside(part - 1) / inside);
}

std::optional<LoopKind> kindOf(const LoopNest &nest, LoopRef ref) {
  const auto at = nest.find(ref);
  if (!at) return std::nullopt;
  return nest.loops[*at].kind;
}

// The size of the outermost part of a split axis that is a loop of this kind. The first part is
// skipped.
std::optional<std::int64_t> sizeOf(const LoopNest &nest, std::uint16_t axis, LoopKind kind) {
  if (axis >= nest.axes.size()) return std::nullopt;
  for (std::uint16_t part = 1; part < nest.axes[axis].parts(); ++part)
    if (kindOf(nest, {axis, part}) == kind) return sizeOf(nest.axes[axis], part);
  return std::nullopt;
}

// A kernel has block loops, or is marked as a single thread. A stage inside of a kernel has
// neither.
bool fitsPlace(const LoopNest &nest, const Place &place) {
  return place.kind == Place::Kind::Inline ||
         (place.kind == Place::Kind::Root) == (nest.contains(LoopKind::Block) || nest.singleThread);
}

// A func outside of blocks cannot be in shared memory or registers. The store and hoist places have
// to equal the compute place, because other loops that they name may be gone.
bool fitsPlace(const FuncPlan &plan) {
  if (plan.isRoot() && (plan.storage == Storage::Shared || plan.storage == Storage::Registers))
    return false;
  return plan.storePlace() == plan.compute && (!plan.hoist || *plan.hoist == plan.compute);
}

} // namespace

schedule::Marks heldMarks(const Schedule &schedule) {
  schedule::Marks marks = schedule.marks();
  const auto &stages = schedule.pipeline()->stages();
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const StagePlan &plan = schedule.plan(stages[s].func).stages[stages[s].index];
    if (plan.opaque.empty()) continue;
    const auto hold = [&](std::uint32_t stage, DecisionKind kind, std::uint16_t axis = 0) {
      marks[{stages[s].func, stage, kind, axis}].frozen = true;
    };
    for (const DecisionKind kind :
         {DecisionKind::Compute, DecisionKind::Store, DecisionKind::Hoist, DecisionKind::Storage,
          DecisionKind::Layout, DecisionKind::Bounds})
      hold(0, kind);
    for (const DecisionKind kind :
         {DecisionKind::Fusion, DecisionKind::Order, DecisionKind::Reduction,
          DecisionKind::ComputeWith, DecisionKind::Opaque})
      hold(stages[s].index, kind);
    for (std::uint16_t axis = 0; axis < plan.nest.axes.size(); ++axis)
      for (const DecisionKind kind : {DecisionKind::Factors, DecisionKind::Tails})
        hold(stages[s].index, kind, axis);
  }
  return marks;
}

bool decideAlike(const Schedule &a, const Schedule &b, const DecisionKey &decision) {
  if (decision.kind == DecisionKind::RegisterCap)
    return a.settings().registerCap == b.settings().registerCap;
  if (decision.kind == DecisionKind::Promises)
    return a.settings().promises == b.settings().promises;
  return decideAlike(a.plan(decision.func), b.plan(decision.func), decision);
}

FrozenDecisions::FrozenDecisions(const Schedule &start) {
  for (const auto &[key, mark] : heldMarks(start))
    if (mark.frozen && !isOfSchedule(key.kind)) m_keys[key.func].insert(exact(key));
  if (m_keys.empty()) return;
  m_start = start;
  for (const auto &[func, keys] : m_keys) {
    const FuncPlan &plan = start.plan(func);
    if (isFrozen(func, DecisionKind::Compute)) name(plan.compute);
    if (isFrozen(func, DecisionKind::Store) && plan.store) name(*plan.store);
    if (isFrozen(func, DecisionKind::Hoist) && plan.hoist) name(*plan.hoist);
  }
}

FrozenDecisions::Named FrozenDecisions::describe(const LoopNest &nest, LoopRef ref) {
  Named named{ref, LoopKind::Serial, {}, {}};
  const auto at = nest.find(ref);
  for (std::size_t l = 0; at && l < nest.loops.size(); ++l) {
    const LoopKind kind = nest.loops[l].kind;
    if (l == *at)
      named.kind = kind;
    else if (kind == LoopKind::Block || kind == LoopKind::Thread || kind == LoopKind::Lane)
      (l < *at ? named.inside : named.around).insert(kind);
  }
  return named;
}

void FrozenDecisions::name(const Place &place) {
  if (place.kind == Place::Kind::At)
    m_named[place.stage].push_back(describe(m_start->plan(place.stage).nest, place.loop));
}

bool FrozenDecisions::hasNamed(StageId stage, const LoopNest &nest) const {
  const auto names = m_named.find(stage);
  return names == m_named.end() || std::ranges::all_of(names->second, [&](const Named &named) {
           const Named now = describe(nest, named.loop);
           return nest.find(named.loop) && now.kind == named.kind && now.inside == named.inside &&
                  now.around.contains(LoopKind::Thread) == named.around.contains(LoopKind::Thread);
         });
}

bool FrozenDecisions::isFrozen(FuncId func, DecisionKind kind, std::uint32_t stage,
                               std::uint16_t axis) const {
  const auto keys = m_keys.find(func);
  return keys != m_keys.end() && keys->second.contains({func, stage, kind, axis});
}

const Place *FrozenDecisions::place(FuncId func) const {
  return isFrozen(func, DecisionKind::Compute) ? &m_start->plan(func).compute : nullptr;
}

bool FrozenDecisions::allowsAtomic(const Stage &stage) const {
  return !isFrozen(stage.func, DecisionKind::Reduction, stage.index) ||
         m_start->plan(stage.func).stages[stage.index].atomic != Atomic::No;
}

// Whether frozen decisions need loops or storage of the func, so that it must not be inlined.
bool FrozenDecisions::holdsLoops(FuncId func) const {
  const auto keys = m_keys.find(func);
  if (keys != m_keys.end() && std::ranges::any_of(keys->second, [](const DecisionKey &key) {
        return key.kind != DecisionKind::Compute;
      }))
    return true;
  const pipeline::Func &of = m_start->pipeline()->func(func);
  for (std::uint32_t s = 0; s < of.stageCount; ++s)
    if (m_named.contains(static_cast<StageId>(index(of.firstStage) + s))) return true;
  return false;
}

bool FrozenDecisions::setHeld(Schedule &schedule, FuncId func, FuncPlan plan) const {
  auto kept = held(func, std::move(plan));
  if (kept) schedule.set(func, std::move(*kept));
  return kept.has_value();
}

std::optional<FuncPlan> FrozenDecisions::held(FuncId func, FuncPlan plan) const {
  if (empty()) return plan;
  const FuncPlan &start = m_start->plan(func);
  if (const Place *frozen = place(func); frozen && plan.compute != *frozen) return std::nullopt;
  if (plan.isInline()) {
    if (!holdsLoops(func)) return plan;
    if (!start.isInline()) return std::nullopt;
    return start;
  }
  if (isFrozen(func, DecisionKind::Store)) plan.store = start.store;
  if (isFrozen(func, DecisionKind::Hoist)) plan.hoist = start.hoist;
  if (isFrozen(func, DecisionKind::Storage)) plan.storage = start.storage;
  if (isFrozen(func, DecisionKind::Bounds)) plan.bounds = start.bounds;
  if (isFrozen(func, DecisionKind::Layout)) {
    plan.layout = start.layout;
    plan.storageDims = start.storageDims;
  }
  if (!fitsPlace(plan)) return std::nullopt;
  for (std::uint32_t s = 0; s < plan.stages.size(); ++s)
    if (!hold(func, s, plan.compute, plan.stages[s])) return std::nullopt;
  return plan;
}

bool FrozenDecisions::hold(FuncId func, std::uint32_t stage, const Place &place,
                           StagePlan &plan) const {
  const StagePlan &start = m_start->plan(func).stages[stage];
  if (isFrozen(func, DecisionKind::Reduction, stage)) {
    plan.atomic = start.atomic;
    plan.allowRaces = start.allowRaces;
  }
  if (isFrozen(func, DecisionKind::ComputeWith, stage)) plan.computeWith = start.computeWith;
  if (isFrozen(func, DecisionKind::Opaque, stage)) plan.opaque = start.opaque;
  if (isFrozen(func, DecisionKind::Order, stage)) plan.neverPartition = start.neverPartition;
  const auto id = static_cast<StageId>(index(m_start->pipeline()->func(func).firstStage) + stage);
  const auto take = [&](LoopNest nest) {
    if (!fitsPlace(nest, place) || !hasNamed(id, nest)) return false;
    plan.nest = std::move(nest);
    return true;
  };
  if (auto nest = overlaid(func, stage, plan.nest); nest && take(std::move(*nest))) return true;
  // The plan gets the start's loops, which may be illegal without these settings of the start.
  plan.atomic = start.atomic;
  plan.allowRaces = start.allowRaces;
  plan.neverPartition = start.neverPartition;
  return take(resized(func, stage, plan.nest));
}

// The plan's loops with the frozen factors and tails of the start. Empty if frozen loops differ, or
// if an axis has another number of splits than in the start.
std::optional<LoopNest> FrozenDecisions::overlaid(FuncId func, std::uint32_t stage,
                                                  LoopNest nest) const {
  const LoopNest &start = m_start->plan(func).stages[stage].nest;
  const auto keys = m_keys.find(func);
  if (keys == m_keys.end()) return nest;
  for (const DecisionKey &key : keys->second) {
    if (key.stage != stage) continue;
    if (key.kind == DecisionKind::Order &&
        (nest.loops != start.loops || nest.singleThread != start.singleThread))
      return std::nullopt;
    if (key.kind == DecisionKind::Fusion && !fusesAlike(nest, start)) return std::nullopt;
    if (key.kind != DecisionKind::Factors && key.kind != DecisionKind::Tails) continue;
    const std::size_t splits =
        key.axis < start.axes.size() ? start.axes[key.axis].splits.size() : 0;
    if ((key.axis < nest.axes.size() ? nest.axes[key.axis].splits.size() : 0) != splits)
      return std::nullopt;
    for (std::size_t k = 0; k < splits; ++k)
      if (key.kind == DecisionKind::Factors)
        nest.axes[key.axis].splits[k].factor = start.axes[key.axis].splits[k].factor;
      else
        nest.axes[key.axis].splits[k].tail = start.axes[key.axis].splits[k].tail;
  }
  return nest;
}

// The start's loops. Each loop that is not frozen gets its size from a loop of its kind in `sizes`.
LoopNest FrozenDecisions::resized(FuncId func, std::uint32_t stage, const LoopNest &sizes) const {
  LoopNest nest = m_start->plan(func).stages[stage].nest;
  for (std::uint16_t a = 0; a < nest.axes.size(); ++a) {
    if (isFrozen(func, DecisionKind::Factors, stage, a)) continue;
    std::vector<Split> &splits = nest.axes[a].splits;
    std::int64_t inside = 1;
    for (std::size_t part = splits.size(); part >= 1; --part) {
      const std::int64_t before = sizeOf(m_start->plan(func).stages[stage].nest.axes[a], part);
      const auto kind = kindOf(nest, {a, static_cast<std::uint16_t>(part)});
      inside *= kind ? sizeOf(sizes, a, *kind).value_or(before) : before;
      splits[part - 1].factor = inside;
    }
  }
  return nest;
}

namespace {

const Place *placeOf(const FuncPlan &plan, DecisionKind kind) {
  if (kind == DecisionKind::Compute) return &plan.compute;
  if (kind == DecisionKind::Store && plan.store) return &*plan.store;
  return kind == DecisionKind::Hoist && plan.hoist ? &*plan.hoist : nullptr;
}

// The kind of the loop that the place of a decision names; nullopt if it names none.
std::optional<LoopKind> kindAt(const Schedule &schedule, const DecisionKey &decision) {
  const Place *place = placeOf(schedule.plan(decision.func), decision.kind);
  if (!place || place->kind != Place::Kind::At) return std::nullopt;
  const LoopNest &nest = schedule.plan(place->stage).nest;
  const auto at = nest.find(place->loop);
  return at ? std::optional(nest.loops[*at].kind) : std::nullopt;
}

} // namespace

bool keepsFrozen(const Schedule &start, const Schedule &changed) {
  return std::ranges::all_of(heldMarks(start), [&](const auto &marked) {
    const DecisionKey &decision = marked.first;
    return !marked.second.frozen || (decideAlike(start, changed, decision) &&
                                     kindAt(start, decision) == kindAt(changed, decision));
  });
}

} // namespace tessera::search
