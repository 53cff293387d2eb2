// SPDX-License-Identifier: MIT
#include "engine/schedule/known_legality.h"

#include "engine/schedule/rules.h"
#include "engine/schedule/rules_structure.h"

#include <algorithm>
#include <iterator>

namespace tessera::schedule {

using pipeline::FuncId;

namespace {

constexpr std::size_t kMostGrown = 4; // times the room of a shape that is measured anew

std::vector<FuncId> both(const std::vector<FuncId> &a, const std::vector<FuncId> &b) {
  std::vector<FuncId> all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

} // namespace

bool KnownLegality::isLegal(const Schedule &schedule) {
  if (!isFollowing(schedule)) return isLegalAnew(schedule);
  const std::vector<FuncId> changed = schedule.plannedOtherwise(*m_last);
  if (changed.empty()) return m_refused.empty();
  if (!isSound(schedule, changed)) return false;
  const std::vector<FuncId> reached = m_shape.follow(*m_last, schedule, changed);
  m_last = schedule;
  const std::vector<FuncId> asked = both(reached, m_refused);
  std::vector<Violation> violations;
  checkMeasured(RuleContext(schedule, asked, m_limits, violations), m_shape);
  m_refused = violations.empty() ? std::vector<FuncId>{} : asked;
  return violations.empty();
}

// Whether it differs from the last one in plans alone.
bool KnownLegality::isFollowing(const Schedule &schedule) const {
  return m_last && m_last->pipeline() == schedule.pipeline() &&
         m_last->settings() == schedule.settings() && m_shape.bytes() <= kMostGrown * m_bytes;
}

bool KnownLegality::isLegalAnew(const Schedule &schedule) {
  const std::vector<FuncId> all = schedule.pipeline()->allFuncs();
  std::vector<Violation> violations;
  const RuleContext context(schedule, all, m_limits, violations);
  checkSettings(context);
  checkStructure(context);
  if (!violations.empty()) return false;
  m_shape.renew(schedule);
  m_bytes = m_shape.bytes();
  m_last = schedule;
  checkMeasured(context, m_shape);
  m_refused = violations.empty() ? std::vector<FuncId>{} : all;
  return violations.empty();
}

// Of what has changed, and of all that may be placed in its loops: what is in the same kernels. A
// place that is in another kernel is refused, and asked about each time.
bool KnownLegality::isSound(const Schedule &schedule, std::span<const FuncId> changed) const {
  std::vector<bool> isIn(schedule.pipeline()->funcs().size()); // by the func at the root
  for (const FuncId func : changed)
    isIn[index(m_shape.of(func).kernel)] = true;
  std::vector<FuncId> asked;
  for (std::uint32_t f = 0; f < isIn.size(); ++f)
    if (isIn[index(m_shape.of(FuncId{f}).kernel)]) asked.push_back(FuncId{f});
  asked = both(asked, m_refused);
  std::vector<Violation> violations;
  checkStructure(RuleContext(schedule, asked, m_limits, violations));
  return violations.empty();
}

} // namespace tessera::schedule
