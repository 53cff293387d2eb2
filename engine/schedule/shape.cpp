// SPDX-License-Identifier: MIT
#include "engine/schedule/shape.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

namespace tessera::schedule {

using pipeline::Box;
using pipeline::Edge;
using pipeline::EdgeId;
using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Interval;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Precision;
using pipeline::Producer;
using pipeline::Stage;
using pipeline::StageId;

namespace {

constexpr Interval kNothing{pipeline::kPlusInfinity, pipeline::kMinusInfinity};

bool isNothing(const Interval &interval) { return interval == kNothing; }

// What is computed of a func in one iteration of a scope.
struct Need {
  Box box;
  std::vector<Extent> extents;       // by dimension
  std::vector<std::int64_t> aligned; // by dimension: what its start is a multiple of
  bool reached = true;
};

// Intervals of a stage's loops, and what is known of their lengths.
struct Ranges {
  std::vector<Interval> loops;
  std::vector<Extent> extents;
  std::vector<std::int64_t> aligned; // as Need::aligned
};

bool alike(const Place &a, const Place &b) {
  return a.kind == b.kind && (a.kind != Place::Kind::At || a == b);
}

} // namespace

// Walks from the outputs to the inputs, so that all readers of a func are known before it.
class Shape::Builder {
public:
  Builder(Shape &shape, const Schedule &schedule)
      : m_shape(shape), m_schedule(schedule), m_pipeline(*schedule.pipeline()),
        m_known(m_pipeline.funcs().size()) {}

  void build() {
    const std::size_t count = m_pipeline.funcs().size();
    m_shape.m_funcs.resize(count);
    m_shape.m_stages.resize(m_pipeline.stages().size());
    for (std::size_t f = count; f-- > 0;)
      measure(static_cast<FuncId>(f));
  }

private:
  void measure(FuncId id) {
    const FuncPlan &plan = m_schedule.plan(id);
    FuncShape &shape = m_shape.m_funcs[index(id)];
    shape.kernel = id;
    if (plan.isInline()) {
      const Need &everywhere = needOf(id, Place::root());
      shape.computed = shape.stored = everywhere.box;
      shape.extents = everywhere.extents;
      measureStages(id, everywhere);
      return;
    }
    const Need need = needOf(id, plan.compute);
    shape.computed = need.box;
    shape.extents = need.extents;
    shape.aligned = need.aligned;
    shape.reached = need.reached;
    shape.depth = depthOf(plan.compute);
    shape.storeDepth = depthOf(plan.storePlace());
    if (plan.compute.kind == Place::Kind::At)
      shape.kernel = m_shape.m_funcs[index(m_pipeline.stage(plan.compute.stage).func)].kernel;
    shape.stored = plan.store ? needOf(id, *plan.store).box : shape.computed;
    measureStages(id, need);
  }

  void measureStages(FuncId id, const Need &need) {
    const pipeline::Func &func = m_pipeline.func(id);
    for (std::uint32_t s = 0; s < func.stageCount; ++s) {
      const auto stage = static_cast<StageId>(index(func.firstStage) + s);
      StageShape &shape = m_shape.m_stages[index(stage)];
      const Ranges ranges = loopsOver(m_pipeline.stage(stage), need);
      for (const Interval &loop : ranges.loops)
        shape.dims.push_back(loop.extent());
      shape.extents = ranges.extents;
      shape.loops = loopExtents(m_schedule.plan(stage).nest, shape.dims);
    }
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

  // Of a stage's dimensions when its func is computed over what is needed.
  Ranges loopsOver(const Stage &stage, const Need &need) const {
    const pipeline::Func &func = m_pipeline.func(stage.func);
    Ranges ranges;
    for (const LoopDim &loop : stage.loops) {
      ranges.loops.push_back(loop.range);
      ranges.extents.push_back(loop.fixed ? Extent::Constant : Extent::Unknown);
      ranges.aligned.push_back(1);
      if (loop.kind != LoopDim::Kind::Pure) continue;
      for (std::size_t d = 0; d < func.args.size(); ++d) {
        if (func.args[d] != loop.name) continue;
        ranges.loops.back() = need.box[d];
        ranges.extents.back() = need.extents[d];
        ranges.aligned.back() = need.aligned[d];
      }
    }
    return ranges;
  }

  // Of those, what one iteration of a loop and of all outside of it covers.
  Ranges tileOf(StageId id, LoopRef loop, Ranges ranges) const {
    const LoopNest &nest = m_schedule.plan(id).nest;
    const std::size_t place = nest.find(loop).value_or(0);
    for (std::uint16_t d = 0; d < ranges.loops.size(); ++d) {
      const Axis &axis = nest.axes[d];
      std::uint16_t part = 0;
      while (part < axis.parts() && isFixed(nest, {d, part}, place))
        ++part;
      if (part == 0) continue;
      Interval &range = ranges.loops[d];
      const std::int64_t size = part == axis.parts() ? 1 : axis.splits[part - 1].factor;
      // The second tile where there is one: boundary conditions make the first smaller.
      const std::int64_t start =
          range.extent() > 2 * size ? pipeline::saturatingAdd(range.min, size) : range.min;
      range = {start, pipeline::saturatingAdd(start, size - 1)};
      // A guard inside of what a guard cut already is more than Halide sees through.
      const bool guarded = part < axis.parts() && axis.splits[part - 1].tail == Tail::GuardWithIf;
      const bool nested = !m_schedule.plan(m_pipeline.stage(id).func).isRoot();
      ranges.extents[d] = guarded && nested && ranges.extents[d] != Extent::Constant
                              ? Extent::Unknown
                              : Extent::Fixed;
      ranges.aligned[d] = std::gcd(ranges.aligned[d], size);
    }
    return ranges;
  }

  static bool isFixed(const LoopNest &nest, LoopRef part, std::size_t place) {
    if (const auto at = nest.find(part)) return *at >= place;
    for (std::uint16_t a = 0; a < nest.axes.size(); ++a) {
      const std::vector<LoopRef> &sources = nest.axes[a].fused;
      if (std::find(sources.begin(), sources.end(), part) == sources.end()) continue;
      for (std::uint16_t p = 0; p < nest.axes[a].parts(); ++p)
        if (!isFixed(nest, {a, p}, place)) return false;
      return true;
    }
    return false;
  }

  bool isWithin(FuncId func, const Place &scope) const {
    if (scope.kind != Place::Kind::At) return true;
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

  const Need &needOf(FuncId id, const Place &scope) {
    for (const auto &[known, need] : m_known[index(id)])
      if (alike(known, scope)) return need;
    Need need = computeNeed(id, scope);
    m_known[index(id)].emplace_back(scope, std::move(need));
    return m_known[index(id)].back().second;
  }

  Need computeNeed(FuncId id, const Place &scope) {
    const bool everywhere = scope.kind != Place::Kind::At;
    Need need;
    need.box.assign(m_pipeline.func(id).args.size(), kNothing);
    need.extents.assign(need.box.size(), Extent::Constant);
    need.aligned.assign(need.box.size(), 0); // nothing said yet
    for (const EdgeId edge : m_pipeline.edgesFrom(id)) {
      const Edge &read = m_pipeline.edge(edge);
      if (m_pipeline.stage(read.consumer).func != id) addReader(need, read, scope);
    }
    if (everywhere) {
      need.box = m_pipeline.func(id).region;
      std::ranges::fill(need.aligned, 1); // where the whole begins nobody knows
      addOutput(need, id);
    } else {
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
  }

  // Halide computes at least what the caller wants of an output.
  void addOutput(Need &need, FuncId id) const {
    for (const pipeline::Output &output : m_pipeline.outputs())
      for (std::size_t d = 0; output.func == id && d < need.extents.size(); ++d) {
        const pipeline::Estimate &size = output.dims[d];
        need.extents[d] = size.fixed && size.fixedMin ? Extent::Constant
                          : size.fixed                ? Extent::Fixed
                                                      : Extent::Unknown;
        need.aligned[d] = size.fixedMin ? 0 : 1; // 0: known
      }
  }

  static void limit(Need &need, const Box &region) {
    for (std::size_t d = 0; d < need.box.size(); ++d) {
      Interval &side = need.box[d];
      if (isNothing(side)) side = region[d];
      if (side.min == pipeline::kMinusInfinity) side.min = region[d].min;
      if (side.max == pipeline::kPlusInfinity) side.max = region[d].max;
    }
  }

  void addReader(Need &need, const Edge &read, const Place &scope) {
    const Stage &consumer = m_pipeline.stage(read.consumer);
    const FuncPlan &plan = m_schedule.plan(consumer.func);
    const bool everywhere = scope.kind != Place::Kind::At;
    if (!everywhere && read.consumer == scope.stage && !plan.isInline()) {
      const FuncShape &around = m_shape.m_funcs[index(consumer.func)];
      const Need whole{around.computed, around.extents, around.aligned};
      addFootprint(need, read, tileOf(read.consumer, scope.loop, loopsOver(consumer, whole)));
      return;
    }
    if (!plan.isInline() && !isWithin(consumer.func, scope)) {
      need.reached = false;
      return;
    }
    const Need reader = needOf(consumer.func, scope);
    need.reached = need.reached && reader.reached;
    addFootprint(need, read, loopsOver(consumer, reader));
  }

  static void addFootprint(Need &need, const Edge &read, const Ranges &ranges) {
    for (std::size_t d = 0; d < need.box.size(); ++d)
      for (const IndexMap &map : read.maps[d])
        addMap(need, d, map, ranges);
  }

  static void addMap(Need &need, std::size_t dim, const IndexMap &map, const Ranges &ranges) {
    Interval &side = need.box[dim];
    const Interval reads = pipeline::evaluate(map, ranges.loops);
    side = isNothing(side) ? reads : pipeline::hull(side, reads);
    need.extents[dim] = std::max(need.extents[dim], extentOf(map, ranges));
    need.aligned[dim] = std::gcd(need.aligned[dim], alignmentOf(map, ranges));
  }

  // Offsets do not matter: a start that is known beside a multiple is as good.
  static std::int64_t alignmentOf(const IndexMap &map, const Ranges &ranges) {
    if (map.atoms.size() != 1 || map.precision == Precision::Whole) return 1;
    const pipeline::Atom &atom = map.atoms.front();
    if (atom.terms.size() != 1 || atom.clamp != pipeline::kEverything) return 1;
    const pipeline::AffineTerm &term = atom.terms.front();
    const std::int64_t step = ranges.aligned[term.loop] * std::abs(term.coefficient);
    return step % atom.divisor == 0 ? step / atom.divisor : 1;
  }

  // A division or a boundary condition cuts tiles at places that depend on the size: what is left
  // of a fixed length is bounded, of anything vaguer Halide knows nothing. A single point stays
  // one, and a division that meets only starts of tiles leaves them as they are.
  static Extent extentOf(const IndexMap &map, const Ranges &ranges) {
    if (!map.offset.bounded() || map.precision == Precision::Whole) return Extent::Unknown;
    Extent extent = Extent::Constant;
    for (const pipeline::Atom &atom : map.atoms)
      extent = std::max(extent, extentOf(atom, ranges));
    return extent;
  }

  static Extent extentOf(const pipeline::Atom &atom, const Ranges &ranges) {
    Extent terms = Extent::Constant;
    bool point = atom.offset.extent() == 1, divides = true;
    for (const pipeline::AffineTerm &term : atom.terms) {
      terms = std::max(terms, ranges.extents[term.loop]);
      point = point && ranges.loops[term.loop].extent() == 1;
      divides = divides && ranges.aligned[term.loop] * term.coefficient % atom.divisor == 0;
    }
    const bool limited = atom.clamp != pipeline::kEverything;
    const bool cuts = limited || (!divides && terms != Extent::Constant);
    if (!cuts || (point && terms <= Extent::Fixed)) return terms;
    return terms <= Extent::Fixed ? Extent::Bounded : Extent::Unknown;
  }

  // An update may write and read beyond what others read of it.
  void addOwnUpdates(Need &need, FuncId id) const {
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
  // By func: what is needed of it in each scope asked for so far.
  std::vector<std::vector<std::pair<Place, Need>>> m_known;
};

Extent Shape::FuncShape::extent() const {
  return extents.empty() ? Extent::Constant : std::ranges::max(extents);
}

Shape::Shape(const Schedule &schedule) { Builder(*this, schedule).build(); }

} // namespace tessera::schedule
