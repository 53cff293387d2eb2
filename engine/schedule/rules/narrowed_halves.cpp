// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/narrowed_halves.h"

#include <algorithm>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::OpCount;
using pipeline::OpKind;
using pipeline::Pipeline;
using pipeline::ScalarType;
using pipeline::Stage;
using pipeline::StageId;
using pipeline::TypeKind;

namespace {

constexpr ScalarType kHalf{TypeKind::Float, 16}, kSingle{TypeKind::Float, 32};

bool hasHalves(const Pipeline &pipeline, FuncId func) {
  return std::ranges::find(pipeline.func(func).types, kHalf) != pipeline.func(func).types.end();
}

// A conversion to float16 from float32: something of the stage has to be a float32.
bool narrows(const Stage &stage) {
  const auto makesHalf = [](const OpCount &op) {
    return op.kind == OpKind::Cast && op.type == kHalf;
  };
  const auto isSingle = [](const OpCount &op) { return op.type == kSingle; };
  return std::ranges::any_of(stage.operations, makesHalf) &&
         std::ranges::any_of(stage.operations, isSingle);
}

} // namespace

bool mayStoreNarrowed(const Pipeline &pipeline, StageId stage,
                      const std::function<bool(FuncId)> &isInline) {
  if (!hasHalves(pipeline, pipeline.stage(stage).func)) return false;
  std::vector<StageId> left{stage};
  std::vector<bool> isSeen(pipeline.stages().size());
  while (!left.empty()) {
    const StageId next = left.back();
    left.pop_back();
    if (narrows(pipeline.stage(next))) return true;
    for (const pipeline::EdgeId into : pipeline.edgesInto(next)) {
      const pipeline::Producer &producer = pipeline.edge(into).producer;
      if (producer.kind != pipeline::Producer::Kind::Func) continue;
      const FuncId func{producer.index};
      const StageId first = pipeline.func(func).firstStage;
      if (isSeen[index(first)] || !hasHalves(pipeline, func) || !isInline(func)) continue;
      isSeen[index(first)] = true;
      left.push_back(first);
    }
  }
  return false;
}

} // namespace tessera::schedule
