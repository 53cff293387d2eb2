// SPDX-License-Identifier: MIT
#include "engine/schedule/schedule.h"

#include "engine/schedule/plan_hash.h"

#include <algorithm>
#include <unordered_map>

namespace tessera::schedule {

using pipeline::Func;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::PipelinePtr;
using pipeline::StageId;

namespace {

constexpr int kFullDepth = 5;

template <typename Copy> // a wrapper or a clone
void addDerivation(Hasher &hash, const Copy &copy) {
  hash << textHash(copy.name) << textHash(copy.of) << copy.consumers.size();
  for (const std::string &consumer : copy.consumers)
    hash << textHash(consumer);
}

void addDerivation(Hasher &hash, const Factored &factored) {
  hash << textHash(factored.name) << textHash(factored.of) << factored.stage
       << factored.splits.size() << factored.preserved.size();
  for (const Factored::SplitLoop &split : factored.splits)
    hash << textHash(split.loop) << textHash(split.outer) << textHash(split.inner)
         << static_cast<std::uint64_t>(split.factor);
  for (const Factored::Preserved &preserved : factored.preserved)
    hash << textHash(preserved.reduction) << textHash(preserved.pure);
}

// One term of the sum that is a schedule's hash. It includes the func's id, so that swapping the
// plans of two funcs changes the sum.
std::uint64_t term(std::size_t func, std::uint64_t planHash) {
  return (Hasher() << func << planHash).value();
}

FuncPlan plainPlan(const Pipeline &pipeline, FuncId func) {
  FuncPlan plan;
  for (const pipeline::Stage &stage : pipeline.stagesOf(func))
    plan.stages.push_back({plainNest(stage)});
  return plan;
}

std::vector<FuncPlan> plainPlans(const Pipeline &pipeline) {
  std::vector<FuncPlan> plans;
  for (std::size_t f = 0; f < pipeline.funcs().size(); ++f)
    plans.push_back(plainPlan(pipeline, static_cast<FuncId>(f)));
  return plans;
}

std::unordered_map<std::string, FuncId> idsByName(const Pipeline &pipeline) {
  std::unordered_map<std::string, FuncId> ids;
  for (std::size_t f = 0; f < pipeline.funcs().size(); ++f)
    ids.emplace(pipeline.funcs()[f].name, static_cast<FuncId>(f));
  return ids;
}

bool sameLoops(const Pipeline &a, FuncId inA, const Pipeline &b, FuncId inB) {
  const auto loops = [](const pipeline::Stage &stage) { return stage.loops; };
  return std::ranges::equal(a.stagesOf(inA), b.stagesOf(inB), {}, loops, loops);
}

// The stage of `to` that corresponds to a stage of `from`. Funcs are matched by name.
StageId moved(StageId stage, const Pipeline &from, const Pipeline &to,
              const std::unordered_map<std::string, FuncId> &ids) {
  const pipeline::Stage &old = from.stage(stage);
  const Func &func = to.func(ids.at(from.func(old.func).name));
  return static_cast<StageId>(index(func.firstStage) + old.index);
}

void movePlaces(FuncPlan &plan, const Pipeline &from, const Pipeline &to,
                const std::unordered_map<std::string, FuncId> &ids) {
  const auto move = [&](Place &place) {
    if (place.kind == Place::Kind::At) place.stage = moved(place.stage, from, to, ids);
  };
  move(plan.compute);
  if (plan.store) move(*plan.store);
  if (plan.hoist) move(*plan.hoist);
  for (StagePlan &stage : plan.stages)
    if (stage.computeWith)
      stage.computeWith->stage = moved(stage.computeWith->stage, from, to, ids);
}

// Opaque calls name dimensions and sizes, which new loops do not change.
void keepOpaque(const FuncPlan &from, FuncPlan &to) {
  for (std::size_t s = 0; s < std::min(from.stages.size(), to.stages.size()); ++s)
    to.stages[s].opaque = from.stages[s].opaque;
}

// The stages whose loops a plan names.
std::vector<StageId> stagesReferredTo(const FuncPlan &plan) {
  std::vector<StageId> stages;
  const auto add = [&](const Place &place) {
    if (place.kind == Place::Kind::At) stages.push_back(place.stage);
  };
  add(plan.compute);
  if (plan.store) add(*plan.store);
  if (plan.hoist) add(*plan.hoist);
  for (const StagePlan &stage : plan.stages)
    if (stage.computeWith) stages.push_back(stage.computeWith->stage);
  return stages;
}

void addReaders(const Schedule &schedule, FuncId func, std::vector<StageId> &readers) {
  const Pipeline &pipeline = *schedule.pipeline();
  for (const pipeline::EdgeId edge : pipeline.edgesFrom(func)) {
    const StageId reader = pipeline.edge(edge).consumer;
    const FuncId owner = pipeline.stage(reader).func;
    if (owner == func) continue;
    if (schedule.plan(owner).isInline())
      addReaders(schedule, owner, readers);
    else
      readers.push_back(reader);
  }
}

} // namespace

Schedule::Schedule(PipelinePtr base)
    : m_base(base), m_derivations(std::make_shared<const std::vector<Derivation>>()),
      m_settings(std::make_shared<const Settings>()), m_marks(std::make_shared<const Marks>()) {
  std::vector<FuncPlan> plans = plainPlans(*base);
  reset(std::move(base), std::move(plans));
}

void Schedule::reset(PipelinePtr pipeline, std::vector<FuncPlan> plans) {
  m_pipeline = std::move(pipeline);
  m_hash = frameHash();
  std::vector<PersistentArray<HashedPlan>::Item> items;
  items.reserve(plans.size());
  for (std::size_t f = 0; f < plans.size(); ++f) {
    const std::uint64_t hash = planHash(plans[f], kFullDepth, LoopKind::Serial);
    m_hash += term(f, hash);
    items.push_back(std::make_shared<HashedPlan>(HashedPlan{std::move(plans[f]), hash}));
  }
  m_plans.assign(items);
}

void Schedule::set(FuncId func, FuncPlan plan) {
  const Func &of = m_pipeline->func(func);
  if (plan.stages.size() != of.stageCount)
    throw pipeline::ForeignId("A plan of " + std::to_string(plan.stages.size()) +
                              " stages was set for " + of.name + ", which has " +
                              std::to_string(of.stageCount) + ".");
  const std::uint64_t hash = planHash(plan, kFullDepth, LoopKind::Serial);
  m_hash += term(index(func), hash) - term(index(func), m_plans[index(func)].hash);
  m_plans.set(index(func), {std::move(plan), hash});
}

void Schedule::setFactor(StageId stage, LoopRef cut, std::int64_t factor) {
  const pipeline::Stage &of = m_pipeline->stage(stage);
  HashedPlan &hashed = m_plans.own(index(of.func));
  std::vector<Axis> &axes = hashed.plan.stages[of.index].nest.axes;
  if (cut.axis >= axes.size() || cut.part >= axes[cut.axis].splits.size())
    throw pipeline::ForeignId("A factor was set for a loop that " + m_pipeline->stageName(stage) +
                              " does not have.");
  axes[cut.axis].splits[cut.part].factor = factor;
  const std::uint64_t hash = planHash(hashed.plan, kFullDepth, LoopKind::Serial);
  m_hash += term(index(of.func), hash) - term(index(of.func), hashed.hash);
  hashed.hash = hash;
}

void Schedule::set(Settings settings) {
  m_hash -= frameHash();
  m_settings = std::make_shared<const Settings>(std::move(settings));
  m_hash += frameHash();
}

Status Schedule::add(const Derivation &derivation) {
  auto derived = derive(*m_pipeline, derivation);
  if (!derived) return derived.error();
  std::vector<Derivation> derivations = *m_derivations;
  derivations.push_back(derivation);
  moveTo(std::move(*derived), std::move(derivations));
  return Done{};
}

Status Schedule::addPossible(std::span<const Derivation> derivations) {
  Deriver deriver(*m_pipeline);
  std::vector<Derivation> added = *m_derivations;
  for (const Derivation &derivation : derivations)
    if (deriver.add(derivation)) added.push_back(derivation);
  auto derived = std::move(deriver).take();
  if (!derived) return derived.error();
  moveTo(std::move(*derived), std::move(added));
  return Done{};
}

Status Schedule::drop(const std::set<std::string> &added) {
  for (std::size_t f = 0; f < m_pipeline->funcs().size(); ++f)
    if (!added.contains(m_pipeline->funcs()[f].name))
      for (const StageId stage : stagesReferredTo(plan(static_cast<FuncId>(f))))
        if (const std::string &name = m_pipeline->func(m_pipeline->stage(stage).func).name;
            added.contains(name))
          return Error{ErrorCode::InputRefused,
                       m_pipeline->funcs()[f].name + " is computed in a loop of " + name,
                       "Compute it elsewhere first."};
  std::vector<Derivation> kept;
  std::ranges::copy_if(*m_derivations, std::back_inserter(kept),
                       [&](const Derivation &one) { return !added.contains(nameOf(one)); });
  if (kept.empty()) {
    moveTo(m_base, {});
    return Done{};
  }
  Deriver deriver(*m_base);
  for (const Derivation &derivation : kept)
    if (const Status again = deriver.add(derivation); !again) return again.error();
  auto derived = std::move(deriver).take();
  if (!derived) return derived.error();
  moveTo(std::move(*derived), std::move(kept));
  return Done{};
}

void Schedule::moveTo(PipelinePtr pipeline, std::vector<Derivation> derivations) {
  const Pipeline &from = *m_pipeline, &to = *pipeline;
  const auto ids = idsByName(to);
  std::vector<FuncPlan> plans = plainPlans(to);
  for (std::size_t f = 0; f < from.funcs().size(); ++f) {
    const auto old = static_cast<FuncId>(f);
    const auto now = ids.find(from.func(old).name);
    if (now == ids.end()) continue;
    FuncPlan &moved = plans[index(now->second)];
    if (!sameLoops(from, old, to, now->second)) {
      keepOpaque(plan(old), moved);
      continue;
    }
    moved = plan(old);
    movePlaces(moved, from, to, ids);
  }
  Marks marks;
  for (const auto &[key, mark] : *m_marks) {
    DecisionKey moved = key;
    if (key.kind < DecisionKind::RegisterCap) {
      const auto now = ids.find(from.func(key.func).name);
      if (now == ids.end()) continue;
      moved.func = now->second;
    }
    marks.emplace(moved, mark);
  }
  m_derivations = std::make_shared<const std::vector<Derivation>>(std::move(derivations));
  m_marks = std::make_shared<const Marks>(std::move(marks));
  reset(std::move(pipeline), std::move(plans));
}

Mark Schedule::mark(const DecisionKey &key) const {
  const auto at = m_marks->find(key);
  return at == m_marks->end() ? Mark{} : at->second;
}

void Schedule::setMark(const DecisionKey &key, Mark mark) {
  Marks marks = *m_marks;
  if (mark == Mark{})
    marks.erase(key);
  else
    marks[key] = mark;
  m_marks = std::make_shared<const Marks>(std::move(marks));
}

void Schedule::setMarks(Marks marks) { m_marks = std::make_shared<const Marks>(std::move(marks)); }

std::uint64_t Schedule::frameHash() const {
  Hasher hash;
  hash << static_cast<std::uint64_t>(m_settings->registerCap);
  hash << m_settings->promises.size();
  for (const report::Promise &promise : m_settings->promises) {
    hash << textHash(promise.buffer) << promise.dim;
    for (const auto &value : {promise.min, promise.extent, promise.stride})
      hash << (value ? 1 : 0) << static_cast<std::uint64_t>(value.value_or(0));
    hash << static_cast<std::uint64_t>(promise.hostAlignment);
  }
  for (const Derivation &derivation : *m_derivations) {
    hash << derivation.index();
    std::visit([&](const auto &one) { addDerivation(hash, one); }, derivation);
  }
  return hash.value();
}

std::uint64_t Schedule::hash(int depth) const {
  if (depth >= kFullDepth) return m_hash;
  std::uint64_t sum = 0;
  for (std::size_t f = 0; f < m_plans.size(); ++f) {
    const FuncPlan &plan = m_plans[f].plan;
    LoopKind kindAt = LoopKind::Serial;
    if (plan.compute.kind == Place::Kind::At) {
      const LoopNest &nest = this->plan(plan.compute.stage).nest;
      if (const auto at = nest.find(plan.compute.loop)) kindAt = nest.loops[*at].kind;
    }
    sum += term(f, planHash(plan, depth, kindAt));
  }
  return sum;
}

bool operator==(const Schedule &a, const Schedule &b) {
  if (a.m_hash != b.m_hash || a.m_plans.size() != b.m_plans.size()) return false;
  if (a.m_base != b.m_base && a.m_base->parts() != b.m_base->parts()) return false;
  if (*a.m_derivations != *b.m_derivations || *a.m_settings != *b.m_settings) return false;
  for (std::size_t f = 0; f < a.m_plans.size(); ++f)
    if (!a.m_plans.shares(f, b.m_plans) && a.m_plans[f].plan != b.m_plans[f].plan) return false;
  return true;
}

std::vector<FuncId> Schedule::plannedOtherwise(const Schedule &other) const {
  std::vector<FuncId> funcs;
  m_plans.forEachNotShared(other.m_plans, [&](std::size_t f) {
    const HashedPlan &here = m_plans[f], &there = other.m_plans[f];
    if (here.hash != there.hash || here.plan != there.plan) funcs.push_back(static_cast<FuncId>(f));
  });
  return funcs;
}

std::vector<StageId> readersOf(const Schedule &schedule, FuncId func) {
  std::vector<StageId> readers;
  addReaders(schedule, func, readers);
  return readers;
}

} // namespace tessera::schedule
