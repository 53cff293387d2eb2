// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/raise.h"

#include "engine/schedule/directives/nest_builder.h"
#include "engine/schedule/directives/normal_form.h"
#include "engine/schedule/directives/opaque_calls.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::PipelinePtr;
using pipeline::StageId;

namespace {

constexpr std::string_view kOutermost = "__outermost"; // Halide's name of what is around all loops

const LoopName &loopAt(const Directive &directive, std::size_t i) {
  return std::get<LoopName>(directive.arguments[i]);
}

std::int64_t numberAt(const Directive &directive, std::size_t i) {
  return std::get<std::int64_t>(directive.arguments[i]);
}

std::vector<std::string> loopNames(const Directive &directive) {
  std::vector<std::string> names;
  for (const Argument &argument : directive.arguments)
    names.push_back(std::get<LoopName>(argument).name);
  return names;
}

std::vector<std::string> funcNames(const Directive &directive) {
  std::vector<std::string> names;
  for (const Argument &argument : directive.arguments)
    names.push_back(std::get<FuncName>(argument).name);
  return names;
}

std::optional<FuncId> funcNamed(const Pipeline &pipeline, const std::string &name) {
  for (std::size_t f = 0; f < pipeline.funcs().size(); ++f)
    if (pipeline.funcs()[f].name == name) return static_cast<FuncId>(f);
  return std::nullopt;
}

Error at(std::size_t place, const Directive &directive, const Error &error) {
  std::string subject = directive.func;
  if (directive.stage > 0) subject += ".update(" + std::to_string(directive.stage - 1) + ")";
  return {error.code,
          "directive " + std::to_string(place + 1) + ", " + subject + "." +
              std::string(signature(directive.verb).name) + ": " + error.message,
          error.hint};
}

Error refused(std::string message) { return {ErrorCode::InputRefused, std::move(message), ""}; }

// First pass: adds the stages that directives make, and notes which directives it has used.
class Derivations {
public:
  explicit Derivations(std::span<const Directive> directives)
      : m_directives(directives), m_used(directives.size(), false) {}

  Status addTo(Schedule &schedule) {
    for (std::size_t i = 0; i < m_directives.size(); ++i) {
      const Directive &directive = m_directives[i];
      if (!signature(directive.verb).makesFunc) continue;
      m_used[i] = true;
      if (const Status done = schedule.add(derivationOf(i)); !done)
        return at(i, directive, done.error());
    }
    return Done{};
  }

  bool used(std::size_t i) const { return m_used[i]; }

private:
  Derivation derivationOf(std::size_t i) {
    const Directive &directive = m_directives[i];
    if (directive.verb == Verb::In)
      return Wrapper{directive.makes, directive.func, funcNames(directive)};
    if (directive.verb == Verb::CloneIn)
      return Clone{directive.makes, directive.func, funcNames(directive)};
    Factored factored{directive.makes, directive.func, directive.stage};
    // Halide applies rfactor to the update with all splits made before.
    for (std::size_t before = 0; before < i; ++before) {
      const Directive &other = m_directives[before];
      const bool belongs = other.func == directive.func && other.stage == directive.stage &&
                           other.verb == Verb::Split && loopAt(other, 0).reduction &&
                           !m_used[before];
      if (!belongs) continue;
      m_used[before] = true;
      factored.splits.push_back({loopAt(other, 0).name, loopAt(other, 1).name,
                                 loopAt(other, 2).name, numberAt(other, 3)});
    }
    for (std::size_t a = 0; a + 1 < directive.arguments.size(); a += 2)
      factored.preserved.push_back({loopAt(directive, a).name, loopAt(directive, a + 1).name});
    return factored;
  }

  std::span<const Directive> m_directives;
  std::vector<bool> m_used;
};

// Second pass: performs all other directives. The loops of compute_at and the like are looked up
// last, when all loops have their final names.
class Raising {
public:
  explicit Raising(const Schedule &schedule) : m_pipeline(*schedule.pipeline()) {
    for (std::size_t f = 0; f < m_pipeline.funcs().size(); ++f) {
      const auto id = static_cast<FuncId>(f);
      m_plans.push_back(schedule.plan(id));
      const pipeline::Func &func = m_pipeline.func(id);
      if (!func.isOutput && !func.externCall) m_plans.back().compute = Place::inlined();
    }
    for (const pipeline::Stage &stage : m_pipeline.stages())
      m_nests.emplace_back(stage);
    m_opaque.resize(m_nests.size());
  }

  Status perform(const Directive &directive) {
    const auto func = funcNamed(m_pipeline, directive.func);
    if (!func) return refused("there is no func '" + directive.func + "'");
    if (directive.stage >= m_pipeline.func(*func).stageCount)
      return refused(directive.func + " only has " +
                     std::to_string(m_pipeline.func(*func).stageCount - 1) + " updates");
    if (signature(directive.verb).ofFunc) return performOnFunc(*func, directive);
    const auto stage =
        static_cast<StageId>(index(m_pipeline.func(*func).firstStage) + directive.stage);
    return performOnStage(stage, directive);
  }

  Status finish(Schedule &schedule) {
    for (std::size_t f = 0; f < m_plans.size(); ++f)
      for (std::size_t s = 0; s < m_plans[f].stages.size(); ++s)
        finishStage(m_plans[f].stages[s], index(m_pipeline.funcs()[f].firstStage) + s);
    for (const auto &[place, func, level] : m_pending) {
      if (level.loop.name == kOutermost) continue;
      const auto found = resolve(level, func);
      if (!found) return found.error();
      *place = *found;
    }
    if (const Status done = placeAroundAllLoops(); !done) return done;
    for (const auto &[stage, level] : m_fusedWith) {
      const auto found = resolve(level, m_pipeline.stage(stage).func);
      if (!found) return found.error();
      planOf(stage).computeWith = SharedLoop{found->stage, found->loop};
    }
    placeInlinedUpdates();
    forgetInlined();
    for (std::size_t f = 0; f < m_plans.size(); ++f)
      schedule.set(static_cast<FuncId>(f), std::move(m_plans[f]));
    return Done{};
  }

private:
  // Around all loops of a func is where that func itself is computed. That may be around all loops
  // of yet another func, so the places are given until they stay.
  Status placeAroundAllLoops() {
    bool changes = true;
    for (std::size_t round = 0; changes && round <= m_pending.size(); ++round) {
      changes = false;
      for (const auto &[place, placed, level] : m_pending) {
        if (level.loop.name != kOutermost) continue;
        const auto func = funcNamed(m_pipeline, level.func);
        if (!func) return refused("there is no func '" + level.func + "' to be computed at");
        const Place around = m_plans[index(*func)].compute;
        changes = changes || !(*place == around);
        *place = around;
      }
    }
    return Done{};
  }

  void finishStage(StagePlan &plan, std::size_t stage) {
    plan.nest = m_nests[stage].nest();
    std::ranges::move(
        std::move(m_opaque[stage]).finished(m_pipeline.stages()[stage], m_nests[stage]),
        std::back_inserter(plan.opaque));
  }

  // If a func with updates has no place, Halide computes it where it is read: in the innermost loop
  // of its only reader.
  void placeInlinedUpdates() {
    for (std::size_t f = m_plans.size(); f-- > 0;) {
      FuncPlan &plan = m_plans[f];
      if (!plan.isInline() || plan.stages.size() == 1) continue;
      std::set<StageId> readers;
      collectReaders(readers, static_cast<FuncId>(f));
      if (readers.size() != 1) continue;
      const LoopNest &nest = planOf(*readers.begin()).nest;
      if (!nest.loops.empty()) plan.compute = Place::at(*readers.begin(), nest.loops.front().ref);
    }
  }

  // Removes all other decisions about inlined funcs: Halide ignores them, and lower() could not
  // express them. If another func is placed at a loop of an inlined func, the inlined func keeps
  // its loops, for the rule that refuses such places.
  void forgetInlined() {
    std::set<FuncId> named;
    const auto note = [&](const std::optional<Place> &place) {
      if (place && place->kind == Place::Kind::At)
        named.insert(m_pipeline.stage(place->stage).func);
    };
    for (const FuncPlan &plan : m_plans) {
      note(plan.compute);
      note(plan.store);
      note(plan.hoist);
      for (const StagePlan &stage : plan.stages)
        if (stage.computeWith) named.insert(m_pipeline.stage(stage.computeWith->stage).func);
    }
    for (std::size_t f = 0; f < m_plans.size(); ++f) {
      const auto func = static_cast<FuncId>(f);
      if (!m_plans[f].isInline() || named.count(func)) continue;
      const std::vector<StagePlan> before = std::move(m_plans[f].stages);
      m_plans[f] = {.compute = Place::inlined(), .stages = {}};
      for (const pipeline::Stage &stage : m_pipeline.stagesOf(func)) {
        m_plans[f].stages.push_back({plainNest(stage)});
        // Halide refuses a variant of what it inlines, and so does a rule.
        std::ranges::copy_if(
            before[stage.index].opaque, std::back_inserter(m_plans[f].stages.back().opaque),
            [](const OpaqueDirective &opaque) { return !signature(opaque.verb).ofFunc; });
      }
    }
  }

  void collectReaders(std::set<StageId> &readers, FuncId func) const {
    for (const pipeline::EdgeId edge : m_pipeline.edgesFrom(func)) {
      const StageId reader = m_pipeline.edge(edge).consumer;
      const FuncId owner = m_pipeline.stage(reader).func;
      if (owner == func) continue;
      if (m_plans[index(owner)].isInline())
        collectReaders(readers, owner);
      else
        readers.insert(reader);
    }
  }

  StagePlan &planOf(StageId stage) {
    const pipeline::Stage &of = m_pipeline.stage(stage);
    return m_plans[index(of.func)].stages[of.index];
  }

  // The call compute_at cannot say which stage of a func a loop belongs to. Unless `level` names an
  // update, it is the first stage that has such a loop and reads the placed func, or if there is
  // none, the first stage that has such a loop.
  Result<Place> resolve(const Level &level, FuncId placed) const {
    const auto func = funcNamed(m_pipeline, level.func);
    if (!func) return refused("there is no func '" + level.func + "' to be computed at");
    const pipeline::Func &of = m_pipeline.func(*func);
    const std::vector<bool> reading = readersOf(placed);
    std::optional<Place> first;
    for (std::uint32_t s = level.stage; s < of.stageCount; ++s) {
      const auto stage = static_cast<StageId>(index(of.firstStage) + s);
      const auto loop = m_nests[index(stage)].find(level.loop.name);
      if (!loop) continue;
      const Place found = Place::at(stage, *loop);
      if (level.stage != 0 || reading[index(stage)]) return found;
      if (!first) first = found;
    }
    if (first) return *first;
    return refused(level.func + " has no loop '" + level.loop.name + "' to be computed at");
  }

  // For each stage: whether it reads the func, or anything that is computed from it.
  std::vector<bool> readersOf(FuncId func) const {
    std::vector<bool> stages(m_pipeline.stages().size()), funcs(m_pipeline.funcs().size());
    funcs[index(func)] = true;
    for (std::size_t s = 0; s < stages.size(); ++s) { // producers first
      for (const pipeline::EdgeId edge : m_pipeline.edgesInto(static_cast<StageId>(s))) {
        const pipeline::Producer &from = m_pipeline.edge(edge).producer;
        const FuncId owner = m_pipeline.stages()[s].func;
        if (from.kind == pipeline::Producer::Kind::Func && funcs[from.index] &&
            from.index != index(owner))
          stages[s] = true;
      }
      if (stages[s]) funcs[index(m_pipeline.stages()[s].func)] = true;
    }
    return stages;
  }

  // The last directive about a place counts.
  Place &decided(Place &place) {
    std::erase_if(m_pending, [&](const Pending &pending) { return pending.place == &place; });
    return place = Place::root();
  }

  void placeLater(Place &place, FuncId func, const Directive &directive) {
    m_pending.push_back({&decided(place), func, std::get<Level>(directive.arguments[0])});
  }

  Status performOnFunc(FuncId id, const Directive &directive) {
    FuncPlan &plan = m_plans[index(id)];
    switch (directive.verb) {
    case Verb::ComputeRoot:
      decided(plan.compute);
      return Done{};
    case Verb::ComputeAt:
      placeLater(plan.compute, id, directive);
      return Done{};
    case Verb::StoreRoot:
      decided(plan.store.emplace());
      return Done{};
    case Verb::StoreAt:
      placeLater(plan.store.emplace(), id, directive);
      return Done{};
    case Verb::HoistStorageRoot:
      decided(plan.hoist.emplace());
      return Done{};
    case Verb::HoistStorage:
      placeLater(plan.hoist.emplace(), id, directive);
      return Done{};
    case Verb::StoreIn:
      plan.storage = std::get<Storage>(directive.arguments[0]);
      return Done{};
    case Verb::ReorderStorage:
      return reorderStorage(id, plan, loopNames(directive));
    case Verb::Memoize:
    case Verb::Async:
    case Verb::RingBuffer:
      flag(plan.stages.front().opaque, directive);
      return Done{};
    default:
      return performOnDimension(id, plan, directive);
    }
  }

  Status performOnDimension(FuncId id, FuncPlan &plan, const Directive &directive) {
    const std::vector<std::string> &args = m_pipeline.func(id).args;
    const std::string &name = loopAt(directive, 0).name;
    const auto found = std::ranges::find(args, name);
    if (found == args.end()) return refused("it has no dimension '" + name + "'");
    const auto dim = static_cast<std::size_t>(found - args.begin());
    if (isOpaque(directive)) {
      boundOpaquely(plan, args, dim, directive);
      return Done{};
    }
    if (const Status fits = checkNumbers(directive); !fits) return fits;
    if (directive.verb == Verb::Bound || directive.verb == Verb::BoundExtent)
      std::erase_if(plan.stages.front().opaque,
                    [&](const OpaqueDirective &other) { return isBoundOf(other, name); });
    plan.storageDims.resize(args.size());
    plan.bounds.resize(args.size());
    StorageDim &storage = plan.storageDims[dim];
    RegionBound &bound = plan.bounds[dim];
    const std::int64_t value = numberAt(directive, 1);
    if (directive.verb == Verb::AlignStorage) storage.alignment = value;
    if (directive.verb == Verb::BoundStorage) storage.bound = value;
    if (directive.verb == Verb::FoldStorage) storage.fold = value;
    if (directive.verb == Verb::BoundExtent) bound.extent = value;
    if (directive.verb == Verb::Bound) {
      bound.min = value;
      bound.extent = numberAt(directive, 2);
    }
    if (directive.verb == Verb::AlignBounds) {
      bound.modulus = value;
      bound.remainder = numberAt(directive, 2);
    }
    if (plan.storageDims == std::vector<StorageDim>(args.size())) plan.storageDims.clear();
    if (plan.bounds == std::vector<RegionBound>(args.size())) plan.bounds.clear();
    return Done{};
  }

  // The last such call counts. They have the order of the verbs, behind bounds.
  static void flag(std::vector<OpaqueDirective> &opaque, const Directive &directive) {
    std::erase_if(opaque,
                  [&](const OpaqueDirective &other) { return other.verb == directive.verb; });
    const auto after = std::ranges::find_if(
        opaque, [&](const OpaqueDirective &other) { return other.verb > directive.verb; });
    opaque.insert(after, {directive.verb, directive.arguments, false, {}, {}});
  }

  static bool isBoundOf(const OpaqueDirective &opaque, const std::string &dim) {
    const bool isBound = opaque.verb == Verb::Bound || opaque.verb == Verb::BoundExtent;
    return isBound && std::get<LoopName>(opaque.arguments[0]).name == dim;
  }

  // The last bound of a dimension counts, whether it is a number or an expression. Bounds come by
  // dimension, and before the variants, so that equal schedules have equal plans.
  static void boundOpaquely(FuncPlan &plan, const std::vector<std::string> &args, std::size_t dim,
                            const Directive &directive) {
    std::vector<OpaqueDirective> &opaque = plan.stages.front().opaque;
    std::erase_if(opaque,
                  [&](const OpaqueDirective &other) { return isBoundOf(other, args[dim]); });
    const auto after = std::ranges::find_if(opaque, [&](const OpaqueDirective &other) {
      const auto isOuter = [&](const std::string &arg) { return isBoundOf(other, arg); };
      return (other.verb != Verb::Bound && other.verb != Verb::BoundExtent) ||
             std::any_of(args.begin() + std::ptrdiff_t(dim), args.end(), isOuter);
    });
    opaque.insert(after, {directive.verb, directive.arguments, false, {}, {}});
    if (dim < plan.bounds.size()) {
      plan.bounds[dim].min.reset();
      plan.bounds[dim].extent.reset();
    }
    if (plan.bounds == std::vector<RegionBound>(plan.bounds.size())) plan.bounds.clear();
  }

  // Extents and multiples are positive, a remainder is below its modulus.
  static Status checkNumbers(const Directive &directive) {
    const bool minFirst = directive.verb == Verb::Bound;
    const std::int64_t size = numberAt(directive, minFirst ? 2 : 1);
    if (size < 1) return refused("'" + std::to_string(size) + "' must be 1 or more");
    if (directive.verb != Verb::AlignBounds) return Done{};
    const std::int64_t remainder = numberAt(directive, 2);
    if (remainder < 0 || remainder >= size)
      return refused("a remainder of " + std::to_string(remainder) + " of " + std::to_string(size));
    return Done{};
  }

  Status reorderStorage(FuncId id, FuncPlan &plan, const std::vector<std::string> &names) {
    const std::vector<std::string> &args = m_pipeline.func(id).args;
    // The listed dimensions keep the set of places that they have so far, and are put into these
    // places in the new order, as in Halide.
    std::vector<std::uint16_t> order = plan.layout, dims, places;
    if (order.empty()) {
      order.resize(args.size());
      std::iota(order.begin(), order.end(), std::uint16_t{0});
    }
    for (const std::string &name : names) {
      const auto found = std::ranges::find(args, name);
      if (found == args.end()) return refused("it has no dimension '" + name + "'");
      const auto dim = static_cast<std::uint16_t>(found - args.begin());
      if (std::ranges::find(dims, dim) != dims.end())
        return refused("'" + name + "' is listed twice");
      dims.push_back(dim);
      places.push_back(static_cast<std::uint16_t>(std::ranges::find(order, dim) - order.begin()));
    }
    std::ranges::sort(places);
    for (std::size_t i = 0; i < dims.size(); ++i)
      order[places[i]] = dims[i];
    plan.layout = std::ranges::is_sorted(order) ? std::vector<std::uint16_t>() : order;
    return Done{};
  }

  Status performOnStage(StageId stage, const Directive &directive) {
    NestBuilder &nest = m_nests[index(stage)];
    if (isOpaque(directive)) return m_opaque[index(stage)].add(directive);
    if (directive.verb != Verb::ComputeWith) m_opaque[index(stage)].say(directive);
    switch (directive.verb) {
    case Verb::Split:
      return nest.split(loopAt(directive, 0).name, loopAt(directive, 1).name,
                        loopAt(directive, 2).name, numberAt(directive, 3),
                        std::get<Tail>(directive.arguments[4]));
    case Verb::Fuse:
      return nest.fuse(loopAt(directive, 0).name, loopAt(directive, 1).name,
                       loopAt(directive, 2).name);
    case Verb::Reorder:
      return nest.reorder(loopNames(directive));
    case Verb::GpuBlocks:
      return mark(nest, directive, LoopKind::Block);
    case Verb::GpuThreads:
      return mark(nest, directive, LoopKind::Thread);
    case Verb::GpuLanes:
      return mark(nest, directive, LoopKind::Lane);
    case Verb::Unroll:
      return mark(nest, directive, LoopKind::Unrolled);
    case Verb::Vectorize:
      return mark(nest, directive, LoopKind::Vectorized);
    case Verb::Parallel:
      return mark(nest, directive, LoopKind::Parallel);
    case Verb::GpuSingleThread:
      nest.singleThread();
      return Done{};
    case Verb::Atomic:
      planOf(stage).atomic = numberAt(directive, 0) ? Atomic::Trusted : Atomic::Proven;
      return Done{};
    case Verb::AllowRaceConditions:
      planOf(stage).allowRaces = true;
      return Done{};
    case Verb::NeverPartitionAll:
      planOf(stage).neverPartition = true;
      return Done{};
    case Verb::ComputeWith:
      m_fusedWith.emplace_back(stage, std::get<Level>(directive.arguments[0]));
      return Done{};
    default:
      return refused("this is not a call of a stage");
    }
  }

  static Status mark(NestBuilder &nest, const Directive &directive, LoopKind kind) {
    for (const std::string &name : loopNames(directive))
      if (const Status done = nest.mark(name, kind); !done) return done;
    return Done{};
  }

  struct Pending {
    Place *place;
    FuncId func; // the func to be placed
    Level level;
  };
  const Pipeline &m_pipeline;
  std::vector<FuncPlan> m_plans;
  std::vector<NestBuilder> m_nests;  // by stage
  std::vector<OpaqueCalls> m_opaque; // by stage
  std::vector<Pending> m_pending;
  std::vector<std::pair<StageId, Level>> m_fusedWith;
};

} // namespace

Result<Schedule> raise(PipelinePtr base, std::span<const Directive> directives) {
  for (std::size_t i = 0; i < directives.size(); ++i)
    if (const std::string problem = problemWith(directives[i]); !problem.empty())
      return at(i, directives[i], refused(problem));
  Schedule schedule(std::move(base));
  Derivations derivations(directives);
  if (const Status done = derivations.addTo(schedule); !done) return done.error();
  Raising raising(schedule);
  for (std::size_t i = 0; i < directives.size(); ++i) {
    if (derivations.used(i)) continue;
    if (const Status done = raising.perform(directives[i]); !done)
      return at(i, directives[i], done.error());
  }
  if (const Status done = raising.finish(schedule); !done) return done.error();
  normalise(schedule);
  return schedule;
}

} // namespace tessera::schedule
