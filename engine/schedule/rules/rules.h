// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/kept_storage.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/bounds/bounds.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::schedule {

// What rules read, whom they look at, and where they report.
class RuleContext {
public:
  // Funcs by rising number, with each all others of its kernel.
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
  // Whether a stage reads further in an input as it goes along a loop, itself or in what is
  // computed for it: inlined, or anywhere in its loops. What it reads of other funcs is there, or
  // is never used; but for those that the algorithm bounds.
  bool readsInput(pipeline::StageId stage, std::uint32_t loop) const;
  // The same, in a func that is computed in its loops, for all of that loop at once.
  bool readsInputAhead(pipeline::StageId stage, std::uint32_t loop) const;

  const Schedule &schedule;
  const pipeline::Pipeline &pipeline;
  const std::span<const pipeline::FuncId> funcs;
  const machine::Limits &limits;

private:
  // What is asked next is about what is computed for this func.
  void askAbout(pipeline::FuncId outer) const;
  bool readsInputInside(pipeline::StageId stage, std::uint32_t loop) const;
  bool isComputedInside(pipeline::FuncId producer) const;
  const std::vector<bool> &inputsReadBy(pipeline::FuncId func) const; // by dimension, in all stages

  std::vector<Violation> &m_violations;
  mutable pipeline::FuncId m_outer{};
  mutable std::vector<std::vector<bool>> m_readsInput; // by func inside of that, once needed
  mutable std::vector<pipeline::FuncId> m_answered;    // those of which it is known
};

// Dimensions of an edge's producer that move along with a loop, without a boundary condition.
std::vector<std::size_t> following(const pipeline::Edge &edge, std::uint32_t loop);

// Whose threads they are that keep a func each for itself.
pipeline::StageId stageInThreads(const RuleContext &context, const Bounds &bounds,
                                 pipeline::FuncId func);

// The stage on the host whose launch a stage is part of: each there is a launch of its own, with
// all that is computed inside of it.
pipeline::StageId stageOnHost(const RuleContext &context, const Bounds &bounds,
                              pipeline::StageId stage);

// The number of registers.
void checkSettings(const RuleContext &context);
// Before anything can be measured: references exist, nests are whole.
void checkStructure(const RuleContext &context);
// All rules that follow.
void checkMeasured(const RuleContext &context, const Bounds &bounds);
void checkPlaces(const RuleContext &context, const Bounds &bounds);
void checkNests(const RuleContext &context, const Bounds &bounds);
void checkReductions(const RuleContext &context, const Bounds &bounds);
// Threads, grid and memory of every kernel.
void checkKernels(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept);
// What Halide does with shared memory over time.
void checkShared(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept);
// What threads keep beside vectors.
void checkFrames(const RuleContext &context, const Bounds &bounds, const KeptStorage &kept);

} // namespace tessera::schedule
