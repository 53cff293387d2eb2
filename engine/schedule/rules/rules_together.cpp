// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/rules_together.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::schedule {

using pipeline::FuncId;
using pipeline::Stage;
using pipeline::StageId;

namespace {

// Two stages share loops. The first one has the loops, and the second one is computed in them.
class TogetherRules {
public:
  TogetherRules(const RuleContext &context, const Bounds &bounds, StageId second)
      : m_context(context), m_bounds(bounds), m_shared(*context.schedule.plan(second).computeWith),
        m_second(second) {}

  void check() const {
    if (const std::string reason = reasonAgainst(); !reason.empty())
      m_context.refuse(Rule::SharedLoops, m_second, DecisionKind::ComputeWith, 0,
                       "it cannot share loops with " +
                           m_context.pipeline.stageName(m_shared.stage) + ": " + reason,
                       "loops of its own");
  }

private:
  FuncId funcOf(StageId stage) const { return m_context.pipeline.stage(stage).func; }
  const LoopNest &nestOf(StageId stage) const { return m_context.schedule.plan(stage).nest; }

  std::string reasonAgainst() const {
    const FuncId first = funcOf(m_shared.stage), second = funcOf(m_second);
    if (first == second) return "both are stages of one func";
    if (m_context.schedule.plan(first).isInline()) return "it is inlined";
    if (dependsOn(std::max(first, second), std::min(first, second)))
      return "one of them is computed from the other";
    if (m_context.schedule.plan(first).compute != m_context.schedule.plan(second).compute)
      return "they have different compute places";
    if (isPlace(m_shared.stage) || isPlace(m_second))
      return "other funcs are computed in these loops";
    if (!areAlike()) return "their loops differ in name, kind, order or length";
    return {};
  }

  // Halide asks for the same names, order and kinds of all loops that are shared. A kernel of both
  // has as many threads as the larger of them in each dimension, so the loops inside have to be
  // alike, too.
  bool areAlike() const {
    const Stage &a = m_context.pipeline.stage(m_shared.stage);
    const Stage &b = m_context.pipeline.stage(m_second);
    const LoopNest &one = nestOf(m_shared.stage), &other = nestOf(m_second);
    const auto namesOf = [](const Stage &stage) {
      std::vector<std::string> names;
      for (const pipeline::LoopDim &loop : stage.loops)
        names.push_back(loop.name);
      return names;
    };
    return a.index == b.index && one == other && namesOf(a) == namesOf(b) &&
           one.find(m_shared.loop) &&
           std::ranges::equal(m_bounds.of(m_shared.stage).loops, m_bounds.of(m_second).loops);
  }

  bool isPlace(StageId stage) const {
    return std::ranges::any_of(m_context.pipeline.allFuncs(), [&](FuncId func) {
      const Place &place = m_context.schedule.plan(func).compute;
      return place.kind == Place::Kind::At && place.stage == stage;
    });
  }

  // Whether `later` is computed from `earlier`, directly or through other funcs.
  bool dependsOn(FuncId later, FuncId earlier) const {
    const pipeline::Pipeline &pipeline = m_context.pipeline;
    std::vector<bool> known(pipeline.funcs().size());
    known[index(earlier)] = true;
    for (std::size_t f = index(earlier) + 1; f <= index(later); ++f) // producers first
      for (const StageId stage : pipeline.stageIdsOf(static_cast<FuncId>(f)))
        for (const pipeline::EdgeId edge : pipeline.edgesInto(stage)) {
          const pipeline::Producer &producer = pipeline.edge(edge).producer;
          if (producer.kind == pipeline::Producer::Kind::Func && known[producer.index])
            known[f] = true;
        }
    return known[index(later)];
  }

  const RuleContext &m_context;
  const Bounds &m_bounds;
  const SharedLoop m_shared;
  const StageId m_second;
};

} // namespace

// The two stages may be in different kernels, and only one of them among the funcs to check.
void checkTogether(const RuleContext &context, const Bounds &bounds) {
  const auto isAsked = [&](StageId stage) {
    return std::ranges::binary_search(context.funcs, context.pipeline.stage(stage).func);
  };
  for (std::uint32_t f = 0; f < context.pipeline.funcs().size(); ++f) {
    const FuncPlan &plan = context.schedule.plan(FuncId{f});
    for (std::uint32_t s = 0; !plan.isInline() && s < plan.stages.size(); ++s) {
      const auto &shared = plan.stages[s].computeWith;
      const auto stage =
          static_cast<StageId>(index(context.pipeline.func(FuncId{f}).firstStage) + s);
      if (shared && (isAsked(stage) || isAsked(shared->stage)))
        TogetherRules(context, bounds, stage).check();
    }
  }
}

} // namespace tessera::schedule
