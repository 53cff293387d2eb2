// SPDX-License-Identifier: MIT
#include "engine/schedule/shape.h"

#include "engine/pipeline/saturating.h"
#include "engine/schedule/fixed_parts.h"
#include "engine/schedule/reach.h"
#include "engine/schedule/tails.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <type_traits>

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

constexpr Interval kNothing{pipeline::kPlusInfinity, pipeline::kMinusInfinity};

// What a stage of two dimensions in a group takes; what takes more gets another piece.
constexpr std::size_t kBytesPerStage = 768;

bool isNothing(const Interval &interval) { return interval == kNothing; }

Interval longer(Interval range, std::int64_t by) {
  if (by > 0) range.max = pipeline::saturatingAdd(range.max, by);
  return range;
}

bool alike(const Place &a, const Place &b) {
  return a.kind == b.kind && (a.kind != Place::Kind::At || a == b);
}

} // namespace

// What is computed of a func in one iteration of a scope.
struct Shape::Need {
  std::span<Interval> box;
  std::span<Extent> extents;       // by dimension
  std::span<std::int64_t> aligned; // by dimension: what its start is a multiple of
  std::span<std::int64_t> slack;   // by dimension: how much longer it is in another iteration
  std::span<double> speed;         // by dimension, as Ranges::speed
  bool reached = true;
  bool drifts = false; // it has readers that do not move alike
};

// What was asked before of the same func.
struct Shape::KnownNeed {
  Place scope;
  Need need;
  const KnownNeed *next = nullptr;
};

// Walks from the outputs to the inputs, so that all readers of a func are known before it.
class Shape::Builder {
public:
  Builder(Shape &shape, const Schedule &schedule)
      : m_shape(shape), m_schedule(schedule), m_pipeline(*schedule.pipeline()) {}

  void build() {
    m_shape.m_arena.setLeast(m_pipeline.stages().size() * kBytesPerStage);
    for (std::size_t f = m_pipeline.funcs().size(); f-- > 0;)
      measure(static_cast<FuncId>(f));
  }

  void build(std::span<const FuncId> only) {
    constexpr std::size_t kFew = 16; // that may be added later
    m_shape.m_arena.setLeast(std::max(only.size(), kFew) * kBytesPerStage);
    for (std::size_t i = only.size(); i-- > 0;)
      add(only[i]);
  }

  void add(FuncId id) {
    m_sizesAlone = true;
    measure(id);
  }

private:
  void measure(FuncId id) {
    const FuncPlan &plan = m_schedule.plan(id);
    FuncShape &shape = m_shape.m_funcs[index(id)];
    shape.kernel = id;
    if (!plan.isInline()) {
      shape.depth = depthOf(plan.compute);
      shape.storeDepth = depthOf(plan.storePlace());
    }
    const Need &need = needOf(id, plan.isInline() ? Place::root() : plan.compute);
    m_shape.m_notes[index(id)].computed = &need;
    shape.computed = need.box;
    const Place &scope = plan.store && !plan.isInline() ? *plan.store : plan.compute;
    const Need &kept = plan.store && !plan.isInline() ? needOf(id, scope) : need;
    shape.stored = largest(id, plan, kept, scope);
    shape.extents = need.extents;
    shape.aligned = need.aligned;
    measureStages(id, need);
    if (plan.isInline()) return;
    shape.reached = need.reached;
    if (plan.compute.kind == Place::Kind::At)
      shape.kernel = m_shape.m_funcs[index(m_pipeline.stage(plan.compute.stage).func)].kernel;
  }

  void measureStages(FuncId id, const Need &need) {
    const pipeline::Func &func = m_pipeline.func(id);
    for (std::uint32_t s = 0; s < func.stageCount; ++s) {
      const auto stage = static_cast<StageId>(index(func.firstStage) + s);
      StageShape &shape = m_shape.m_stages[index(stage)];
      const Ranges ranges = loopsOver(m_pipeline.stage(stage), need);
      const auto dims = room<std::int64_t>(ranges.loops.size());
      std::ranges::transform(ranges.loops, dims.begin(), &Interval::extent);
      shape.dims = dims;
      shape.extents = ranges.extents;
      const LoopNest &nest = m_schedule.plan(stage).nest;
      const auto loops = room<std::int64_t>(nest.loops.size());
      std::ranges::transform(nest.loops, loops.begin(),
                             [&](const Loop &loop) { return loopExtent(nest, loop.ref, dims); });
      shape.loops = loops;
    }
  }

  template <typename T>
  std::span<T> room(std::size_t count) {
    return m_shape.m_arena.room<T>(count);
  }

  template <typename T>
  std::span<T> many(std::size_t count, const T &value = {}) {
    const std::span<T> items = room<T>(count);
    std::uninitialized_fill(items.begin(), items.end(), value);
    return items;
  }

  // A consumer is measured before its producers: its depth is known.
  Depth depthOf(const Place &place) const {
    if (place.kind != Place::Kind::At) return Depth::Host;
    const LoopNest &nest = m_schedule.plan(place.stage).nest;
    Depth depth = m_shape.m_funcs[index(m_pipeline.stage(place.stage).func)].depth;
    for (std::size_t l = nest.find(place.loop).value_or(nest.loops.size()); l < nest.loops.size();
         ++l) {
      const LoopKind kind = nest.loops[l].kind;
      if (kind == LoopKind::Block) depth = std::max(depth, Depth::Block);
      if (kind == LoopKind::Thread || kind == LoopKind::Lane) depth = Depth::Thread;
    }
    return depth;
  }

  // What has to be kept of a need: of the largest iteration, and what tails compute beyond it.
  std::span<Interval> largest(FuncId id, const FuncPlan &plan, const Need &need,
                              const Place &scope) {
    const bool grows = mayGrow(plan);
    const bool isSlack = std::ranges::count(need.slack, 0) < std::ssize(need.slack);
    if (!grows && !isSlack && !need.drifts) return need.box;
    if (need.drifts && scope.kind == Place::Kind::At) addSlack(need, id, scope);
    const auto box = many<Interval>(need.box.size());
    for (std::size_t d = 0; d < box.size(); ++d)
      box[d] = longer(need.box[d], need.slack[d]);
    if (grows) addTails(box, id, plan, need);
    return box;
  }

  // What is needed in the first or in the last iteration and is more than in the middle.
  void addSlack(const Need &need, FuncId id, const Place &scope) {
    for (const Iteration iteration : {Iteration::First, Iteration::Last}) {
      m_iteration = iteration;
      const Need &there = needOf(id, scope);
      for (std::size_t d = 0; d < need.box.size(); ++d)
        need.slack[d] =
            std::max(need.slack[d], there.box[d].extent() + there.slack[d] - need.box[d].extent());
    }
    m_iteration = Iteration::Middle;
  }

  void addTails(std::span<Interval> box, FuncId id, const FuncPlan &plan, const Need &need) {
    for (const Stage &stage : m_pipeline.stagesOf(id)) {
      const Ranges ranges = withTails(plan, stage, loopsOver(stage, need));
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

  // What the loops run over, and how well Halide knows that: inside of a kernel, what is behind a
  // guard is the smaller of two ends, and of what follows from it less is known each time.
  Ranges withTails(const FuncPlan &plan, const Stage &stage, Ranges ranges) const {
    const LoopNest &nest = plan.stages[stage.index].nest;
    for (std::uint16_t d = 0; d < ranges.loops.size(); ++d) {
      if (nest.axes[d].splits.empty()) continue;
      const Tail tail = outerTail(stage, nest, d);
      const std::int64_t factor = nest.axes[d].splits.front().factor;
      const Interval longest = longer(ranges.loops[d], ranges.slack[d]);
      ranges.loops[d] = withTail(ranges.loops[d], factor, tail);
      ranges.slack[d] = withTail(longest, factor, tail).extent() - ranges.loops[d].extent();
      Extent &extent = ranges.extents[d];
      if (plan.isRoot()) continue;
      // Of a tile that something cuts, the end of a part may be anywhere in it; what is shifted
      // back may begin before what its readers need themselves.
      const bool inThread = m_shape.m_funcs[index(stage.func)].depth == Depth::Thread;
      const bool mayMove = extent > Extent::Fixed || (shifts(tail) && extent != Extent::Constant);
      if (inThread && !guards(tail) && mayMove) ranges.slack[d] += factor - 1;
      if (guards(tail))
        extent = guarded(extent);
      else if (shifts(tail) && extent > Extent::Fixed && extent != Extent::Whole)
        extent = Extent::Unknown;
    }
    return ranges;
  }

  // Of a stage that is computed further in: by what its tails go beyond each of its own tiles.
  Ranges withOwnTails(const FuncPlan &plan, const Stage &stage, Ranges ranges) {
    const Ranges own = loopsOver(stage, computed(stage.func));
    const Ranges tailed = withTails(plan, stage, loopsOver(stage, computed(stage.func)));
    for (std::size_t l = 0; l < ranges.loops.size(); ++l) {
      ranges.loops[l].min += tailed.loops[l].min - own.loops[l].min;
      ranges.loops[l].max += tailed.loops[l].max - own.loops[l].max;
    }
    return ranges;
  }

  // What a guard inside of a kernel leaves of it, a second guard being too much.
  static Extent guarded(Extent extent) {
    if (extent == Extent::Constant || extent == Extent::Whole) return extent;
    return extent <= Extent::Adrift ? Extent::Guarded : Extent::Unknown;
  }

  static Tail outerTail(const Stage &stage, const LoopNest &nest, std::uint16_t dim) {
    return performed(nest.axes[dim].splits.front().tail, stage.index > 0,
                     stage.loops[dim].kind == LoopDim::Kind::Reduction);
  }

  // Of a stage's dimensions when its func is computed over what is needed.
  Ranges loopsOver(const Stage &stage, const Need &need) {
    const std::size_t count = stage.loops.size();
    const Ranges ranges{room<Interval>(count), room<Extent>(count), room<std::int64_t>(count),
                        room<std::int64_t>(count), room<double>(count)};
    for (std::size_t l = 0; l < count; ++l) {
      const LoopDim &loop = stage.loops[l];
      if (const auto d = loop.argument)
        ranges.set(l, need.box[*d], need.extents[*d], need.aligned[*d], need.slack[*d],
                   need.speed[*d]);
      else
        ranges.set(l, loop.range, loop.fixed ? Extent::Constant : Extent::Whole, 1, 0, 0);
    }
    return ranges;
  }

  // Of those, what one iteration of a loop and of all outside of it covers.
  Ranges tileOf(StageId id, LoopRef loop, Ranges ranges, std::span<const Extent> whole) const {
    const LoopNest &nest = m_schedule.plan(id).nest;
    const std::size_t place = nest.find(loop).value_or(0);
    for (std::uint16_t d = 0; d < ranges.loops.size(); ++d) {
      const Axis &axis = nest.axes[d];
      std::uint16_t part = 0;
      while (part < axis.parts() && isFixed(nest, {d, part}, place))
        ++part;
      if (isPartlyFixed(nest, {d, part}, place)) ranges.extents[d] = Extent::Unknown;
      if (part == 0) continue;
      Interval &range = ranges.loops[d];
      const std::int64_t size = part == axis.parts() ? 1 : axis.splits[part - 1].factor;
      ranges.extents[d] = extentOfTile(id, d, part, size, whole[d], range.extent());
      const std::int64_t start = pipeline::saturatingAdd(range.min, before(range, size));
      const std::int64_t most = longestTile(id, d, range, ranges.slack[d]);
      range = {start, pipeline::saturatingAdd(start, std::min(size, most) - 1)};
      ranges.slack[d] = 0;
      ranges.speed[d] = std::sqrt(2.0 + d); // no sum of some is a sum of others
      ranges.aligned[d] = std::gcd(ranges.aligned[d], size);
    }
    return ranges;
  }

  // Inside of a kernel, a tile that a guard cuts is no longer than all of them. How long a kernel
  // is depends on the size.
  std::int64_t longestTile(StageId id, std::uint16_t dim, const Interval &range,
                           std::int64_t slack) const {
    const Stage &stage = m_pipeline.stage(id);
    const LoopNest &nest = m_schedule.plan(id).nest;
    const bool isCut = !m_schedule.plan(stage.func).isRoot() && !nest.axes[dim].splits.empty() &&
                       guards(outerTail(stage, nest, dim));
    return isCut && !range.empty() ? pipeline::saturatingAdd(range.extent(), slack)
                                   : pipeline::kPlusInfinity;
  }

  // How far the tile to look at is from the first one.
  std::int64_t before(const Interval &range, std::int64_t size) const {
    if (m_iteration == Iteration::First || range.empty()) return 0;
    if (m_iteration == Iteration::Last) return (range.extent() - 1) / size * size;
    const std::int64_t tiles = (range.extent() + size - 1) / size;
    return tiles > 2 ? std::min((tiles / 2) | 1, tiles - 2) * size : 0;
  }

  // A guard cuts the last tile at the end of the func: an output's is a name, where another's comes
  // out of what its readers need, which Halide sees through now and then: of 104 unrolled for that,
  // 15 did not compile or had too many threads. A guard inside of a guarded tile is more than it
  // sees through.
  Extent extentOfTile(StageId id, std::uint16_t dim, std::uint16_t part, std::int64_t size,
                      Extent whole, std::int64_t extent) const {
    const Stage &stage = m_pipeline.stage(id);
    const LoopNest &nest = m_schedule.plan(id).nest;
    const bool isOutput = m_pipeline.func(stage.func).isOutput;
    const bool fused = !nest.find({dim, 0});
    const std::vector<Split> &splits = nest.axes[dim].splits;
    if (whole == Extent::Constant && (splits.empty() || extent % splits.front().factor == 0))
      return Extent::Fixed; // and by all factors inside of that one
    if (part == nest.axes[dim].parts()) return fused && !isOutput ? Extent::Unknown : Extent::Fixed;
    if (!guards(outerTail(stage, nest, dim)) ||
        isMultiple(stage, dim, m_schedule.plan(stage.func).bounds, size))
      return Extent::Fixed;
    if (size > extent && part > 1) return Extent::Bounded;
    if (fused) return Extent::Unknown;
    return isOutput || whole <= Extent::Fixed ? Extent::Guarded : Extent::Unknown;
  }

  bool isWithin(FuncId func, const Place &scope) const {
    if (scope.kind != Place::Kind::At || m_schedule.plan(func).compute == scope) return true;
    const std::size_t height = heightOf(scope);
    // From the func's own place outwards.
    for (Place place = m_schedule.plan(func).compute; place.kind == Place::Kind::At;) {
      if (place.stage == scope.stage) return heightOf(place) <= height;
      place = m_schedule.plan(m_pipeline.stage(place.stage).func).compute;
    }
    return false;
  }

  std::size_t heightOf(const Place &place) const {
    return m_schedule.plan(place.stage).nest.find(place.loop).value_or(0);
  }

  const Need &computed(FuncId id) const { return *m_shape.m_notes[index(id)].computed; }

  const Need &needOf(FuncId id, const Place &scope) {
    const KnownNeed *&all = m_shape.m_notes[index(id)].known[static_cast<std::size_t>(m_iteration)];
    for (const KnownNeed *known = all; known; known = known->next)
      if (alike(known->scope, scope)) return known->need;
    const Need need = computeNeed(id, scope);
    if (m_sizesAlone) m_shape.m_noted.push_back(id);
    all = &many(1, KnownNeed{scope, need, all}).front();
    return all->need;
  }

  Need computeNeed(FuncId id, const Place &scope) {
    const bool everywhere = scope.kind != Place::Kind::At;
    const std::size_t dims = m_pipeline.func(id).args.size();
    Need need{many(dims, everywhere ? pipeline::kEverything : kNothing),
              many(dims, Extent::Constant), many<std::int64_t>(dims), // 0: nothing said yet
              many<std::int64_t>(dims), many<double>(dims)};
    for (const EdgeId edge : m_pipeline.edgesFrom(id)) {
      if (everywhere && m_sizesAlone) break; // known: no need to ask the whole pipeline
      const Edge &read = m_pipeline.edge(edge);
      if (m_pipeline.stage(read.consumer).func != id) addReader(need, read, scope);
    }
    if (everywhere) {
      std::ranges::copy(m_pipeline.func(id).region, need.box.begin());
      std::ranges::fill(need.aligned, 1); // where the whole begins nobody knows
      std::ranges::fill(need.slack, 0);
      addOutput(need, id);
    } else {
      need.drifts = need.drifts || m_pipeline.func(id).stageCount > 1;
      addOwnUpdates(need, id);
      limit(need, m_pipeline.func(id).region);
    }
    const std::vector<RegionBound> &bounds = m_schedule.plan(id).bounds;
    for (std::size_t d = 0; d < bounds.size(); ++d)
      applyBound(need, d, bounds[d]);
    return need;
  }

  static void applyBound(Need &need, std::size_t dim, const RegionBound &bound) {
    Interval &side = need.box[dim];
    Extent &extent = need.extents[dim];
    if (bound.extent) extent = std::min(extent, bound.min ? Extent::Constant : Extent::Fixed);
    if (bound.modulus <= 0) return;
    // Rounded outwards on both sides.
    need.aligned[dim] = bound.modulus;
    side.min = pipeline::floorDivide(side.min - bound.remainder, bound.modulus) * bound.modulus +
               bound.remainder;
    const std::int64_t extents = side.max - side.min + 1;
    side.max = side.min + (extents + bound.modulus - 1) / bound.modulus * bound.modulus - 1;
    need.slack[dim] = pipeline::saturatingAdd(need.slack[dim], bound.modulus);
  }

  // Halide computes at least what the caller wants of an output.
  void addOutput(Need &need, FuncId id) const {
    for (const pipeline::Output &output : m_pipeline.outputs())
      for (std::size_t d = 0; output.func == id && d < need.extents.size(); ++d) {
        const pipeline::Estimate &size = output.dims[d];
        need.extents[d] = size.fixed && size.fixedMin ? Extent::Constant
                          : size.fixed                ? Extent::Fixed
                                                      : Extent::Whole;
        need.aligned[d] = size.fixedMin ? 0 : 1; // 0: known
      }
  }

  static void limit(Need &need, const Box &region) {
    for (std::size_t d = 0; d < need.box.size(); ++d) {
      Interval &side = need.box[d];
      if (isNothing(side)) side = region[d];
      if (side.min == pipeline::kMinusInfinity) side.min = region[d].min;
      if (side.max == pipeline::kPlusInfinity) side.max = region[d].max;
      const std::int64_t rest = region[d].extent() - side.extent(); // negative: tails reach beyond
      if (rest >= 0) need.slack[d] = std::min(need.slack[d], rest);
    }
  }

  void addReader(Need &need, const Edge &read, const Place &scope) {
    const Stage &consumer = m_pipeline.stage(read.consumer);
    const FuncPlan &plan = m_schedule.plan(consumer.func);
    const bool everywhere = scope.kind != Place::Kind::At;
    if (!everywhere && read.consumer == scope.stage && !plan.isInline()) {
      const Need &whole = m_iteration == Iteration::Middle ? computed(consumer.func)
                                                           : needOf(consumer.func, plan.compute);
      need.drifts = need.drifts || whole.drifts;
      const Ranges loops = loopsOver(consumer, whole);
      std::span<Extent> extents = loops.extents;
      if (!plan.isRoot()) { // before guards make them vaguer
        extents = room<Extent>(loops.extents.size());
        std::ranges::copy(loops.extents, extents.begin());
      }
      addFootprint(need, read,
                   tileOf(read.consumer, scope.loop, withTails(plan, consumer, loops), extents));
      return;
    }
    if (!plan.isInline() && !isWithin(consumer.func, scope)) {
      need.reached = false;
      return;
    }
    const Need &reader = needOf(consumer.func, scope);
    need.reached = need.reached && reader.reached;
    need.drifts = need.drifts || reader.drifts;
    Ranges ranges = loopsOver(consumer, reader);
    if (!plan.isInline() && plan.compute != scope) {
      if (mayGrow(plan)) ranges = withOwnTails(plan, consumer, ranges);
      if (depthOf(scope) == Depth::Thread) addDoubt(consumer, ranges);
    }
    addFootprint(need, read, withTails(plan, consumer, ranges));
    // Clamps of clamps, where Halide no longer sees that both ends are one.
    for (Extent &extent : need.extents)
      if (plan.isInline() && extent == Extent::Adrift) extent = Extent::Bounded;
  }

  // Where a tile begins and how long it is depends on the same loop further out, but Halide takes
  // the last beginning together with the longest tile: (x + 3)/4 is x/4 + (x%4 + 3)/4 to it.
  void addDoubt(const Stage &stage, const Ranges &ranges) const {
    const Need &own = computed(stage.func);
    for (std::size_t l = 0; l < stage.loops.size(); ++l) {
      const auto d = stage.loops[l].argument;
      if (!d || own.extents[*d] <= Extent::Fixed || own.extents[*d] == Extent::Whole) continue;
      if (own.box[*d].extent() + own.slack[*d] > 1) ++ranges.slack[l];
    }
  }

  static void addFootprint(Need &need, const Edge &read, const Ranges &ranges) {
    for (std::size_t d = 0; d < need.box.size(); ++d) {
      for (const IndexMap &map : read.maps[d])
        addMap(need, d, map, ranges);
      if (read.maps[d].size() < 2) continue;
      const bool apart = std::ranges::any_of(read.maps[d], [&](const IndexMap &map) {
        return !movesAlike(map, read.maps[d].front());
      });
      // From f(x) to f(0) is as far as x has come; from f(x/2) to f(x/2+1/2) one step or none.
      Extent &extent = need.extents[d];
      if (apart && extent != Extent::Constant && extent != Extent::Whole)
        extent = Extent::Unknown;
      else if (std::ranges::any_of(read.maps[d], isCut))
        extent = std::max(extent, cut(Extent::Fixed));
    }
  }

  static void addMap(Need &need, std::size_t dim, const IndexMap &map, const Ranges &ranges) {
    Interval &side = need.box[dim];
    Extent &extent = need.extents[dim];
    const Reach reach = reachOf(map, ranges);
    extent = std::max(extent, reach.extent);
    constexpr double kRounding = 1e-9;
    if (!isNothing(side) && std::abs(reach.speed - need.speed[dim]) > kRounding) {
      need.drifts = true;
      if (extent != Extent::Constant && extent != Extent::Whole) extent = Extent::Unknown;
    }
    need.speed[dim] = reach.speed;
    if (side != pipeline::kEverything) { // or nothing can be added
      // Two ways to it are two ranges, even where they meet for these sizes.
      if (extent == Extent::Adrift && !isNothing(side)) extent = Extent::Bounded;
      side = isNothing(side) ? reach.reads : pipeline::hull(side, reach.reads);
      need.slack[dim] = std::max(need.slack[dim], reach.slack);
    }
    if (need.aligned[dim] != reach.aligned)
      need.aligned[dim] = std::gcd(need.aligned[dim], reach.aligned);
  }

  // An update may write and read beyond what others read of it.
  void addOwnUpdates(Need &need, FuncId id) {
    if (std::ranges::any_of(need.box, isNothing)) return;
    const auto stages = m_pipeline.stagesOf(id);
    for (std::size_t s = stages.size(); s-- > 1;) {
      const Ranges ranges = loopsOver(stages[s], need);
      for (std::size_t d = 0; d < need.box.size(); ++d)
        addMap(need, d, stages[s].store.indices[d], ranges);
      const auto stage = static_cast<StageId>(index(m_pipeline.func(id).firstStage) + s);
      for (const EdgeId edge : m_pipeline.edgesInto(stage))
        if (m_pipeline.edge(edge).producer == Producer::func(id))
          addFootprint(need, m_pipeline.edge(edge), ranges);
    }
  }

  Shape &m_shape;
  const Schedule &m_schedule;
  const Pipeline &m_pipeline;
  Iteration m_iteration = Iteration::Middle;
  bool m_sizesAlone = false; // and not how well Halide knows them
};

Shape::Shape(const Schedule &schedule) { renew(schedule); }

Shape::Shape(const Schedule &schedule, std::span<const FuncId> only) { renew(schedule, only); }

void Shape::renew(const Schedule &schedule) {
  reset(schedule.pipeline());
  m_isWhole = true;
  Builder(*this, schedule).build();
}

void Shape::renew(const Schedule &schedule, std::span<const FuncId> only) {
  if (m_pipeline == schedule.pipeline() && !m_isWhole)
    forget();
  else
    reset(schedule.pipeline());
  m_isWhole = false;
  m_measured.assign(only.begin(), only.end());
  Builder(*this, schedule).build(only);
}

void Shape::reset(const pipeline::PipelinePtr &pipeline) {
  m_pipeline = pipeline;
  m_arena.clear();
  m_funcs.assign(pipeline->funcs().size(), {});
  m_stages.assign(pipeline->stages().size(), {});
  m_notes.assign(pipeline->funcs().size(), {});
  m_noted.clear();
}

void Shape::add(const Schedule &schedule, FuncId func) {
  forget(func);
  m_measured.push_back(func);
  Builder(*this, schedule).add(func);
}

void Shape::forget() {
  m_arena.clear();
  for (const FuncId id : m_measured)
    forget(id);
  for (const FuncId id : m_noted)
    m_notes[index(id)] = {};
  m_measured.clear();
  m_noted.clear();
}

void Shape::forget(FuncId id) {
  const pipeline::Func &func = m_pipeline->func(id);
  m_funcs[index(id)] = {};
  m_notes[index(id)] = {};
  for (std::uint32_t s = 0; s < func.stageCount; ++s)
    m_stages[index(func.firstStage) + s] = {};
}

} // namespace tessera::schedule
