// SPDX-License-Identifier: MIT
#include "tests/engine/schedule/random_schedule.h"

#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/schedule/effort.h"

#include <algorithm>
#include <vector>

namespace tessera::schedule::testing {

using pipeline::FuncId;
using pipeline::StageId;

namespace {

std::size_t below(Random &random, std::size_t bound) {
  // std::uniform_int_distribution gives different results in different libraries.
  return bound == 0 ? 0 : random() % bound;
}

// Rules out schedules that are legal but too slow for thousands of tries.
class Patience {
public:
  explicit Patience(const Schedule &start) : m_start(effortOf(start)) {}

  bool allows(const Schedule &schedule) const {
    const Effort effort = effortOf(schedule);
    return effort.work <= 16 * m_start.work && effort.code <= std::max(2000.0, 2 * m_start.code);
  }

private:
  Effort m_start;
};

class Walk {
public:
  Walk(pipeline::PipelinePtr pipeline, const machine::Machine &machine, Random &random)
      : m_schedule(defaultSchedule(std::move(pipeline))), m_patience(m_schedule),
        m_legality(machine), m_random(random) {}

  // Tries a few other places for every func.
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
    Applied after = applied(m_schedule, edit, Origin::Search, m_legality);
    if (!after.isLegal() || !m_patience.allows(after.schedule)) return false;
    m_schedule = std::move(after.schedule);
    return true;
  }

  Schedule m_schedule;
  const Patience m_patience; // relative to the start of the walk
  KnownLegality m_legality;
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
                                     Random &random, std::size_t unasked) {
  const std::size_t stages = legal.pipeline()->stages().size();
  KnownLegality legality(machine);
  for (int tries = 0; tries < 200; ++tries) {
    Schedule after = legal;
    for (std::size_t done = 0; done < unasked && isSound(after);) {
      const std::vector<Edit> wanted =
          proposals(after, static_cast<StageId>(below(random, stages)));
      if (wanted.empty()) continue;
      const Edit &edit = wanted[below(random, wanted.size())];
      after = applied(after, edit, Origin::Search, legality).schedule;
      ++done;
    }
    std::vector<Violation> violations = check(after, machine);
    // A schedule that names missing loops cannot be lowered, so it is not tried.
    const bool canLower = std::ranges::none_of(violations, [](const Violation &violation) {
      return violation.rule == Rule::NestWhole || violation.rule == Rule::PlaceExists;
    });
    if (!violations.empty() && canLower) return Refused{std::move(after), std::move(violations)};
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
