// SPDX-License-Identifier: MIT
#include "engine/schedule/directives/found_factored.h"

#include <algorithm>
#include <optional>

namespace tessera::schedule {

using pipeline::Func;
using pipeline::LoopDim;
using pipeline::Pipeline;
using pipeline::Stage;

namespace {

const Func *funcNamed(const Pipeline &pipeline, std::string_view name) {
  const auto at = std::ranges::find(pipeline.funcs(), name, &Func::name);
  return at == pipeline.funcs().end() ? nullptr : &*at;
}

std::vector<LoopDim> reductions(const Stage &stage) {
  std::vector<LoopDim> loops;
  std::ranges::copy_if(stage.loops, std::back_inserter(loops),
                       [](const LoopDim &loop) { return loop.kind == LoopDim::Kind::Reduction; });
  return loops;
}

// The loops whose names do not occur in `others`.
std::vector<LoopDim> without(std::vector<LoopDim> loops, const std::vector<LoopDim> &others) {
  std::erase_if(loops, [&](const LoopDim &loop) {
    return std::ranges::find(others, loop.name, &LoopDim::name) != others.end();
  });
  return loops;
}

// One update of a func, before and after rfactor.
struct Factoring {
  const Func &func;
  std::uint32_t stage;
  const Stage &before, &merge;
  const Func &parts;
  const Stage &partial;
};

void addDirectives(std::vector<Directive> &out, const Factoring &found) {
  const std::vector<LoopDim> before = reductions(found.before);
  const std::vector<LoopDim> preserved = reductions(found.merge);
  const std::vector<LoopDim> left = reductions(found.partial);
  // If a reduction loop is in neither of the two stages after rfactor, it was split into a
  // preserved loop and a remaining loop.
  std::vector<LoopDim> split = without(without(before, preserved), left);
  std::vector<LoopDim> outer = without(preserved, before), inner = without(left, before);
  const auto reduction = [](const LoopDim &loop) { return LoopName{loop.name, true}; };
  for (std::size_t i = 0; i < std::min({split.size(), outer.size(), inner.size()}); ++i)
    out.push_back({found.func.name,
                   found.stage,
                   Verb::Split,
                   {reduction(split[i]), reduction(outer[i]), reduction(inner[i]),
                    inner[i].range.extent(), Tail::GuardWithIf},
                   {}});
  std::vector<Argument> pairs;
  for (std::size_t i = 0; i < preserved.size(); ++i) {
    pairs.emplace_back(reduction(preserved[i]));
    pairs.emplace_back(LoopName{found.parts.args[found.func.args.size() + i], false});
  }
  out.push_back({found.func.name, found.stage, Verb::RFactor, std::move(pairs), found.parts.name});
}

// The update of `of` that reads `parts` after rfactor.
std::optional<std::uint32_t> readingStage(const Pipeline &after, const Func &of,
                                          const Func &parts) {
  for (std::uint32_t s = 1; s < of.stageCount; ++s) {
    const auto id = static_cast<pipeline::StageId>(index(of.firstStage) + s);
    for (const pipeline::EdgeId edge : after.edgesInto(id))
      if (after.producerName(after.edge(edge).producer) == parts.name) return s;
  }
  return std::nullopt;
}

} // namespace

std::vector<Directive> foundFactored(const Pipeline &before, const Pipeline &after) {
  std::vector<Directive> out;
  constexpr std::string_view kSuffix = "_intm"; // Halide's suffix for such funcs
  for (const Func &parts : after.funcs()) {
    const auto at = parts.name.rfind(kSuffix);
    if (funcNamed(before, parts.name) || at == std::string::npos || parts.stageCount != 2) continue;
    const std::string name = parts.name.substr(0, at);
    const Func *old = funcNamed(before, name), *now = funcNamed(after, name);
    if (!old || !now) continue;
    const auto stage = readingStage(after, *now, parts);
    if (!stage || *stage >= old->stageCount || parts.args.size() <= old->args.size()) continue;
    const auto stageOf = [&](const Pipeline &in, const Func &func,
                             std::uint32_t number) -> const Stage & {
      return in.stages()[index(func.firstStage) + number];
    };
    addDirectives(out, {*old, *stage, stageOf(before, *old, *stage), stageOf(after, *now, *stage),
                        parts, stageOf(after, parts, 1)});
  }
  return out;
}

} // namespace tessera::schedule
