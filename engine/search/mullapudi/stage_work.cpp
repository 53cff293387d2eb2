// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/stage_work.h"

#include <algorithm>
#include <map>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::OpKind;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;

namespace {

// Section 4.1 gives most operations a cost of 1, and says that transcendental functions cost more.
// The numbers are those of Halide's CPU scheduler, which is the paper's, by the width of the
// result.
double costOf(const pipeline::OpCount &operation, double divisionCost) {
  switch (operation.kind) {
  case OpKind::Load:
    return 0;
  case OpKind::Divide:
  case OpKind::Modulo:
    return divisionCost;
  case OpKind::Transcendental:
    return operation.type.bits == 64 ? 20 : operation.type.bits == 32 ? 10 : 5;
  default:
    return 1;
  }
}

} // namespace

StageWork workOf(const Pipeline &pipeline, const Stage &stage, std::span<const FuncId> inlined,
                 double divisionCost) {
  StageWork work;
  std::map<FuncId, double, std::greater<>> calls; // of inlined funcs; consumers first
  const auto addLoad = [&](const pipeline::Access &load, double times) {
    const std::uint32_t from = load.producer.index;
    if (load.producer.kind == Producer::Kind::Input) {
      if (pipeline.inputs()[from].isScalar) return; // scalars are arguments of the kernel
    } else if (std::ranges::binary_search(inlined, FuncId{from})) {
      calls[FuncId{from}] += times;
      return;
    }
    const auto known = std::ranges::find(work.loads, load.producer, &StageWork::Loads::producer);
    if (known == work.loads.end())
      work.loads.push_back({load.producer, times});
    else
      known->count += times;
  };
  const auto add = [&](const Stage &one, double times) {
    for (const pipeline::OpCount &operation : one.operations)
      work.operations += times * operation.count * costOf(operation, divisionCost);
    for (const pipeline::Access &load : one.loads)
      addLoad(load, times * load.count);
  };
  add(stage, 1);
  // A func reads only funcs of lower numbers, so what is added while going on comes later.
  for (auto call = calls.begin(); call != calls.end(); ++call)
    add(pipeline.stagesOf(call->first).front(), call->second);
  return work;
}

} // namespace tessera::search
