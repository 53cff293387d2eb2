// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <span>
#include <vector>

namespace tessera::schedule {

// Inserts one func into the data of a pipeline, for derivations, and renumbers all ids that refer
// to later funcs. Afterwards loads may be unsorted: see sortLoads().
class PartsEditor {
public:
  explicit PartsEditor(pipeline::PipelineParts &parts) : m_parts(parts) {}

  // Gives `func` the id `place`; the ids of the func that had it and of all later funcs rise by
  // one. Loads in `stages` must use ids from before the insertion. The ids of the stages are set
  // here.
  pipeline::FuncId insert(std::size_t place, pipeline::Func func,
                          std::vector<pipeline::Stage> stages);

  // From now on, `readers` read `added` instead of `of`. `of` and `readers` are ids from before the
  // insertion.
  void redirect(pipeline::Producer of, pipeline::FuncId added,
                std::span<const pipeline::FuncId> readers);
  // The stages of `added` that load `of` now load `added` itself.
  void redirectItself(pipeline::Producer of, pipeline::FuncId added);

  pipeline::Stage &stage(pipeline::FuncId func, std::uint32_t stage);

private:
  void redirectLoads(pipeline::FuncId reader, pipeline::Producer from, pipeline::FuncId to);
  pipeline::FuncId now(pipeline::FuncId before) const;
  pipeline::Producer now(pipeline::Producer before) const;

  pipeline::PipelineParts &m_parts;
  std::size_t m_place = 0; // id of the inserted func
};

// Sorts loads by producer, the order that a pipeline requires.
void sortLoads(pipeline::PipelineParts &parts);

} // namespace tessera::schedule
