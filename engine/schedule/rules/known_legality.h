// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/bounds/bounds.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tessera::schedule {

// Whether schedules are legal, for a search that asks about one after another. Says what isLegal()
// says, but looks only at kernels that differ from the one asked about before, and at what their
// differences reach: it takes as long as these, however large the pipeline.
class KnownLegality {
public:
  explicit KnownLegality(const machine::Machine &machine) : m_limits(machine.limits) {}

  bool isLegal(const Schedule &schedule);

private:
  bool isLegalAnew(const Schedule &schedule);
  bool isFollowing(const Schedule &schedule) const;
  bool isSound(const Schedule &schedule, std::span<const pipeline::FuncId> changed) const;

  const machine::Limits m_limits;
  std::optional<Schedule> m_last;          // that was measured
  Bounds m_bounds;                         // of that
  std::size_t m_bytes = 0;                 // of the shape, when all of it was measured last
  std::vector<pipeline::FuncId> m_refused; // kernels in one of which something is refused
};

} // namespace tessera::schedule
