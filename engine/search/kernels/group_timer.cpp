// SPDX-License-Identifier: MIT
#include "engine/search/kernels/group_timer.h"

#include "engine/search/kernels/expression_sizes.h"
#include "engine/cost/prediction.h"

#include <cmath>
#include <limits>
#include <utility>

namespace tessera::search {

void GroupTimer::setTraffic(const schedule::Schedule &whole) {
  m_fromDram = cost::fromDramOf(whole, m_machine);
}

double GroupTimer::secondsOf(schedule::Schedule schedule, const Group &group) {
  schedule.pipeline()->requireIds(group.ids);
  m_evaluator.moveTo(std::move(schedule), group.funcs(), m_fromDram);
  return seconds();
}

double GroupTimer::secondsOf(WrittenGroup written, const Group &group) {
  written.schedule.pipeline()->requireIds(group.ids);
  m_evaluator.moveTo(std::move(written.schedule), group.funcs(), m_fromDram, written.sizes);
  return seconds();
}

double GroupTimer::seconds() {
  const cost::Glance glance = cost::glanceOf(m_evaluator.prediction());
  const bool counts = glance.longestBody <= kLongestBody && std::isfinite(glance.seconds) &&
                      glance.mostShared <= m_machine.limits.sharedBytesPerBlock;
  return counts ? glance.seconds : std::numeric_limits<double>::infinity();
}

} // namespace tessera::search
