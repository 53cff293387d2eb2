// SPDX-License-Identifier: MIT
#include "engine/pipeline/pipeline.h"

#include "engine/pipeline/edges.h"
#include "engine/pipeline/validate.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tessera::pipeline {
namespace {

void numberArguments(Stage &stage, const Func &func) {
  for (LoopDim &loop : stage.loops) {
    const auto arg = std::ranges::find(func.args, loop.name);
    loop.argument.reset();
    if (loop.kind == LoopDim::Kind::Pure && arg != func.args.end())
      loop.argument = static_cast<std::uint16_t>(arg - func.args.begin());
  }
}

void markHanded(PipelineParts &parts) {
  for (Func &func : parts.funcs)
    func.isHanded = false;
  for (const Stage &stage : parts.stages) {
    if (!parts.funcs[index(stage.func)].externCall) continue;
    for (const Access &load : stage.loads)
      if (load.producer.kind == Producer::Kind::Func)
        parts.funcs[load.producer.index].isHanded = true;
  }
}

} // namespace

Result<std::shared_ptr<const Pipeline>> Pipeline::create(PipelineParts parts) {
  if (const Status valid = validate(parts); !valid) return valid.error();
  std::shared_ptr<Pipeline> pipeline(new Pipeline);
  pipeline->m_edgesInto.resize(parts.stages.size());
  pipeline->m_edgesFrom.resize(parts.funcs.size());
  for (std::size_t s = 0; s < parts.stages.size(); ++s) {
    for (Edge &edge : edgesOf(parts.stages[s], static_cast<StageId>(s))) {
      const auto id = static_cast<EdgeId>(pipeline->m_edges.size());
      pipeline->m_edgesInto[s].push_back(id);
      if (edge.producer.kind == Producer::Kind::Func)
        pipeline->m_edgesFrom[edge.producer.index].push_back(id);
      pipeline->m_edges.push_back(std::move(edge));
    }
    const std::vector<IndexMap> &stores = parts.stages[s].store.indices;
    pipeline->m_storeMaps.emplace_back(stores.begin(), stores.end());
  }
  for (Stage &stage : parts.stages)
    numberArguments(stage, parts.funcs[index(stage.func)]);
  markHanded(parts);
  pipeline->m_ids = IdSpace(parts);
  pipeline->m_parts = std::move(parts);
  return std::shared_ptr<const Pipeline>(std::move(pipeline));
}

void Pipeline::requireIds(const IdSpace &ids) const {
  if (ids != m_ids)
    throw ForeignId(
        "Ids were used with a pipeline that they are not of: its funcs have other ids.");
}

std::vector<FuncId> Pipeline::allFuncs() const {
  std::vector<FuncId> ids;
  ids.reserve(funcs().size());
  for (std::uint32_t f = 0; f < funcs().size(); ++f)
    ids.push_back(FuncId{f});
  return ids;
}

std::span<const Stage> Pipeline::stagesOf(FuncId id) const {
  const Func &f = func(id);
  return stages().subspan(index(f.firstStage), f.stageCount);
}

std::span<const EdgeId> Pipeline::edgesInto(StageId consumer) const {
  return at(m_edgesInto, consumer);
}

std::span<const EdgeId> Pipeline::edgesFrom(FuncId producer) const {
  return at(m_edgesFrom, producer);
}

std::string Pipeline::stageName(StageId id) const {
  const Stage &s = stage(id);
  const std::string &base = func(s.func).name;
  return s.index == 0 ? base : base + ".update(" + std::to_string(s.index - 1) + ")";
}

const std::string &PipelineParts::producerName(Producer producer) const {
  return producer.kind == Producer::Kind::Func ? funcs[producer.index].name
                                               : inputs[producer.index].name;
}

Box PipelineParts::producerRegion(Producer producer) const {
  if (producer.kind == Producer::Kind::Func) return funcs[producer.index].region;
  Box box;
  for (const Estimate &dim : inputs[producer.index].dims)
    box.push_back(dim.source == EstimateSource::None ? kEverything : dim.range);
  return box;
}

} // namespace tessera::pipeline
