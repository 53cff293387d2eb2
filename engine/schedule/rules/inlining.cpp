// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/inlining.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tessera::schedule {

using pipeline::Access;
using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;

bool hasUnreadValue(const Pipeline &pipeline, FuncId func) {
  const std::size_t values = pipeline.func(func).types.size();
  if (values == 1) return false;
  const auto readsFunc = [&](const Access &load) {
    return load.producer.kind == Producer::Kind::Func && load.producer != Producer::func(func);
  };
  if (std::ranges::none_of(pipeline.stagesOf(func), [&](const pipeline::Stage &stage) {
        return std::ranges::any_of(stage.loads, readsFunc);
      }))
    return false;
  std::vector<bool> isRead(values);
  for (const pipeline::Stage &stage : pipeline.stages())
    for (const Access &load : stage.loads)
      if (load.producer == Producer::func(func)) isRead[load.tupleElement] = true;
  return std::ranges::find(isRead, false) != isRead.end();
}

bool mayBeInlined(const Pipeline &pipeline, FuncId func) {
  return pipeline.func(func).mayBeInlined() && !hasUnreadValue(pipeline, func);
}

} // namespace tessera::schedule
