// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <span>
#include <vector>

namespace tessera::schedule {

// Changes a pipeline's parts and keeps their numbers consistent; for derivations only. An editor
// inserts one func. It does not keep loads sorted.
class PartsEditor {
public:
  explicit PartsEditor(pipeline::PipelineParts &parts) : m_parts(parts) {}

  // The func becomes number `place`; the func that was there and all later ones move up. Loads in
  // `stages` use the numbers from before; the stages' own numbers are set here.
  pipeline::FuncId insert(std::size_t place, pipeline::Func func,
                          std::vector<pipeline::Stage> stages);

  // From now on, `readers` read `added` instead of `of`. Both are numbers from before the
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
  std::size_t m_place = 0; // number of the inserted func
};

// Sorts loads by producer, the order that a pipeline requires.
void sortLoads(pipeline::PipelineParts &parts);

} // namespace tessera::schedule
