// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/legality.h"
#include "engine/machine/machine.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/schedule.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::schedule {

// What every rule gets: the schedule and the limits, the funcs to check, and the list to report to.
class RuleContext {
public:
  // `about`: the funcs to check, sorted by id. They include all funcs of their kernels.
  RuleContext(const Schedule &of, std::span<const pipeline::FuncId> about,
              const machine::Limits &by, std::vector<Violation> &violations)
      : schedule(of), pipeline(*of.pipeline()), funcs(about), limits(by), m_violations(violations) {
  }

  void refuse(Rule rule, const DecisionKey &decision, std::string message,
              std::string allowed) const {
    m_violations.push_back({rule, decision, std::move(message), std::move(allowed)});
  }
  void refuse(Rule rule, pipeline::FuncId func, DecisionKind kind, std::string message,
              std::string allowed = {}) const {
    m_violations.push_back({rule, {func, 0, kind, 0}, std::move(message), std::move(allowed)});
  }
  void refuse(Rule rule, pipeline::StageId stage, DecisionKind kind, std::uint16_t axis,
              const std::string &message, std::string allowed = {}) const {
    const pipeline::Stage &of = pipeline.stage(stage);
    m_violations.push_back({rule,
                            {of.func, of.index, kind, axis},
                            pipeline.stageName(stage) + ": " + message,
                            std::move(allowed)});
  }

  const Schedule &schedule;
  const pipeline::Pipeline &pipeline;
  const std::span<const pipeline::FuncId> funcs;
  const machine::Limits &limits;

private:
  std::vector<Violation> &m_violations;
};

// For a func that is stored per thread: the stage whose threads store it.
pipeline::StageId stageInThreads(const RuleContext &context, const Bounds &bounds,
                                 pipeline::FuncId func);

// How many copies of what is computed or stored at a place exist: one for each copy of the unrolled
// loops around it.
std::int64_t copiesAround(const RuleContext &context, const Bounds &bounds, Place place);

// The stage on the host whose kernel launch includes a stage. Each stage on the host is one launch,
// together with everything that is computed in its loops.
pipeline::StageId stageOnHost(const RuleContext &context, const Bounds &bounds,
                              pipeline::StageId stage);

} // namespace tessera::schedule
