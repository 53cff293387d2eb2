// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/bounds.h"

#include "engine/schedule/bounds/bounds_notes.h"
#include "engine/schedule/bounds/footprint.h"
#include "engine/schedule/bounds/reach.h"
#include "engine/schedule/bounds/tile_ranges.h"
#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <ranges>
#include <utility>

namespace tessera::schedule {

using pipeline::Box;
using pipeline::Edge;
using pipeline::EdgeId;
using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;
using pipeline::StageId;

namespace {

// Bytes of the arena that one two-dimensional stage takes. The arena grows for larger stages.
constexpr std::size_t kBytesPerStage = 896;

// The func at the root of the kernel that a func is computed in.
FuncId kernelOf(const Schedule &schedule, FuncId func) {
  for (const Place *place = &schedule.plan(func).compute; place->kind == Place::Kind::At;
       place = &schedule.plan(func).compute)
    func = schedule.pipeline()->stage(place->stage).func;
  return func;
}

} // namespace

// Computes the bounds from the outputs to the inputs: the readers of a func come before the func.
class Bounds::Builder {
public:
  Builder(Bounds &bounds, const Schedule &schedule)
      : m_bounds(bounds), m_schedule(schedule), m_pipeline(*schedule.pipeline()),
        m_tiles(schedule) {}

  void build() {
    m_bounds.m_arena.setLeast(m_pipeline.stages().size() * kBytesPerStage);
    for (std::size_t f = m_pipeline.funcs().size(); f-- > 0;)
      measure(static_cast<FuncId>(f));
  }

  void build(std::span<const FuncId> only) {
    constexpr std::size_t kFew = 16; // room for at least so many funcs: some may be added later
    m_bounds.m_arena.setLeast(std::max(only.size(), kFew) * kBytesPerStage);
    for (std::size_t i = only.size(); i-- > 0;)
      add(only[i]);
  }

  void add(FuncId id) {
    m_sizesAlone = true;
    measure(id);
  }

  // Visits consumers before producers, because a change reaches a func through its consumers.
  std::vector<FuncId> follow(const Schedule &before, std::span<const FuncId> changed) {
    m_isReached.assign(m_pipeline.funcs().size(), false);
    m_isAsked = m_isReached;
    for (const FuncId id : changed) {
      reachKernels(before, id);
      reachKernels(m_schedule, id);
      if (isLaidOutOtherwise(before, id)) {
        reachReaders(before, id);
        reachReaders(m_schedule, id);
      }
      m_isAsked[index(id)] = true; // its RegionBounds may have changed
    }
    std::vector<FuncId> reached;
    for (std::size_t f = m_pipeline.funcs().size(); f-- > 0;)
      if (isReached(static_cast<FuncId>(f), changed)) reached.push_back(static_cast<FuncId>(f));
    std::ranges::reverse(reached);
    return reached;
  }

private:
  // Marks the kernels that a func is in, or is inlined into.
  void reachKernels(const Schedule &schedule, FuncId id) {
    if (schedule.plan(id).isInline())
      reachReaders(schedule, id);
    else
      m_isReached[index(kernelOf(schedule, id))] = true;
  }

  void reachReaders(const Schedule &schedule, FuncId id) {
    for (const StageId reader : readersOf(schedule, id))
      m_isReached[index(kernelOf(schedule, m_pipeline.stage(reader).func))] = true;
  }

  // Whether vector accesses of the func's readers may have become contiguous, or may have ceased to
  // be so: if the func's layout differs, or if a dimension has length 1, since tails may add
  // elements to it.
  bool isLaidOutOtherwise(const Schedule &before, FuncId id) const {
    return before.plan(id).layout != m_schedule.plan(id).layout ||
           std::ranges::any_of(m_pipeline.func(id).region,
                               [](const Interval &side) { return side.extent() == 1; });
  }

  // Whether a change reaches the func. If so, computes its bounds again.
  bool isReached(FuncId id, std::span<const FuncId> changed) {
    const FuncPlan &plan = m_schedule.plan(id);
    Notes &notes = m_bounds.m_notes[index(id)];
    const bool isNeededOtherwise = m_isAsked[index(id)] && renewEverywhere(notes, id);
    if (isNeededOtherwise && plan.isRoot()) m_isReached[index(id)] = true;
    if (plan.isInline()) { // kernels with the inlined func may have changed
      notes.known = {};
      notes.ranges = nullptr;
    }
    const bool isAnew = plan.isInline()
                            ? isNeededOtherwise || std::ranges::binary_search(changed, id)
                            : bool{m_isReached[index(kernelAround(id, plan))]};
    if (isAnew) {
      const Footprint *everywhere = notes.everywhere;
      m_bounds.forget(id);
      notes.everywhere = everywhere;
      measure(id);
    }
    if (isAnew || isNeededOtherwise) askAgain(id);
    return isAnew;
  }

  // Whether the footprint of a func over the whole run has changed. False if it was never computed,
  // since then nothing depends on it.
  bool renewEverywhere(Notes &notes, FuncId id) {
    const Footprint *before = std::exchange(notes.everywhere, nullptr);
    notes.ranges = nullptr;
    return before && !everywhere(id).isAs(*before);
  }

  void askAgain(FuncId reader) {
    for (const StageId stage : m_pipeline.stageIdsOf(reader))
      for (const EdgeId edge : m_pipeline.edgesInto(stage))
        if (const Producer &producer = m_pipeline.edge(edge).producer;
            producer.kind == Producer::Kind::Func)
          m_isAsked[producer.index] = true;
  }

  // The root func of the kernel around a func. Needs the bounds of the func's consumers.
  FuncId kernelAround(FuncId id, const FuncPlan &plan) const {
    if (plan.compute.kind != Place::Kind::At) return id;
    return m_bounds.m_funcs[index(m_pipeline.stage(plan.compute.stage).func)].kernel;
  }

  void measure(FuncId id) {
    const FuncPlan &plan = m_schedule.plan(id);
    FuncBounds &bounds = m_bounds.m_funcs[index(id)];
    m_bounds.m_notes[index(id)].ranges = nullptr;
    if (!plan.isInline()) {
      bounds.depth = depthOf(plan.compute);
      bounds.storeDepth = depthOf(plan.storePlace());
    }
    const Footprint &footprint = footprintOf(id, plan.isInline() ? Place::root() : plan.compute);
    m_bounds.m_notes[index(id)].computed = &footprint;
    bounds.computed = footprint.box;
    const Place &scope = plan.store && !plan.isInline() ? *plan.store : plan.compute;
    const Footprint &kept = plan.store && !plan.isInline() ? footprintOf(id, scope) : footprint;
    bounds.stored = largest(id, plan, kept, scope);
    bounds.extents = footprint.extents;
    bounds.aligned = footprint.aligned;
    measureStages(id, footprint);
    bounds.kernel = kernelAround(id, plan);
    if (!plan.isInline()) bounds.reached = footprint.reached;
  }

  void measureStages(FuncId id, const Footprint &footprint) {
    const pipeline::Func &func = m_pipeline.func(id);
    for (std::uint32_t s = 0; s < func.stageCount; ++s) {
      const auto stage = static_cast<StageId>(index(func.firstStage) + s);
      StageBounds &bounds = m_bounds.m_stages[index(stage)];
      const Ranges ranges = loopsOver(m_pipeline.stage(stage), footprint);
      const auto dims = room<std::int64_t>(ranges.loops.size());
      std::ranges::transform(ranges.loops, dims.begin(), &Interval::extent);
      bounds.dims = dims;
      bounds.extents = ranges.extents;
      bounds.courses = ranges.courses;
      const LoopNest &nest = m_schedule.plan(stage).nest;
      const auto loops = room<std::int64_t>(nest.loops.size());
      std::ranges::transform(nest.loops, loops.begin(),
                             [&](const Loop &loop) { return loopExtent(nest, loop.ref, dims); });
      bounds.loops = loops;
    }
  }

  template <typename T>
  std::span<T> room(std::size_t count) {
    return m_bounds.m_arena.room<T>(count);
  }

  template <typename T>
  std::span<T> many(std::size_t count, const T &value = {}) {
    const std::span<T> items = room<T>(count);
    std::uninitialized_fill(items.begin(), items.end(), value);
    return items;
  }

  // Consumers are measured before producers, so the depth of the func around `place` is known.
  Depth depthOf(const Place &place) const {
    if (place.kind != Place::Kind::At) return Depth::Host;
    const LoopNest &nest = m_schedule.plan(place.stage).nest;
    Depth depth = m_bounds.m_funcs[index(m_pipeline.stage(place.stage).func)].depth;
    for (std::size_t l = nest.find(place.loop).value_or(nest.loops.size()); l < nest.loops.size();
         ++l) {
      const LoopKind kind = nest.loops[l].kind;
      if (kind == LoopKind::Block) depth = std::max(depth, Depth::Block);
      if (kind == LoopKind::Thread || kind == LoopKind::Lane) depth = Depth::Thread;
    }
    return depth;
  }

  // The region to store for a footprint: the region of the largest iteration, and what tails add to
  // it.
  std::span<Interval> largest(FuncId id, const FuncPlan &plan, const Footprint &footprint,
                              const Place &scope) {
    const bool grows = mayGrow(plan);
    const bool isSlack = std::ranges::count(footprint.slack, 0) < std::ssize(footprint.slack);
    if (!grows && !isSlack && !footprint.drifts) return footprint.box;
    if (footprint.drifts && scope.kind == Place::Kind::At) addSlack(footprint, id, scope);
    // A bound of storage has to suffice. What a block needs, Halide computes at the launch.
    if (depthOf(scope) == Depth::Thread || plan.storage == Storage::Registers)
      footprint.spread(m_pipeline.func(id).region);
    const auto box = many<Interval>(footprint.box.size());
    for (std::size_t d = 0; d < box.size(); ++d)
      box[d] = longer(footprint.box[d], footprint.slack[d]);
    if (grows) addTails(box, id, plan, footprint);
    return box;
  }

  // Increases the slack if another iteration needs more than the one in the middle.
  void addSlack(const Footprint &footprint, FuncId id, const Place &scope) {
    for (const Iteration iteration : kCorners) {
      m_iteration = iteration;
      const Footprint &there = footprintOf(id, scope);
      for (std::size_t d = 0; d < footprint.box.size(); ++d)
        footprint.slack[d] = std::max(footprint.slack[d], there.box[d].extent() + there.slack[d] -
                                                              footprint.box[d].extent());
    }
    m_iteration = Iteration::Middle;
  }

  void addTails(std::span<Interval> box, FuncId id, const FuncPlan &plan,
                const Footprint &footprint) {
    for (const Stage &stage : m_pipeline.stagesOf(id)) {
      const Ranges ranges = withTails(plan, stage, loopsOver(stage, footprint));
      for (std::size_t l = 0; l < stage.loops.size(); ++l)
        if (const auto d = stage.loops[l].argument)
          box[*d] = pipeline::hull(box[*d], longer(ranges.loops[l], ranges.slack[l]));
    }
  }

  static bool mayGrow(const FuncPlan &plan) {
    for (const StagePlan &stage : plan.stages)
      for (const Axis &axis : stage.nest.axes)
        if (!axis.splits.empty() && axis.splits.front().tail != Tail::GuardWithIf) return true;
    return false;
  }

  Ranges withTails(const FuncPlan &plan, const Stage &stage, Ranges ranges) const {
    return TileRanges::withTails(plan, stage, m_bounds.m_funcs[index(stage.func)].depth, ranges);
  }

  // For a stage that is computed further in than the measured loop: widens the ranges by what its
  // tails add to one tile of the stage.
  Ranges withOwnTails(const FuncPlan &plan, const Stage &stage, Ranges ranges) {
    const Ranges own = loopsOver(stage, computed(stage.func));
    const Ranges tailed = withTails(plan, stage, loopsOver(stage, computed(stage.func)));
    for (std::size_t l = 0; l < ranges.loops.size(); ++l) {
      ranges.loops[l].min += tailed.loops[l].min - own.loops[l].min;
      ranges.loops[l].max += tailed.loops[l].max - own.loops[l].max;
    }
    return ranges;
  }

  Columns columns(std::size_t count) {
    return {room<std::byte>(count * Columns::kRow).data(), count};
  }

  // The footprint before any reader is added: an empty box.
  Footprint emptyFootprint(std::size_t dims, std::int64_t aligned) {
    const Columns all = columns(dims);
    for (std::size_t d = 0; d < dims; ++d) {
      all.intervals[d] = kNothing;
      all.extents[d] = Extent::Constant;
      all.aligned[d] = aligned;
      all.slack[d] = 0;
      all.speed[d] = 0;
      all.shifted[d] = false;
      all.turned[d] = false;
      all.courses[d] = {};
    }
    return all.footprint();
  }

  // The ranges of a stage's loops when its func is computed over a footprint.
  Ranges loopsOver(const Stage &stage, const Footprint &footprint) {
    const std::size_t count = stage.loops.size();
    const Ranges ranges = columns(count).ranges();
    for (std::size_t l = 0; l < count; ++l) {
      const LoopDim &loop = stage.loops[l];
      if (const auto d = loop.argument)
        footprint.setLoop(ranges, l, *d);
      else
        ranges.set(l, loop.range, loop.fixed ? Extent::Constant : Extent::Whole);
    }
    return ranges;
  }

  bool isWithin(FuncId func, const Place &scope) const {
    if (scope.kind != Place::Kind::At || m_schedule.plan(func).compute == scope) return true;
    const std::size_t height = heightOf(scope);
    // Walks from the func's own place outwards.
    for (Place place = m_schedule.plan(func).compute; place.kind == Place::Kind::At;) {
      if (place.stage == scope.stage) return heightOf(place) <= height;
      place = m_schedule.plan(m_pipeline.stage(place.stage).func).compute;
    }
    return false;
  }

  std::size_t heightOf(const Place &place) const {
    return m_schedule.plan(place.stage).nest.find(place.loop).value_or(0);
  }

  const Footprint &computed(FuncId id) const { return *m_bounds.m_notes[index(id)].computed; }

  const Footprint &everywhere(FuncId id) {
    const Footprint *&known = m_bounds.m_notes[index(id)].everywhere;
    if (known) return *known;
    const Footprint footprint = computeEverywhere(id);
    if (m_sizesAlone) m_bounds.m_noted.push_back(id);
    known = &many(1, footprint).front();
    return *known;
  }

  const Footprint &footprintOf(FuncId id, const Place &scope) {
    if (scope.kind != Place::Kind::At) return everywhere(id);
    const KnownFootprint *&all =
        m_bounds.m_notes[index(id)].known[static_cast<std::size_t>(m_iteration)];
    for (const KnownFootprint *known = all; known; known = known->next)
      if (known->scope == scope) return known->footprint;
    const Footprint footprint = computeFootprint(id, scope);
    if (m_sizesAlone) m_bounds.m_noted.push_back(id);
    all = &many(1, KnownFootprint{scope, footprint, all}).front();
    return all->footprint;
  }

  Footprint computeFootprint(FuncId id, const Place &scope) {
    Footprint footprint = emptyFootprint(m_pipeline.func(id).args.size(), 0); // 0: no alignment yet
    for (const EdgeId edge : m_pipeline.edgesFrom(id)) {
      const Edge &read = m_pipeline.edge(edge);
      if (m_pipeline.stage(read.consumer).func != id) addReader(footprint, read, scope);
    }
    footprint.drifts = footprint.drifts || m_pipeline.func(id).stageCount > 1;
    addOwnUpdates(footprint, id);
    footprint.limit(m_pipeline.func(id).region);
    applyBounds(footprint, id);
    return footprint;
  }

  // The pipeline gives the size of a whole func. How well Halide knows that size follows from the
  // readers.
  Footprint computeEverywhere(FuncId id) {
    const Box &region = m_pipeline.func(id).region;
    Footprint footprint = emptyFootprint(region.size(), 1); // 1: unknown alignment
    std::ranges::copy(region, footprint.box.begin());
    if (!m_sizesAlone)
      for (const EdgeId edge : m_pipeline.edgesFrom(id))
        if (m_pipeline.stage(m_pipeline.edge(edge).consumer).func != id)
          addReader(footprint, m_pipeline.edge(edge));
    addOutput(footprint, id);
    applyBounds(footprint, id);
    return footprint;
  }

  // Adds how well Halide knows the extents that a reader needs over the whole run.
  void addReader(Footprint &footprint, const Edge &read) {
    const FuncPlan &plan = m_schedule.plan(m_pipeline.stage(read.consumer).func);
    footprint.addExtents(read, rangesEverywhere(read.consumer));
    if (plan.isInline()) footprint.forgetClamps();
  }

  Ranges rangesEverywhere(StageId id) {
    return rangesIn(id, Place::root(), Iteration::Middle, [&] {
      const Stage &stage = m_pipeline.stage(id);
      const FuncPlan &plan = m_schedule.plan(stage.func);
      Ranges ranges = loopsOver(stage, everywhere(stage.func));
      if (plan.compute.kind == Place::Kind::At && mayGrow(plan))
        ranges = withOwnTails(plan, stage, ranges);
      return withTails(plan, stage, ranges);
    });
  }

  template <typename Compute>
  Ranges rangesIn(StageId stage, const Place &scope, Iteration iteration, Compute compute) {
    const KnownRanges *&all = m_bounds.m_notes[index(m_pipeline.stage(stage).func)].ranges;
    for (const KnownRanges *known = all; known; known = known->next)
      if (known->stage == stage && known->scope == scope && known->iteration == iteration)
        return Columns(known->columns, m_pipeline.stage(stage).loops.size()).ranges();
    const Ranges ranges = compute();
    auto *const columns = reinterpret_cast<std::byte *>(ranges.loops.data());
    all = &many(1, KnownRanges{stage, scope, iteration, columns, all}).front();
    return ranges;
  }

  void applyBounds(Footprint &footprint, FuncId id) const {
    const std::vector<RegionBound> &promised = m_schedule.plan(id).bounds;
    for (std::size_t d = 0; d < promised.size(); ++d)
      footprint.bound(d, promised[d], m_pipeline.func(id).region[d]);
  }

  // Halide computes at least the region of an output that the caller asks for.
  void addOutput(Footprint &footprint, FuncId id) const {
    for (const pipeline::Output &output : m_pipeline.outputs())
      for (std::size_t d = 0; output.func == id && d < footprint.extents.size(); ++d) {
        const pipeline::Estimate &size = output.dims[d];
        footprint.extents[d] = size.fixed && size.fixedMin ? Extent::Constant
                               : size.fixed                ? Extent::Fixed
                                                           : Extent::Whole;
        footprint.aligned[d] = size.fixedMin ? 0 : 1; // 0: Halide knows the start, a constant
      }
  }

  void addReader(Footprint &footprint, const Edge &read, const Place &scope) {
    const Stage &consumer = m_pipeline.stage(read.consumer);
    const FuncPlan &plan = m_schedule.plan(consumer.func);
    if (read.consumer == scope.stage && !plan.isInline()) {
      const Footprint &whole = m_iteration == Iteration::Middle
                                   ? computed(consumer.func)
                                   : footprintOf(consumer.func, plan.compute);
      footprint.drifts = footprint.drifts || whole.drifts;
      footprint.add(read, rangesIn(read.consumer, scope, m_iteration,
                                   [&] { return tileOf(read.consumer, plan, scope.loop, whole); }));
      return;
    }
    if (!plan.isInline() && !isWithin(consumer.func, scope)) {
      footprint.reached = false;
      return;
    }
    const Footprint &reader = footprintOf(consumer.func, scope);
    footprint.reached = footprint.reached && reader.reached;
    footprint.drifts = footprint.drifts || reader.drifts;
    footprint.add(read, rangesIn(read.consumer, scope, m_iteration,
                                 [&] { return rangesInside(consumer, plan, scope, reader); }));
    if (plan.isInline()) footprint.forgetClamps();
  }

  // The ranges of a stage in one iteration of `loop`, which is one of its loops.
  Ranges tileOf(StageId id, const FuncPlan &plan, LoopRef loop, const Footprint &whole) {
    const Stage &stage = m_pipeline.stage(id);
    const Ranges loops = loopsOver(stage, whole);
    std::span<Extent> extents = loops.extents;
    if (!plan.isRoot()) { // a copy, because withTails() overwrites what is known without guards
      extents = room<Extent>(loops.extents.size());
      std::ranges::copy(loops.extents, extents.begin());
    }
    if (!plan.isRoot() && depthOf(Place::at(id, loop)) == Depth::Thread)
      m_tiles.addParts(stage, computed(stage.func), loops);
    return m_tiles.tileOf(id, loop, m_iteration, withTails(plan, stage, loops), extents);
  }

  // The ranges of a stage that is computed in the scope, or further in.
  Ranges rangesInside(const Stage &stage, const FuncPlan &plan, const Place &scope,
                      const Footprint &footprint) {
    Ranges ranges = loopsOver(stage, footprint);
    if (!plan.isInline() && plan.compute != scope) {
      const Footprint &own = computed(stage.func);
      const Depth depth = depthOf(scope);
      if (mayGrow(plan)) ranges = withOwnTails(plan, stage, ranges);
      if (m_tiles.isDoubtful(stage, own, depth))
        m_tiles.addBegun(stage, own, footprint, begunIn(stage.func, plan, scope), depth, ranges);
      if (depth == Depth::Thread) {
        m_tiles.addDoubt(stage, own, ranges);
        m_tiles.addParts(stage, own, ranges);
      }
    }
    return withTails(plan, stage, ranges);
  }

  // The footprint in the scope, ignoring guards that are tested only inside of the func's compute
  // place. Empty if no tail may add elements, or if that place is not a loop of the scope's stage.
  Footprint begunIn(FuncId id, const FuncPlan &plan, const Place &scope) {
    Footprint footprint = emptyFootprint(m_pipeline.func(id).args.size(), 1);
    if (plan.compute.stage != scope.stage || !mayGrow(plan)) return footprint;
    const Stage &around = m_pipeline.stage(scope.stage);
    for (const EdgeId edge : m_pipeline.edgesFrom(id)) {
      const Edge &read = m_pipeline.edge(edge);
      if (read.consumer != scope.stage) continue;
      const Ranges loops = loopsOver(around, computed(around.func));
      m_tiles.passGuards(scope.stage, plan.compute.loop, loops);
      const Ranges tailed = withTails(m_schedule.plan(around.func), around, loops);
      footprint.add(read,
                    m_tiles.tileOf(scope.stage, scope.loop, m_iteration, tailed, loops.extents));
    }
    return footprint;
  }

  // An update may read and write more of its func than other funcs read.
  void addOwnUpdates(Footprint &footprint, FuncId id) {
    if (footprint.isEmpty()) return;
    const auto stages = m_pipeline.stagesOf(id);
    for (std::size_t s = stages.size(); s-- > 1;) {
      const Ranges ranges = loopsOver(stages[s], footprint);
      for (std::size_t d = 0; d < footprint.box.size(); ++d)
        footprint.add(d, reachOf(stages[s].store.indices[d], ranges));
      const auto stage = static_cast<StageId>(index(m_pipeline.func(id).firstStage) + s);
      for (const EdgeId edge : m_pipeline.edgesInto(stage))
        if (m_pipeline.edge(edge).producer == Producer::func(id))
          footprint.add(m_pipeline.edge(edge), ranges);
    }
  }

  Bounds &m_bounds;
  const Schedule &m_schedule;
  const Pipeline &m_pipeline;
  const TileRanges m_tiles;
  Iteration m_iteration = Iteration::Middle;
  bool m_sizesAlone = false; // only sizes are measured, not how well Halide knows them
  // What a change reaches. m_isReached: kernels, by their root func. m_isAsked: funcs whose
  // consumers may need a different region of them.
  std::vector<bool> m_isReached, m_isAsked;
};

Bounds::Bounds(const Schedule &schedule) { renew(schedule); }

Bounds::Bounds(const Schedule &schedule, std::span<const FuncId> only) { renew(schedule, only); }

void Bounds::renew(const Schedule &schedule) {
  reset(schedule.pipeline());
  m_isWhole = true;
  Builder(*this, schedule).build();
}

void Bounds::renew(const Schedule &schedule, std::span<const FuncId> only) {
  if (m_pipeline == schedule.pipeline() && !m_isWhole)
    forget();
  else
    reset(schedule.pipeline());
  m_isWhole = false;
  m_measured.assign(only.begin(), only.end());
  Builder(*this, schedule).build(only);
}

void Bounds::reset(const pipeline::PipelinePtr &pipeline) {
  m_pipeline = pipeline;
  m_arena.clear();
  m_funcs.assign(pipeline->funcs().size(), {});
  m_stages.assign(pipeline->stages().size(), {});
  m_notes.assign(pipeline->funcs().size(), {});
  m_noted.clear();
}

// `func` may already be the last added func, if only its loops have changed. The region that its
// consumers need stays valid then, so only `func` itself is measured again.
void Bounds::add(const Schedule &schedule, FuncId func) {
  if (m_measured.empty() || m_measured.back() != func) m_measured.push_back(func);
  Builder(*this, schedule).add(func);
}

void Bounds::addRest(const Schedule &schedule, std::span<const FuncId> only) {
  for (const FuncId func : only.first(only.size() - m_measured.size()) | std::views::reverse)
    add(schedule, func);
}

std::vector<FuncId> Bounds::follow(const Schedule &before, const Schedule &after,
                                   std::span<const FuncId> changed) {
  return Builder(*this, after).follow(before, changed);
}

void Bounds::forget() {
  m_arena.clear();
  for (const FuncId id : m_measured)
    forget(id);
  for (const FuncId id : m_noted)
    m_notes[index(id)] = {};
  m_measured.clear();
  m_noted.clear();
}

void Bounds::forget(FuncId id) {
  const pipeline::Func &func = m_pipeline->func(id);
  m_funcs[index(id)] = {};
  m_notes[index(id)] = {};
  for (std::uint32_t s = 0; s < func.stageCount; ++s)
    m_stages[index(func.firstStage) + s] = {};
}

} // namespace tessera::schedule
