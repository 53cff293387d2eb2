// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/bounds/followed_bounds.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <span>
#include <vector>

namespace tessera::schedule {

// What the rules say of schedules on one machine, for who asks about one after another: searches,
// and edits, which ask until nothing is left to mend. Says what check() and isLegal() say, but
// looks only at kernels that differ from the schedule asked about before, and at what their
// differences reach: it takes as long as these, however large the pipeline.
class KnownLegality {
public:
  explicit KnownLegality(const machine::Machine &machine) : m_limits(machine.limits) {}

  std::vector<Violation> check(const Schedule &schedule);
  bool isLegal(const Schedule &schedule) { return check(schedule).empty(); }

private:
  std::vector<Violation> checkAnew(const Schedule &schedule);
  std::vector<Violation> checkStructureOf(const Schedule &schedule,
                                          std::span<const pipeline::FuncId> changed) const;
  std::vector<Violation> checkMeasuredOf(const Schedule &schedule,
                                         std::vector<pipeline::FuncId> asked);

  const machine::Limits m_limits;
  std::optional<FollowedShape> m_bounds; // of the last schedule that could be measured
  // What the rules said of that, and the kernels that they said it of.
  std::vector<Violation> m_violations;
  std::vector<pipeline::FuncId> m_refused;
};

} // namespace tessera::schedule
