// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/found_names.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tessera::schedule {

namespace {

using pipeline::LoopDim;
using pipeline::Pipeline;

std::vector<std::string> reductionsOf(const Pipeline &pipeline, pipeline::FuncId func,
                                      std::uint32_t stage) {
  std::vector<std::string> names;
  const auto id = static_cast<pipeline::StageId>(index(pipeline.func(func).firstStage) + stage);
  for (const LoopDim &loop : pipeline.stage(id).loops)
    if (loop.kind == LoopDim::Kind::Reduction) names.push_back(loop.name);
  return names;
}

// The new names of the loops of each stage, by the func's name and the stage.
using Names = std::map<std::pair<std::string, std::uint32_t>, std::map<std::string, std::string>>;

Names differingNames(const Pipeline &base, const Pipeline &scheduled) {
  Names names;
  for (const pipeline::FuncId id : base.allFuncs()) {
    const pipeline::Func &func = base.func(id);
    const auto same = std::ranges::find(scheduled.funcs(), func.name, &pipeline::Func::name);
    if (same == scheduled.funcs().end() || same->stageCount != func.stageCount) continue;
    const auto other = static_cast<pipeline::FuncId>(same - scheduled.funcs().begin());
    for (std::uint32_t s = 1; s < func.stageCount; ++s) {
      const std::vector<std::string> to = reductionsOf(base, id, s),
                                     from = reductionsOf(scheduled, other, s);
      if (to == from || to.size() != from.size()) continue;
      for (std::size_t i = 0; i < to.size(); ++i)
        names[{func.name, s}][from[i]] = to[i];
    }
  }
  return names;
}

} // namespace

std::vector<Directive> withNamesOf(const Pipeline &base, const Pipeline &scheduled,
                                   std::vector<Directive> directives) {
  const Names names = differingNames(base, scheduled);
  if (names.empty()) return directives;
  const auto rename = [&](const std::string &func, std::uint32_t stage, LoopName &loop) {
    const auto stageNames = names.find({func, stage});
    if (stageNames == names.end()) return;
    const auto to = stageNames->second.find(loop.name);
    if (to != stageNames->second.end()) loop.name = to->second;
  };
  for (Directive &directive : directives)
    for (Argument &argument : directive.arguments) {
      if (auto *loop = std::get_if<LoopName>(&argument))
        rename(directive.func, directive.stage, *loop);
      if (auto *level = std::get_if<Level>(&argument))
        rename(level->func, level->stage, level->loop);
    }
  return directives;
}

} // namespace tessera::schedule
