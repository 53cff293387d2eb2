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

// The answers of the rules about one schedule after another, on one machine: for searches, and for
// edits, which ask until nothing is left to mend. They are the answers of check() and isLegal().
// Only kernels that differ from the schedule before, and what their differences reach, are checked.
// So the time depends on these, however large the pipeline is.
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
  // The violations of that schedule. If there are any, also the funcs that were checked.
  std::vector<Violation> m_violations;
  std::vector<pipeline::FuncId> m_refused;
};

} // namespace tessera::schedule
