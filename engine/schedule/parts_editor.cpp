// SPDX-License-Identifier: MIT
#include "engine/schedule/parts_editor.h"

#include <algorithm>
#include <utility>

namespace tessera::schedule {

using pipeline::Access;
using pipeline::Func;
using pipeline::FuncId;
using pipeline::Producer;
using pipeline::Stage;
using pipeline::StageId;

FuncId PartsEditor::now(FuncId before) const {
  return static_cast<FuncId>(index(before) + (index(before) >= m_place ? 1 : 0));
}

Producer PartsEditor::now(Producer before) const {
  if (before.kind == Producer::Kind::Input) return before;
  return Producer::func(now(static_cast<FuncId>(before.index)));
}

FuncId PartsEditor::insert(std::size_t place, Func func, std::vector<Stage> stages) {
  m_place = place;
  const std::size_t firstStage =
      place < m_parts.funcs.size() ? index(m_parts.funcs[place].firstStage) : m_parts.stages.size();
  const std::size_t count = stages.size();
  for (Stage &stage : m_parts.stages)
    stage.func = now(stage.func);
  for (std::size_t f = place; f < m_parts.funcs.size(); ++f)
    m_parts.funcs[f].firstStage = static_cast<StageId>(index(m_parts.funcs[f].firstStage) + count);
  for (pipeline::Output &output : m_parts.outputs)
    output.func = now(output.func);
  for (pipeline::FoundSchedule &found : m_parts.foundSchedule)
    if (index(found.stage) >= firstStage)
      found.stage = static_cast<StageId>(index(found.stage) + count);

  const auto added = static_cast<FuncId>(place);
  func.firstStage = static_cast<StageId>(firstStage);
  func.stageCount = static_cast<std::uint32_t>(count);
  m_parts.funcs.insert(m_parts.funcs.begin() + static_cast<std::ptrdiff_t>(place), std::move(func));
  m_parts.stages.insert(m_parts.stages.begin() + static_cast<std::ptrdiff_t>(firstStage),
                        std::make_move_iterator(stages.begin()),
                        std::make_move_iterator(stages.end()));
  for (Stage &stage : m_parts.stages) {
    for (Access &load : stage.loads)
      load.producer = now(load.producer);
    stage.store.producer = Producer::func(stage.func);
  }
  const Func &inserted = m_parts.funcs[place];
  for (std::uint32_t s = 0; s < count; ++s) {
    Stage &own = stage(added, s);
    own.func = added;
    own.index = s;
    own.store.producer = Producer::func(added);
    if (own.store.indices.empty())
      for (std::size_t d = 0; d < inserted.args.size(); ++d) {
        pipeline::IndexMap map;
        map.atoms.push_back({1, {{static_cast<std::uint32_t>(d), 1}}});
        own.store.indices.push_back(std::move(map));
      }
  }
  return added;
}

Stage &PartsEditor::stage(FuncId func, std::uint32_t stage) {
  return m_parts.stages[index(m_parts.funcs[index(func)].firstStage) + stage];
}

void PartsEditor::redirect(Producer of, FuncId added, std::span<const FuncId> readers) {
  for (const FuncId reader : readers)
    redirectLoads(now(reader), now(of), added);
}

void PartsEditor::redirectItself(Producer of, FuncId added) {
  redirectLoads(added, now(of), added);
}

void PartsEditor::redirectLoads(FuncId reader, Producer from, FuncId to) {
  for (std::uint32_t s = 0; s < m_parts.funcs[index(reader)].stageCount; ++s)
    for (Access &load : stage(reader, s).loads)
      if (load.producer == from) load.producer = Producer::func(to);
}

void sortLoads(pipeline::PipelineParts &parts) {
  const auto order = [](const Access &load) {
    return std::pair(load.producer.kind, load.producer.index);
  };
  for (Stage &stage : parts.stages)
    std::ranges::stable_sort(stage.loads, {}, order);
}

} // namespace tessera::schedule
