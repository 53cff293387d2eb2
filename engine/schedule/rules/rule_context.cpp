// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rule_context.h"

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

} // namespace tessera::schedule
