// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/lower.h"

#include "engine/schedule/directives/completed_storage.h"
#include "engine/schedule/directives/loop_names.h"
#include "engine/schedule/directives/opaque_calls.h"
#include "engine/schedule/directives/partitions.h"

#include <algorithm>

namespace tessera::schedule {

using pipeline::Func;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::StageId;

namespace {

// Makes the directives of one stage.
class StageLowering {
public:
  StageLowering(std::vector<Directive> &out, const Func &func, const pipeline::Stage &stage,
                const LoopNest &nest)
      : m_out(out), m_func(func.name), m_stage(stage.index), m_nest(nest), m_names(stage, nest) {
    for (const pipeline::LoopDim &dim : stage.loops)
      m_order.push_back(dim.name);
  }

  void lowerNest() {
    for (std::uint16_t a = 0; a < m_nest.axes.size(); ++a) {
      fuse(a);
      split(a);
    }
    reorder();
    each(LoopKind::Vectorized, Verb::Vectorize);
    each(LoopKind::Unrolled, Verb::Unroll);
    each(LoopKind::Lane, Verb::GpuLanes);
    together(LoopKind::Thread, Verb::GpuThreads);
    together(LoopKind::Block, Verb::GpuBlocks);
    each(LoopKind::Parallel, Verb::Parallel);
    if (m_nest.singleThread) add(Verb::GpuSingleThread, {});
  }

  void add(Verb verb, std::vector<Argument> arguments) {
    m_out.push_back({m_func, m_stage, verb, std::move(arguments), {}});
  }

private:
  void fuse(std::uint16_t axis) {
    const std::vector<LoopRef> &sources = m_nest.axes[axis].fused;
    for (std::size_t i = 1; i < sources.size(); ++i) {
      const LoopName &inner = i == 1 ? m_names.of(sources[0]) : m_names.fused(axis, i);
      const LoopName &outer = m_names.of(sources[i]), &fused = m_names.fused(axis, i + 1);
      add(Verb::Fuse, {inner, outer, fused});
      std::erase(m_order, outer.name);
      std::replace(m_order.begin(), m_order.end(), inner.name, fused.name);
    }
  }

  void split(std::uint16_t axis) {
    const std::vector<Split> &splits = m_nest.axes[axis].splits;
    for (std::uint16_t i = 0; i < splits.size(); ++i) {
      const auto next = static_cast<std::uint16_t>(i + 1);
      const LoopName &old = m_names.from({axis, i}), &outer = m_names.of({axis, i}),
                     &inner = m_names.from({axis, next});
      add(Verb::Split, {old, outer, inner, splits[i].factor, splits[i].tail});
      const auto at = std::find(m_order.begin(), m_order.end(), old.name);
      *at = outer.name;
      m_order.insert(at, inner.name);
    }
  }

  void reorder() {
    std::vector<Argument> wanted;
    bool differs = false;
    for (std::size_t i = 0; i < m_nest.loops.size(); ++i) {
      const LoopName &loop = m_names.of(m_nest.loops[i].ref);
      differs = differs || loop.name != m_order[i];
      wanted.emplace_back(loop);
    }
    if (differs) add(Verb::Reorder, std::move(wanted));
  }

  void each(LoopKind kind, Verb verb) {
    for (const Loop &loop : m_nest.loops)
      if (loop.kind == kind) add(verb, {m_names.of(loop.ref)});
  }

  void together(LoopKind kind, Verb verb) {
    std::vector<Argument> loops;
    for (const Loop &loop : m_nest.loops)
      if (loop.kind == kind) loops.emplace_back(m_names.of(loop.ref));
    if (!loops.empty()) add(verb, std::move(loops));
  }

  std::vector<Directive> &m_out;
  const std::string &m_func;
  std::uint32_t m_stage;
  const LoopNest &m_nest;
  LoopNames m_names;
  std::vector<std::string> m_order; // the loops in the order that Halide has at this point
};

class Lowering {
public:
  explicit Lowering(const Schedule &schedule)
      : m_schedule(schedule), m_pipeline(*schedule.pipeline()),
        m_storage(completedStorage(schedule)) {}

  void lowerDerivations() {
    for (const Derivation &derivation : m_schedule.derivations())
      std::visit([this](const auto &one) { lowerOne(one); }, derivation);
  }

  void lowerFunc(FuncId id) {
    const Func &func = m_pipeline.func(id);
    const FuncPlan &plan = m_schedule.plan(id);
    const auto stages = m_pipeline.stagesOf(id);
    if (plan.isInline()) {
      for (std::size_t s = 0; s < stages.size(); ++s)
        lowerOpaque(func, stages[s], plan.stages[s], [](const auto &) { return true; });
      return;
    }
    const auto add = [&](Verb verb, std::vector<Argument> arguments) {
      m_out.push_back({func.name, 0, verb, std::move(arguments), {}});
    };
    // Halide computes an output at root without a directive.
    if (!(func.isOutput && plan.isRoot()))
      place(func, plan.compute, Verb::ComputeRoot, Verb::ComputeAt);
    if (plan.store) place(func, *plan.store, Verb::StoreRoot, Verb::StoreAt);
    if (plan.hoist) place(func, *plan.hoist, Verb::HoistStorageRoot, Verb::HoistStorage);
    const auto completed = m_storage.find(id);
    const Storage storage = completed == m_storage.end() ? plan.storage : completed->second.storage;
    if (storage != Storage::Auto) add(Verb::StoreIn, {storage});
    lowerStorage(id, func, plan);
    for (std::size_t s = 0; s < stages.size(); ++s)
      lowerStage(func, stages[s], plan.stages[s], static_cast<StageId>(index(func.firstStage) + s));
  }

  std::vector<Directive> take() { return std::move(m_out); }

private:
  void place(const Func &func, const Place &place, Verb root, Verb at) {
    if (place.kind == Place::Kind::At)
      m_out.push_back({func.name, 0, at, {level(place.stage, place.loop)}, {}});
    else
      m_out.push_back({func.name, 0, root, {}, {}});
  }

  Level level(StageId id, LoopRef loop) const {
    const pipeline::Stage &stage = m_pipeline.stage(id);
    const LoopNames names(stage, m_schedule.plan(id).nest);
    return {m_pipeline.func(stage.func).name, stage.index, names.of(loop)};
  }

  void lowerStorage(FuncId id, const Func &func, const FuncPlan &plan) {
    const auto loop = [&](std::size_t dim) { return LoopName{func.args[dim], false}; };
    const auto add = [&](Verb verb, std::vector<Argument> arguments) {
      m_out.push_back({func.name, 0, verb, std::move(arguments), {}});
    };
    if (!plan.layout.empty()) {
      std::vector<Argument> order;
      for (const std::uint16_t dim : plan.layout)
        order.emplace_back(loop(dim));
      add(Verb::ReorderStorage, std::move(order));
    }
    const auto completed = m_storage.find(id);
    const std::vector<StorageDim> &dims =
        completed == m_storage.end() ? plan.storageDims : completed->second.dims;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const StorageDim &dim = dims[d];
      if (dim.alignment) add(Verb::AlignStorage, {loop(d), dim.alignment});
      if (dim.bound) add(Verb::BoundStorage, {loop(d), dim.bound});
      if (dim.fold) add(Verb::FoldStorage, {loop(d), dim.fold});
    }
    for (std::size_t d = 0; d < plan.bounds.size(); ++d) {
      const RegionBound &bound = plan.bounds[d];
      if (bound.min && bound.extent)
        add(Verb::Bound, {loop(d), *bound.min, *bound.extent});
      else if (bound.extent)
        add(Verb::BoundExtent, {loop(d), *bound.extent});
      if (bound.modulus) add(Verb::AlignBounds, {loop(d), bound.modulus, bound.remainder});
    }
    lowerOpaque(func, m_pipeline.stage(func.firstStage), plan.stages.front(),
                [](const auto &opaque) { return signature(opaque.verb).ofFunc; });
  }

  template <typename Wanted>
  void lowerOpaque(const Func &func, const pipeline::Stage &stage, const StagePlan &plan,
                   Wanted wanted) {
    if (std::ranges::none_of(plan.opaque, wanted)) return;
    const LoopNames names(stage, plan.nest);
    std::vector<OpaqueDirective> calls = plan.opaque;
    addNeverPartition(calls, m_schedule,
                      static_cast<StageId>(index(func.firstStage) + stage.index));
    for (const OpaqueDirective &opaque : calls)
      if (wanted(opaque))
        appendDirectives(m_out, withNamesIn(opaque, names, plan.nest), func.name, stage.index);
  }

  void lowerStage(const Func &func, const pipeline::Stage &stage, const StagePlan &plan,
                  StageId id) {
    lowerOpaque(func, stage, plan, comesBeforeLoops);
    StageLowering lowering(m_out, func, stage, plan.nest);
    if (plan.allowRaces) lowering.add(Verb::AllowRaceConditions, {});
    if (plan.atomic != Atomic::No)
      lowering.add(Verb::Atomic, {std::int64_t{plan.atomic == Atomic::Trusted ? 1 : 0}});
    lowering.lowerNest();
    // This directive applies to all loops, so it comes after the directives that make loops.
    if (plan.neverPartition || partitionsWrongly(m_schedule, id))
      lowering.add(Verb::NeverPartitionAll, {});
    if (plan.computeWith)
      lowering.add(Verb::ComputeWith, {level(plan.computeWith->stage, plan.computeWith->loop)});
    // A variant that follows the stage has the loops that the stage has by then.
    lowerOpaque(func, stage, plan, [](const auto &opaque) {
      return !signature(opaque.verb).ofFunc && !comesBeforeLoops(opaque);
    });
  }

  // Directives address an input by its staging func in Halide (NAME_im).
  const std::string &handleOf(const std::string &name) const {
    for (const pipeline::Input &input : m_pipeline.inputs())
      if (input.name == name && !input.stagingFunc.empty()) return input.stagingFunc;
    return name;
  }

  void lowerCopy(Verb verb, const std::string &name, const std::string &of,
                 const std::vector<std::string> &consumers) {
    std::vector<Argument> arguments;
    for (const std::string &consumer : consumers)
      arguments.emplace_back(FuncName{consumer});
    m_out.push_back({handleOf(of), 0, verb, std::move(arguments), name});
  }

  void lowerOne(const Wrapper &one) { lowerCopy(Verb::In, one.name, one.of, one.consumers); }
  void lowerOne(const Clone &one) { lowerCopy(Verb::CloneIn, one.name, one.of, one.consumers); }

  void lowerOne(const Factored &one) {
    const auto reduction = [](const std::string &name) { return LoopName{name, true}; };
    for (const Factored::SplitLoop &split : one.splits)
      m_out.push_back({one.of,
                       one.stage,
                       Verb::Split,
                       {reduction(split.loop), reduction(split.outer), reduction(split.inner),
                        split.factor, Tail::GuardWithIf},
                       {}});
    std::vector<Argument> pairs;
    for (const Factored::Preserved &preserved : one.preserved) {
      pairs.emplace_back(reduction(preserved.reduction));
      pairs.emplace_back(LoopName{preserved.pure, false});
    }
    m_out.push_back({one.of, one.stage, Verb::RFactor, std::move(pairs), one.name});
  }

  const Schedule &m_schedule;
  const Pipeline &m_pipeline;
  const std::map<FuncId, CompletedStorage> m_storage;
  std::vector<Directive> m_out;
};

} // namespace

std::vector<Directive> lower(const Schedule &schedule) {
  Lowering lowering(schedule);
  lowering.lowerDerivations();
  for (std::size_t f = schedule.pipeline()->funcs().size(); f-- > 0;)
    lowering.lowerFunc(static_cast<FuncId>(f));
  return lowering.take();
}

std::vector<Directive> lower(const Schedule &schedule, FuncId func) {
  Lowering lowering(schedule);
  lowering.lowerFunc(func);
  return lowering.take();
}

} // namespace tessera::schedule
