// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/inlining.h"

#include "engine/pipeline/measures.h"

#include <algorithm>
#include <map>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::Pipeline;
using pipeline::Producer;
using pipeline::Stage;

namespace {

// How often one evaluation of a stage evaluates a func's expression, if it is inlined as well.
double evaluationsIn(const Pipeline &pipeline, const Stage &stage, FuncId func,
                     const std::vector<FuncId> &inlined) {
  std::map<FuncId, double, std::greater<>> calls; // consumers first
  const auto add = [&](const Stage &one, double times) {
    for (const pipeline::Access &load : one.loads) {
      const FuncId from{load.producer.index};
      if (load.producer.kind == Producer::Kind::Func &&
          (from == func || std::ranges::binary_search(inlined, from)))
        calls[from] += times * load.different;
    }
  };
  add(stage, 1);
  for (auto call = calls.begin(); call != calls.end(); ++call)
    if (call->first != func) add(pipeline.stagesOf(call->first).front(), call->second);
  const auto of = calls.find(func);
  return of == calls.end() ? 0 : of->second;
}

} // namespace

MullapudiKernel withInlinedInto(const Pipeline &pipeline, const MullapudiKernel &producer,
                                const MullapudiKernel &consumer,
                                const MullapudiParameters &parameters) {
  std::vector<FuncId> inlined = mergedGroup(producer.group, consumer.group).inlined;
  const FuncId func = producer.group.output;
  if (const auto at = std::ranges::lower_bound(inlined, func); at == inlined.end() || *at != func)
    inlined.insert(at, func);
  return singleElementKernel(pipeline, consumer.group.output, std::move(inlined), parameters);
}

double inliningBenefit(const Pipeline &pipeline, const MullapudiKernel &producer,
                       const std::vector<const MullapudiKernel *> &consumers,
                       const MullapudiParameters &parameters) {
  double benefit = producer.cost(parameters);
  for (const MullapudiKernel *consumer : consumers)
    benefit += consumer->cost(parameters) -
               withInlinedInto(pipeline, producer, *consumer, parameters).cost(parameters);
  return benefit;
}

bool isInlinedWithoutRedundancy(const Pipeline &pipeline, const MullapudiKernel &producer,
                                const std::vector<const MullapudiKernel *> &consumers) {
  const FuncId func = producer.group.output;
  double evaluations = 0;
  for (const MullapudiKernel *consumer : consumers)
    for (const Stage &stage : pipeline.stagesOf(consumer->group.output))
      evaluations += static_cast<double>(pipeline::evaluationCount(stage)) *
                     evaluationsIn(pipeline, stage, func, consumer->group.inlined);
  return evaluations <=
         static_cast<double>(pipeline::evaluationCount(pipeline.stagesOf(func).front()));
}

} // namespace tessera::search
