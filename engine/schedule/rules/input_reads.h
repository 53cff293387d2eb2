// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/rule_context.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace tessera::schedule {

// Whether a loop of one func determines where an input is read. Reads count in the func itself, in
// funcs inlined into it, and in funcs computed anywhere in its loops. Reads from other funcs do not
// count, because the elements that are read exist or are never used. A func that the algorithm
// bounds is the exception.
class InputReads {
public:
  InputReads(const RuleContext &context, pipeline::FuncId of)
      : m_schedule(context.schedule), m_pipeline(context.pipeline), m_func(of) {}

  // `loop` belongs to one of the stages of the func.
  bool along(pipeline::StageId stage, std::uint32_t loop) { return readsInside(stage, loop); }
  // Like along(), for the reads of funcs that are computed in the stage outside of `loop`, once for
  // all iterations of `loop`.
  bool ahead(pipeline::StageId stage, std::uint32_t loop);

private:
  bool readsInside(pipeline::StageId stage, std::uint32_t loop);
  bool isComputedInside(pipeline::FuncId producer) const;
  const std::vector<bool> &dimsReading(pipeline::FuncId func); // in all stages of the func

  const Schedule &m_schedule;
  const pipeline::Pipeline &m_pipeline;
  const pipeline::FuncId m_func;
  std::map<pipeline::FuncId, std::vector<bool>> m_known; // results of dimsReading()
};

// The dimensions of an edge's producer whose index depends on a loop, without a boundary condition.
std::vector<std::size_t> following(const pipeline::Edge &edge, std::uint32_t loop);

} // namespace tessera::schedule
