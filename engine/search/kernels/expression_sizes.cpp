// SPDX-License-Identifier: MIT
#include "engine/search/kernels/expression_sizes.h"

#include "engine/pipeline/measures.h"

namespace tessera::search {

using pipeline::FuncId;

double ExpressionSizes::of(pipeline::StageId id) {
  const auto [known, isNew] = m_sizes.try_emplace(id);
  if (!isNew) return known->second;
  const pipeline::Pipeline &pipeline = *m_schedule.pipeline();
  const pipeline::Stage &stage = pipeline.stage(id);
  auto size = static_cast<double>(pipeline::operationCount(stage) + pipeline::loadCount(stage));
  for (const pipeline::Access &load : stage.loads) {
    if (load.producer.kind != pipeline::Producer::Kind::Func) continue;
    const FuncId func{load.producer.index};
    if (m_schedule.plan(func).isInline()) size += load.count * of(pipeline.func(func).firstStage);
  }
  return m_sizes[id] = size;
}

} // namespace tessera::search
