// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rule_context.h"

#include "engine/pipeline/saturating.h"

namespace tessera::schedule {

pipeline::StageId stageInThreads(const RuleContext &context, const Bounds &bounds,
                                 pipeline::FuncId func) {
  const auto owner = [&](pipeline::StageId stage) { return context.pipeline.stage(stage).func; };
  pipeline::StageId around = context.schedule.plan(func).storePlace().stage;
  while (bounds.of(owner(around)).depth == Depth::Thread)
    around = context.schedule.plan(owner(around)).compute.stage;
  return around;
}

pipeline::StageId stageOnHost(const RuleContext &context, const Bounds &bounds,
                              pipeline::StageId stage) {
  const auto owner = [&] { return context.pipeline.stage(stage).func; };
  while (bounds.of(owner()).depth != Depth::Host)
    stage = context.schedule.plan(owner()).compute.stage;
  return stage;
}

std::int64_t copiesAround(const RuleContext &context, const Bounds &bounds, Place place) {
  std::int64_t copies = 1;
  while (place.kind == Place::Kind::At) {
    const LoopNest &nest = context.schedule.plan(place.stage).nest;
    for (std::size_t l = nest.find(place.loop).value_or(0); l < nest.loops.size(); ++l)
      if (nest.loops[l].kind == LoopKind::Unrolled)
        copies = pipeline::saturatingMultiply(copies, bounds.of(place.stage).loops[l]);
    place = context.schedule.plan(context.pipeline.stage(place.stage).func).compute;
  }
  return copies;
}

} // namespace tessera::schedule
