// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/rules/legality.h"
#include "engine/machine/machine.h"
#include "engine/schedule/bounds/followed_bounds.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <span>
#include <vector>

namespace tessera::schedule {

// Checks one schedule after another on one machine. The results are the same as those of the free
// functions check() and isLegal(). But this class checks only the kernels that differ from the
// previous schedule, and what these differences reach. So the time depends on the change, and not
// on the size of the pipeline.
// Searches use it, and so do edits, which check until nothing is left to mend.
class KnownLegality {
public:
  explicit KnownLegality(const machine::Machine &machine) : m_limits(machine.limits) {}

  std::vector<Violation> check(const Schedule &schedule);
  bool isLegal(const Schedule &schedule);

private:
  bool isLegalAnew(const Schedule &schedule);
  bool isWhole(const Schedule &schedule, std::span<const pipeline::FuncId> changed) const;
  bool isLegalIn(const Schedule &schedule, std::vector<pipeline::FuncId> asked);

  const machine::Limits m_limits;
  std::optional<FollowedBounds> m_bounds;  // of the last schedule that could be measured
  std::vector<pipeline::FuncId> m_refused; // the funcs checked last, if the schedule was illegal
};

} // namespace tessera::schedule
