// SPDX-License-Identifier: MIT
#include "engine/schedule/bounds/evaluated_stages.h"

#include <algorithm>

namespace tessera::schedule {

using pipeline::Producer;
using pipeline::StageId;

std::vector<StageId> evaluatedBy(const Schedule &schedule, StageId stage) {
  const pipeline::Pipeline &pipeline = *schedule.pipeline();
  std::vector<StageId> evaluated{stage};
  for (std::size_t i = 0; i < evaluated.size(); ++i)
    for (const pipeline::EdgeId into : pipeline.edgesInto(evaluated[i])) {
      const Producer &producer = pipeline.edge(into).producer;
      if (producer.kind != Producer::Kind::Func) continue;
      const pipeline::FuncId func{producer.index};
      const StageId inlined = pipeline.func(func).firstStage;
      if (schedule.plan(func).isInline() &&
          std::ranges::find(evaluated, inlined) == evaluated.end())
        evaluated.push_back(inlined);
    }
  return evaluated;
}

} // namespace tessera::schedule
