// SPDX-License-Identifier: MIT
#include "engine/footprint/needed_boxes.h"

#include "engine/schedule/bounds/reach.h"

#include <algorithm>
#include <array>
#include <ranges>

namespace tessera::footprint {

using pipeline::Edge;
using pipeline::EdgeId;
using pipeline::FuncId;
using pipeline::IndexMap;
using pipeline::Interval;
using pipeline::OneLoopMap;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::StageId;
using schedule::Place;
using schedule::Schedule;

namespace {

constexpr Interval kNothing{pipeline::kPlusInfinity, pipeline::kMinusInfinity};
constexpr std::array<std::string_view, 4> kRoles{"output", "member", "inlined", "read"};

// Replaces unbounded ends by those of the whole producer.
Interval boundedBy(Interval interval, const Interval &whole) {
  if (interval.min == pipeline::kMinusInfinity) interval.min = whole.min;
  if (interval.max == pipeline::kPlusInfinity) interval.max = whole.max;
  return interval;
}

// Whether the loop at this place is a block loop or inside of one, so that what is computed there
// belongs to the kernel.
bool isInKernel(const Schedule &schedule, const Place &place) {
  const schedule::LoopNest &nest = schedule.plan(place.stage).nest;
  const std::size_t from = nest.find(place.loop).value_or(0);
  if (!schedule.plan(schedule.pipeline()->stage(place.stage).func).isRoot()) return true;
  for (std::size_t l = from; l < nest.loops.size(); ++l)
    if (nest.loops[l].kind == schedule::LoopKind::Block) return true;
  return false;
}

} // namespace

std::string_view name(Role role) { return kRoles[static_cast<std::size_t>(role)]; }

class NeededBoxes::Builder {
public:
  Builder(NeededBoxes &needed, const Schedule &schedule, StageId owner)
      : m_needed(needed), m_schedule(schedule), m_pipeline(*schedule.pipeline()), m_owner(owner),
        m_entryOf(m_pipeline.funcs().size(), kNone), m_inputOf(m_pipeline.inputs().size(), kNone) {}

  void build() {
    const FuncId output = m_pipeline.stage(m_owner).func;
    enter(Producer::func(output), Role::Output);
    // Producers have lower numbers than consumers.
    for (std::size_t f = index(output); f-- > 0;)
      if (const auto id = static_cast<FuncId>(f); isMember(id))
        enter(Producer::func(id), Role::Member);
      else if (m_schedule.plan(id).isInline() && isReadHere(id))
        enter(Producer::func(id), Role::Inlined);
    // addStage() adds entries for what is only read. What those funcs read is not added.
    const auto computed = static_cast<std::uint32_t>(m_needed.m_entries.size());
    addStage(m_owner, 0);
    for (std::uint32_t e = 1; e < computed; ++e) {
      const auto func = static_cast<FuncId>(m_needed.m_entries[e].producer.index);
      for (const StageId stage : m_pipeline.stageIdsOf(func) | std::views::reverse)
        addStage(stage, e);
    }
  }

private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  bool isMember(FuncId id) const {
    for (const Place *place = &m_schedule.plan(id).compute; place->kind == Place::Kind::At;
         place = &m_schedule.plan(m_pipeline.stage(place->stage).func).compute) {
      if (!isInKernel(m_schedule, *place)) return false;
      if (place->stage == m_owner) return true;
    }
    return false;
  }

  bool isReadHere(FuncId id) const {
    return std::ranges::any_of(m_pipeline.edgesFrom(id), [&](EdgeId edge) {
      const StageId reader = m_pipeline.edge(edge).consumer;
      if (reader == m_owner) return true;
      const FuncId func = m_pipeline.stage(reader).func;
      return func != m_pipeline.stage(m_owner).func && m_entryOf[index(func)] != kNone;
    });
  }

  std::uint32_t enter(Producer producer, Role role) {
    std::uint32_t &known = producer.kind == Producer::Kind::Func ? m_entryOf[producer.index]
                                                                 : m_inputOf[producer.index];
    if (known != kNone) return known;
    known = static_cast<std::uint32_t>(m_needed.m_entries.size());
    const pipeline::Box whole = m_pipeline.producerRegion(producer);
    m_needed.m_entries.push_back({producer, role,
                                  static_cast<std::uint32_t>(m_needed.m_whole.size()),
                                  static_cast<std::uint32_t>(whole.size())});
    m_needed.m_whole.insert(m_needed.m_whole.end(), whole.begin(), whole.end());
    m_needed.m_reasons.resize(m_needed.m_whole.size());
    return known;
  }

  void addStage(StageId id, std::uint32_t entry) {
    const pipeline::Stage &stage = m_pipeline.stage(id);
    const auto first = static_cast<std::uint32_t>(m_needed.m_maps.size());
    // An update also reads where it writes, so earlier stages have to compute it.
    if (stage.index > 0)
      for (std::uint32_t d = 0; d < stage.store.indices.size(); ++d)
        addMap(entry, d, stage.store.indices[d], {});
    for (const EdgeId edgeId : m_pipeline.edgesInto(id)) {
      const Edge &edge = m_pipeline.edge(edgeId);
      if (isScalar(edge.producer)) continue;
      const std::uint32_t target = enter(edge.producer, Role::Read);
      auto oneLoop = edge.oneLoop.begin();
      for (std::uint32_t d = 0; d < edge.maps.size(); ++d)
        for (const IndexMap &map : edge.maps[d])
          addMap(target, d, map, *oneLoop++);
    }
    m_needed.m_stages.push_back(
        {id, entry, first, static_cast<std::uint32_t>(m_needed.m_maps.size()) - first});
  }

  bool isScalar(Producer producer) const {
    return producer.kind == Producer::Kind::Input &&
           m_pipeline.input(static_cast<pipeline::InputId>(producer.index)).isScalar;
  }

  void addMap(std::uint32_t entry, std::uint32_t dim, const IndexMap &map,
              const OneLoopMap &oneLoop) {
    const std::uint32_t target = m_needed.m_entries[entry].firstDim + dim;
    m_needed.m_maps.push_back({target, oneLoop, &map});
    std::string &reason = m_needed.m_reasons[target];
    if (schedule::isAnywhere(map) && reason.empty())
      reason = map.reason.empty() ? "nothing is known about the index" : map.reason;
  }

  NeededBoxes &m_needed;
  const Schedule &m_schedule;
  const Pipeline &m_pipeline;
  StageId m_owner;
  std::vector<std::uint32_t> m_entryOf, m_inputOf; // by func and by input
};

NeededBoxes::NeededBoxes(const Schedule &schedule, StageId owner)
    : m_pipeline(schedule.pipeline()) {
  Builder(*this, schedule, owner).build();
}

void NeededBoxes::evaluate(std::span<const Interval> loops, std::vector<Interval> &boxes) const {
  boxes.assign(m_whole.size(), kNothing);
  std::vector<Interval> over;
  for (const Stage &flat : m_stages) {
    const pipeline::Stage &stage = m_pipeline->stage(flat.id);
    const Entry &own = m_entries[flat.entry];
    over.clear();
    for (std::size_t l = 0; l < stage.loops.size(); ++l) {
      const auto argument = stage.loops[l].argument;
      if (flat.entry == 0)
        over.push_back(loops[l]);
      else
        over.push_back(
            argument ? boundedBy(boxes[own.firstDim + *argument], m_whole[own.firstDim + *argument])
                     : stage.loops[l].range);
    }
    if (std::ranges::find(over, kNothing) != over.end()) continue; // nobody reads it
    if (flat.entry == 0 && stage.index == 0)
      for (std::size_t l = 0; l < stage.loops.size(); ++l)
        if (const auto argument = stage.loops[l].argument)
          boxes[own.firstDim + *argument] = over[l];
    for (const Map &map : std::span(m_maps).subspan(flat.firstMap, flat.maps)) {
      const Interval reach = map.oneLoop ? map.oneLoop.evaluate(over[map.oneLoop.loop()])
                                         : pipeline::evaluate(*map.map, over);
      boxes[map.target] = hull(boxes[map.target], reach);
    }
  }
  // Done after all reads are merged: if one read is unbounded, the box is the whole producer, as in
  // Bounds, even if other reads reach farther.
  for (std::size_t d = 0; d < boxes.size(); ++d)
    boxes[d] = boundedBy(boxes[d], m_whole[d]);
}

} // namespace tessera::footprint
