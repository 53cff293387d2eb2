// SPDX-License-Identifier: MIT
#include "engine/schedule/rule_context.h"

namespace tessera::schedule {

pipeline::StageId stageInThreads(const RuleContext &context, const Shape &shape,
                                 pipeline::FuncId func) {
  const auto owner = [&](pipeline::StageId stage) { return context.pipeline.stage(stage).func; };
  pipeline::StageId around = context.schedule.plan(func).storePlace().stage;
  while (shape.of(owner(around)).depth == Depth::Thread)
    around = context.schedule.plan(owner(around)).compute.stage;
  return around;
}

pipeline::StageId stageOnHost(const RuleContext &context, const Shape &shape,
                              pipeline::StageId stage) {
  const auto owner = [&] { return context.pipeline.stage(stage).func; };
  while (shape.of(owner()).depth != Depth::Host)
    stage = context.schedule.plan(owner()).compute.stage;
  return stage;
}

} // namespace tessera::schedule
