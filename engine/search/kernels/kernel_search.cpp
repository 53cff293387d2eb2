// SPDX-License-Identifier: MIT
#include "engine/search/kernels/kernel_search.h"

#include "engine/cost/prediction.h"
#include "engine/schedule/edits/default_schedule.h"

#include <algorithm>

namespace tessera::search {

using pipeline::FuncId;
using pipeline::StageId;
using schedule::Schedule;

KernelSearch::KernelSearch(Problem problem)
    : m_problem(std::move(problem)), m_pipeline(m_problem.start.pipeline()),
      m_schedule(m_problem.start), m_trace(m_problem.traceRows),
      m_best{m_problem.start, cost::predict(m_problem.start, m_problem.machine).seconds} {}

std::vector<std::string> KernelSearch::namesOf(std::span<const FuncId> funcs) const {
  std::vector<std::string> names;
  for (const FuncId func : funcs)
    names.push_back(nameOf(func));
  return names;
}

std::string KernelSearch::refusalOf(schedule::KnownLegality &legality,
                                    const Schedule &schedule) const {
  const std::vector<schedule::Violation> violations = legality.check(schedule);
  return violations.empty() ? "it would change what is frozen" : violations.front().message;
}

Schedule KernelSearch::resetAround(const std::set<FuncId> &kept) const {
  const Schedule fresh = schedule::defaultSchedule(m_pipeline);
  Schedule schedule = m_problem.start;
  for (std::uint32_t f = 0; f < m_pipeline->funcs().size(); ++f)
    if (!kept.contains(FuncId{f})) schedule.set(FuncId{f}, fresh.plan(FuncId{f}));
  return schedule;
}

std::set<FuncId> KernelSearch::kernelsReading(FuncId func) const {
  std::set<FuncId> outputs;
  for (const StageId reader : schedule::readersOf(m_schedule, func)) {
    const FuncId of = m_pipeline->stage(reader).func;
    const auto owner = m_owner.find(of);
    outputs.insert(owner == m_owner.end() ? of : owner->second);
  }
  return outputs;
}

std::string KernelSearch::listed(const std::vector<std::string> &names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
    text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > kMost) text += " and " + std::to_string(names.size() - kMost) + " more";
  return text;
}

void KernelSearch::report(Report which) {
  const double seconds = cost::predict(m_schedule, m_problem.machine).seconds;
  if (which == Report::IfBetter && seconds >= m_best.seconds) return;
  m_best = {m_schedule, seconds};
  m_fresh.push_back(m_best);
}

} // namespace tessera::search
