// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/input_reads.h"

#include <algorithm>
#include <utility>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::StageId;

bool InputReads::ahead(StageId id, std::uint32_t loop) {
  const LoopNest &nest = m_schedule.plan(id).nest;
  const auto inside = nest.find({static_cast<std::uint16_t>(loop), 0});
  if (!inside) return false;
  for (const pipeline::EdgeId into : m_pipeline.edgesInto(id)) {
    const pipeline::Edge &edge = m_pipeline.edge(into);
    if (edge.producer.kind == pipeline::Producer::Kind::Input) continue;
    const FuncId producer{edge.producer.index};
    const Place &place = m_schedule.plan(producer).compute;
    if (place.kind != Place::Kind::At || place.stage != id) continue;
    const auto around = nest.find(place.loop);
    if (!around || *inside >= *around) continue;
    for (const std::size_t dim : following(edge, loop))
      if (dimsReading(producer)[dim]) return true;
  }
  return false;
}

bool InputReads::readsInside(StageId id, std::uint32_t loop) {
  for (const pipeline::EdgeId into : m_pipeline.edgesInto(id)) {
    const pipeline::Edge &edge = m_pipeline.edge(into);
    const bool isInput = edge.producer.kind == pipeline::Producer::Kind::Input;
    const FuncId producer{edge.producer.index};
    const bool isInside =
        !isInput && producer != m_pipeline.stage(id).func && isComputedInside(producer);
    for (const std::size_t dim : following(edge, loop)) {
      if (isInput || (isInside && dimsReading(producer)[dim])) return true;
      const pipeline::Func &func = m_pipeline.func(producer);
      if (func.isBounded(func.args[dim])) return true;
    }
  }
  return false;
}

bool InputReads::isComputedInside(FuncId producer) const {
  if (m_schedule.plan(producer).isInline()) return true;
  for (Place place = m_schedule.plan(producer).compute; place.kind == Place::Kind::At;) {
    const FuncId around = m_pipeline.stage(place.stage).func;
    if (around == m_func) return true;
    place = m_schedule.plan(around).compute;
  }
  return false;
}

const std::vector<bool> &InputReads::dimsReading(FuncId id) {
  const auto [known, isNew] = m_known.try_emplace(id);
  if (!isNew) return known->second;
  const pipeline::Func &func = m_pipeline.func(id);
  std::vector<bool> reads(func.args.size());
  for (const StageId stage : m_pipeline.stageIdsOf(id)) {
    const std::vector<pipeline::LoopDim> &loops = m_pipeline.stage(stage).loops;
    for (std::uint32_t l = 0; l < loops.size(); ++l)
      if (loops[l].argument && readsInside(stage, l)) reads[*loops[l].argument] = true;
  }
  known->second = std::move(reads);
  return known->second;
}

std::vector<std::size_t> following(const pipeline::Edge &edge, std::uint32_t loop) {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < edge.maps.size(); ++d)
    for (const pipeline::IndexMap &map : edge.maps[d])
      for (const pipeline::Atom &atom : map.atoms)
        if (!atom.clamp.bounded() &&
            std::ranges::find(atom.terms, loop, &pipeline::AffineTerm::loop) != atom.terms.end())
          dims.push_back(d);
  return dims;
}

} // namespace tessera::schedule
