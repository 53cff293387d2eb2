// SPDX-License-Identifier: MIT
#pragma once

#include "engine/pipeline/pipeline.h"

#include <span>
#include <vector>

namespace tessera::schedule {

// Changes a pipeline's parts and keeps their numbers consistent; for derivations only. One func
// each. Loads are no longer sorted.
class PartsEditor {
public:
  explicit PartsEditor(pipeline::PipelineParts &parts) : m_parts(parts) {}

  // The func becomes number `place`; what was there and behind it moves. Loads in `stages` are in
  // the numbers of before; those of the func itself are set.
  pipeline::FuncId insert(std::size_t place, pipeline::Func func,
                          std::vector<pipeline::Stage> stages);

  // `readers` and `of` in the numbers of before the insertion: they read `added` from now on.
  void redirect(pipeline::Producer of, pipeline::FuncId added,
                std::span<const pipeline::FuncId> readers);
  // The stages of `added` that load `of` load `added` itself.
  void redirectItself(pipeline::Producer of, pipeline::FuncId added);

  pipeline::Stage &stage(pipeline::FuncId func, std::uint32_t stage);

private:
  void redirectLoads(pipeline::FuncId reader, pipeline::Producer from, pipeline::FuncId to);
  pipeline::FuncId now(pipeline::FuncId before) const;
  pipeline::Producer now(pipeline::Producer before) const;

  pipeline::PipelineParts &m_parts;
  std::size_t m_place = 0; // of the func that was inserted
};

// By producer, as a pipeline has them.
void sortLoads(pipeline::PipelineParts &parts);

} // namespace tessera::schedule
