// SPDX-License-Identifier: MIT
#include "tests/engine/schedule/random_schedule.h"

#include "engine/schedule/default_schedule.h"
#include "engine/schedule/shape.h"

#include <algorithm>
#include <vector>

namespace tessera::schedule::testing {

using pipeline::FuncId;
using pipeline::StageId;

namespace {

std::size_t below(Random &random, std::size_t bound) {
  // Not std::uniform_int_distribution: its results differ between libraries.
  return bound == 0 ? 0 : random() % bound;
}

// Legal, but minutes of compiling when it comes several times in a schedule.
constexpr std::int64_t kMostCopies = 16;

bool isQuickToCompile(const Schedule &schedule, FuncId func) {
  const Shape shape(schedule);
  const auto first = index(schedule.pipeline()->func(func).firstStage);
  const FuncPlan &plan = schedule.plan(func);
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    std::int64_t copies = 1;
    for (std::size_t l = 0; l < plan.stages[s].nest.loops.size(); ++l)
      if (plan.stages[s].nest.loops[l].kind == LoopKind::Unrolled)
        copies *= shape.of(static_cast<StageId>(first + s)).loops[l];
    if (copies > kMostCopies) return false;
  }
  return true;
}

class Walk {
public:
  Walk(pipeline::PipelinePtr pipeline, const machine::Machine &machine, Random &random)
      : m_schedule(defaultSchedule(std::move(pipeline))), m_machine(machine), m_random(random) {}

  // Every func gets a few tries at another place.
  void fuse() {
    const std::size_t funcs = m_schedule.pipeline()->funcs().size();
    for (std::size_t f = funcs; f-- > 0;)
      for (int tries = 0; tries < 4; ++tries)
        if (tryOne(m_schedule.pipeline()->funcs()[f].firstStage, true)) break;
  }

  void change(std::size_t steps) {
    const std::size_t stages = m_schedule.pipeline()->stages().size();
    for (std::size_t i = 0; i < steps; ++i)
      tryOne(static_cast<StageId>(below(m_random, stages)), false);
  }

  Schedule take() { return std::move(m_schedule); }

private:
  bool tryOne(StageId stage, bool placesOnly) {
    std::vector<Edit> wanted = proposals(m_schedule, stage);
    if (placesOnly)
      std::erase_if(wanted,
                    [](const Edit &edit) { return edit.decision.kind != DecisionKind::Compute; });
    if (wanted.empty()) return false;
    const Edit &edit = wanted[below(m_random, wanted.size())];
    Schedule after = applied(m_schedule, edit, Origin::Search);
    if (!isLegal(after, m_machine) || !isQuickToCompile(after, edit.decision.func)) return false;
    m_schedule = std::move(after);
    return true;
  }

  Schedule m_schedule;
  const machine::Machine &m_machine;
  Random &m_random;
};

} // namespace

Schedule randomSchedule(pipeline::PipelinePtr pipeline, const machine::Machine &machine,
                        Random &random) {
  const std::size_t stages = pipeline->stages().size();
  Walk walk(std::move(pipeline), machine, random);
  walk.fuse();
  walk.change(4 + below(random, 4 * stages));
  return walk.take();
}

std::optional<Refused> randomRefused(const Schedule &legal, const machine::Machine &machine,
                                     Random &random) {
  const std::size_t stages = legal.pipeline()->stages().size();
  for (int tries = 0; tries < 200; ++tries) {
    const std::vector<Edit> wanted = proposals(legal, static_cast<StageId>(below(random, stages)));
    if (wanted.empty()) continue;
    Schedule after = applied(legal, wanted[below(random, wanted.size())], Origin::Search);
    const std::vector<Violation> violations = check(after, machine);
    // What names loops that do not exist cannot be lowered to be tried.
    const bool canLower = std::ranges::none_of(violations, [](const Violation &violation) {
      return violation.rule == Rule::NestWhole || violation.rule == Rule::PlaceExists;
    });
    if (!violations.empty() && canLower) return Refused{std::move(after), violations.front()};
  }
  return std::nullopt;
}

std::size_t fusedFuncs(const Schedule &schedule) {
  std::size_t fused = 0;
  for (std::size_t f = 0; f < schedule.pipeline()->funcs().size(); ++f)
    if (schedule.plan(static_cast<FuncId>(f)).compute.kind == Place::Kind::At) ++fused;
  return fused;
}

} // namespace tessera::schedule::testing
