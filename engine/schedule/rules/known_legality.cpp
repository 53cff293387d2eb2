// SPDX-License-Identifier: MIT
#include "engine/schedule/rules/known_legality.h"

#include "engine/schedule/rules/legality.h"
#include "engine/schedule/rules/rules.h"
#include "engine/schedule/rules/rules_structure.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tessera::schedule {

using pipeline::FuncId;

namespace {

std::vector<FuncId> both(const std::vector<FuncId> &a, const std::vector<FuncId> &b) {
  std::vector<FuncId> all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

} // namespace

// The violations of an illegal schedule are found with bounds that are measured from the beginning.
// In followed bounds, a func that is read outside of the loop in which it is computed may have
// bounds that depend on the order of earlier changes.
std::vector<Violation> KnownLegality::check(const Schedule &schedule) {
  if (isLegal(schedule)) return {};
  return checkWithin(schedule, m_limits);
}

bool KnownLegality::isLegal(const Schedule &schedule) {
  if (!m_bounds || !m_bounds->mayFollow(schedule)) return isLegalAnew(schedule);
  const std::vector<FuncId> changed = schedule.plannedOtherwise(m_bounds->schedule());
  if (changed.empty()) return m_refused.empty();
  if (!isWhole(schedule, changed)) return false;
  return isLegalIn(schedule, both(m_bounds->follow(schedule, changed), m_refused));
}

bool KnownLegality::isLegalAnew(const Schedule &schedule) {
  std::vector<FuncId> all = schedule.pipeline()->allFuncs();
  std::vector<Violation> violations;
  const RuleContext context(schedule, all, m_limits, violations);
  checkSettings(context);
  checkStructure(context);
  if (!violations.empty()) return false;
  if (m_bounds)
    m_bounds->renew(schedule);
  else
    m_bounds.emplace(schedule);
  return isLegalIn(schedule, std::move(all));
}

// Checks the structure of the changed funcs and of all funcs in their kernels, since only these may
// be placed in loops of the changed funcs. A func placed in another kernel was refused, and refused
// funcs are checked each time.
bool KnownLegality::isWhole(const Schedule &schedule, std::span<const FuncId> changed) const {
  const Bounds &bounds = m_bounds->bounds();
  std::vector<bool> isIn(schedule.pipeline()->funcs().size()); // kernels to check, by root func
  for (const FuncId func : changed)
    isIn[index(bounds.of(func).kernel)] = true;
  std::vector<FuncId> asked;
  for (std::uint32_t f = 0; f < isIn.size(); ++f)
    if (isIn[index(bounds.of(FuncId{f}).kernel)]) asked.push_back(FuncId{f});
  asked = both(asked, m_refused);
  std::vector<Violation> violations;
  checkStructure(RuleContext(schedule, asked, m_limits, violations));
  return violations.empty();
}

// `m_bounds` has to hold the bounds of `schedule`.
bool KnownLegality::isLegalIn(const Schedule &schedule, std::vector<FuncId> asked) {
  std::vector<Violation> violations;
  checkMeasured(RuleContext(schedule, asked, m_limits, violations), m_bounds->bounds());
  m_refused = violations.empty() ? std::vector<FuncId>{} : std::move(asked);
  return m_refused.empty();
}

} // namespace tessera::schedule
