// SPDX-License-Identifier: MIT
#include "engine/pipeline/footprint.h"

#include "engine/pipeline/saturating.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_map>

namespace tessera::pipeline {
namespace {

constexpr Interval kNothing{kPlusInfinity, kMinusInfinity};

// Replaces unbounded ends by those of the producer's whole extent.
Interval boundedBy(Interval interval, const Interval &whole) {
  if (interval.min == kMinusInfinity) interval.min = whole.min;
  if (interval.max == kPlusInfinity) interval.max = whole.max;
  return interval;
}

} // namespace

Box footprint(const Edge &edge, std::span<const Interval> loops) {
  Box box(edge.maps.size(), kNothing);
  for (std::size_t d = 0; d < edge.maps.size(); ++d)
    for (const IndexMap &map : edge.maps[d])
      box[d] = hull(box[d], evaluate(map, loops));
  return box;
}

// Flattens a group, consumer before producer, so that one forward pass fills all boxes.
class FootprintPlan::Builder {
public:
  Builder(FootprintPlan &plan, const Pipeline &pipeline) : m_plan(plan), m_pipeline(pipeline) {}

  void build(std::span<const FuncId> members, FuncId output) {
    std::vector<FuncId> order(members.begin(), members.end());
    // Funcs are numbered producers first, so descending numbers visit consumers first.
    std::sort(order.begin(), order.end(), [&](FuncId a, FuncId b) {
      if ((a == output) != (b == output)) return a == output;
      return index(a) > index(b);
    });
    for (const FuncId func : order)
      addEntry(Producer::func(func), true);
    for (const FuncId func : order)
      addFunc(func);
  }

private:
  static std::uint64_t key(Producer producer) {
    return (static_cast<std::uint64_t>(producer.kind) << 32) | producer.index;
  }

  std::uint32_t addEntry(Producer producer, bool member) {
    const auto [place, added] =
        m_entryOf.try_emplace(key(producer), static_cast<std::uint32_t>(m_plan.m_entries.size()));
    if (!added) return place->second;
    const Box region = m_pipeline.producerRegion(producer);
    m_plan.m_entries.push_back({producer, member, static_cast<std::uint32_t>(m_plan.m_boxDims),
                                static_cast<std::uint32_t>(region.size())});
    m_plan.m_boxDims += region.size();
    m_plan.m_wholeRegion.insert(m_plan.m_wholeRegion.end(), region.begin(), region.end());
    return place->second;
  }

  void addFunc(FuncId func) {
    const std::span<const Stage> stages = m_pipeline.stagesOf(func);
    for (std::size_t s = stages.size(); s-- > 0;) {
      const auto id = static_cast<StageId>(index(m_pipeline.func(func).firstStage) + s);
      addStage(stages[s], id);
    }
  }

  void addStage(const Stage &stage, StageId id) {
    FlatStage flat{};
    flat.firstLoop = static_cast<std::uint32_t>(m_plan.m_loops.size());
    flat.loops = static_cast<std::uint32_t>(stage.loops.size());
    flat.firstMap = static_cast<std::uint32_t>(m_plan.m_maps.size());
    const std::uint32_t own = addEntry(Producer::func(stage.func), true);
    for (const LoopDim &loop : stage.loops)
      addLoop(loop, stage.func, own);
    // An update also reads where it writes, so earlier stages have to compute these elements.
    if (stage.index > 0)
      for (std::size_t d = 0; d < stage.store.indices.size(); ++d)
        addMap(stage.store.indices[d], own, d);
    for (const EdgeId edgeId : m_pipeline.edgesInto(id)) {
      const Edge &edge = m_pipeline.edge(edgeId);
      const std::uint32_t entry = addEntry(edge.producer, false);
      for (std::size_t d = 0; d < edge.maps.size(); ++d)
        for (const IndexMap &map : edge.maps[d])
          addMap(map, entry, d);
    }
    flat.maps = static_cast<std::uint32_t>(m_plan.m_maps.size()) - flat.firstMap;
    m_plan.m_maxLoops = std::max(m_plan.m_maxLoops, stage.loops.size());
    m_plan.m_stages.push_back(flat);
  }

  void addLoop(const LoopDim &loop, FuncId func, std::uint32_t entry) {
    FlatLoop flat{loop.kind == LoopDim::Kind::Pure, 0, loop.range.min, loop.range.max};
    if (flat.pure) {
      const std::vector<std::string> &args = m_pipeline.func(func).args;
      const auto arg = std::find(args.begin(), args.end(), loop.name) - args.begin();
      flat.source = m_plan.m_entries[entry].firstDim + static_cast<std::uint32_t>(arg);
    }
    m_plan.m_loops.push_back(flat);
  }

  void addMap(const IndexMap &map, std::uint32_t entry, std::size_t dim) {
    FlatMap flat{};
    flat.firstAtom = static_cast<std::uint32_t>(m_plan.m_atoms.size());
    flat.atoms = static_cast<std::uint32_t>(map.atoms.size());
    flat.offset = map.offset;
    flat.shiftOf = -1;
    if (const OneLoopMap shift(map); shift.isShift()) {
      flat.shiftOf = static_cast<std::int32_t>(shift.loop());
      flat.offset = shift.further();
    }
    flat.target = m_plan.m_entries[entry].firstDim + static_cast<std::uint32_t>(dim);
    for (const Atom &atom : map.atoms) {
      m_plan.m_atoms.push_back({atom.offset, atom.clamp, atom.scale, atom.divisor,
                                static_cast<std::uint32_t>(m_plan.m_terms.size()),
                                static_cast<std::uint32_t>(atom.terms.size())});
      for (const AffineTerm &term : atom.terms)
        m_plan.m_terms.push_back({term.loop, term.coefficient});
    }
    m_plan.m_maps.push_back(flat);
  }

  FootprintPlan &m_plan;
  const Pipeline &m_pipeline;
  std::unordered_map<std::uint64_t, std::uint32_t> m_entryOf;
};

FootprintPlan::FootprintPlan(const Pipeline &pipeline, std::span<const FuncId> members,
                             FuncId output) {
  assert(std::find(members.begin(), members.end(), output) != members.end());
  Builder(*this, pipeline).build(members, output);
}

Interval FootprintPlan::evaluateMap(const FlatMap &map, const Interval *loops) const {
  if (map.shiftOf >= 0) return plus(loops[map.shiftOf], map.offset);
  Interval result = map.offset;
  for (std::uint32_t a = map.firstAtom; a < map.firstAtom + map.atoms; ++a) {
    const FlatAtom &atom = m_atoms[a];
    Interval sum = atom.offset;
    for (std::uint32_t t = atom.firstTerm; t < atom.firstTerm + atom.terms; ++t)
      sum = plus(sum, times(loops[m_terms[t].loop], m_terms[t].coefficient));
    result = plus(result, times(clamp(floorDivide(sum, atom.divisor), atom.clamp), atom.scale));
  }
  return result;
}

void FootprintPlan::evaluateStage(const FlatStage &stage, Interval *loops,
                                  std::span<Interval> boxes) const {
  for (std::uint32_t i = 0; i < stage.loops; ++i) {
    const FlatLoop &loop = m_loops[stage.firstLoop + i];
    loops[i] = loop.pure ? boxes[loop.source] : Interval{loop.min, loop.max};
    if (loops[i].empty()) return; // nothing is computed, so nothing is read
  }
  for (std::uint32_t m = stage.firstMap; m < stage.firstMap + stage.maps; ++m) {
    const FlatMap &map = m_maps[m];
    Interval &target = boxes[map.target];
    target = hull(target, boundedBy(evaluateMap(map, loops), m_wholeRegion[map.target]));
  }
}

void FootprintPlan::evaluate(std::span<const Interval> tile, std::span<Interval> boxes) const {
  assert(tile.size() == m_entries.front().dims && boxes.size() >= m_boxDims);
  constexpr std::size_t kUsualLoops = 16;
  std::array<Interval, kUsualLoops> onStack;
  std::vector<Interval> onHeap(m_maxLoops > kUsualLoops ? m_maxLoops : 0);
  Interval *loops = onHeap.empty() ? onStack.data() : onHeap.data();
  std::fill_n(boxes.begin(), m_boxDims, kNothing);
  std::copy(tile.begin(), tile.end(), boxes.begin());
  for (const FlatStage &stage : m_stages)
    evaluateStage(stage, loops, boxes);
}

} // namespace tessera::pipeline
