// SPDX-License-Identifier: MIT
#include "engine/search/dp_fusion/dp_fusion_search.h"

#include "engine/search/kernels/kept_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

// Sections are those of Jangda and Guha 2020.
namespace tessera::search {

using pipeline::FuncId;

namespace {

constexpr std::size_t kBlocksAStep = 16; // of which sizes are evaluated in one step

} // namespace

DpFusionSearch::DpFusionSearch(Problem problem)
    : KernelSearch(std::move(problem)), m_parameters(dpParameters(m_problem.parameters)),
      m_frozen(m_problem.start), m_legality(m_problem.machine) {
  begin();
}

std::string_view DpFusionSearch::phase() const {
  constexpr std::array<std::string_view, 3> kNames{"groups", "schedules", "done"};
  return kNames[static_cast<std::size_t>(m_phase)];
}

double DpFusionSearch::progress() const {
  constexpr double kGroups = 0.7; // of all the work, roughly
  if (m_phase == Phase::Done) return 1;
  if (m_phase == Phase::Groups) return kGroups * m_grouping->progress();
  const double written = static_cast<double>(m_next) / static_cast<double>(m_chosen.size() + 1);
  return kGroups + (1 - kGroups) * written;
}

std::vector<std::string> DpFusionSearch::remarks() const {
  std::vector<std::string> remarks;
  if (!m_grouping) return remarks;
  remarks.emplace_back("registers and times of the stages are modelled by Tessera from their "
                       "instructions; the paper measures them");
  if (const auto bound = m_grouping->bound())
    remarks.push_back("not all groups of more than " + std::to_string(*bound) +
                      " funcs were tried; MAX_GROUPS is " +
                      std::to_string(static_cast<std::size_t>(m_parameters.maxGroups)));
  if (m_refused > 0)
    remarks.push_back(std::to_string(m_refused) + (m_refused == 1 ? " group was" : " groups were") +
                      " chosen, but no legal schedule has them");
  if (!m_asStarted.empty())
    remarks.push_back(std::to_string(m_asStarted.size()) +
                      (m_asStarted.size() == 1 ? " kernel keeps" : " kernels keep") +
                      " the loops of the default schedule, as none of the algorithm's are legal: " +
                      listed(m_asStarted));
  return remarks;
}

// Each func becomes a kernel of its own, except for what is kept, what is frozen, and what the
// default schedule inlines: that is part of the stage which reads it. Returns whether it is legal.
bool DpFusionSearch::resetTo(const std::set<FuncId> &kept) {
  m_kept = withTheirInlined(m_problem.start, kept);
  m_schedule = resetAround(m_kept);
  for (const FuncId func : m_pipeline->allFuncs())
    if (!m_kept.contains(func) && m_frozen.contains(func))
      m_schedule.set(func, m_problem.start.plan(func));
  return m_legality.isLegal(m_schedule) && keepsFrozen(m_problem.start, m_schedule);
}

void DpFusionSearch::begin() {
  const std::set<FuncId> kept = keptFuncs(m_problem.start);
  std::set<FuncId> whole = kept;
  for (const FuncId func : keptAlone(m_problem.start, kept))
    whole.erase(func);
  // If nothing can be begun anew around what is frozen, the search ends at once.
  if (!resetTo(whole) && !resetTo(kept)) return;
  m_fusion = std::make_unique<const FusionProblem>(m_schedule, m_kept, m_frozen, m_problem.machine,
                                                   m_parameters);
  m_grouping = std::make_unique<DpGrouping>(
      m_fusion->graph(), [this](const DpGrouping::Group &group) { return m_fusion->mayBe(group); },
      static_cast<std::size_t>(m_parameters.maxGroups));
  m_phase = Phase::Groups;
}

bool DpFusionSearch::step() {
  if (m_phase == Phase::Done) return false;
  if (isOutOfEvaluations() && !m_scan)
    finish(Ending::OutOfEvaluations);
  else if (m_phase == Phase::Groups)
    nextGroup();
  else
    nextSchedule();
  return m_phase != Phase::Done;
}

// Returns whether there is more to scan.
bool DpFusionSearch::scanMore() {
  for (std::size_t i = 0; i < kBlocksAStep; ++i)
    if (!m_scan->step()) return false;
  return true;
}

void DpFusionSearch::nextGroup() {
  if (!m_scan) {
    const DpGrouping::Group *group = m_grouping->next();
    if (!group) return beginSchedules();
    ++m_evaluations;
    const auto tiles = m_parameters.allTiles > 0 ? SizeScan::Tiles::All : SizeScan::Tiles::Powers;
    m_scan = std::make_unique<SizeScan>(m_fusion->scanOf(m_fusion->groupOf(*group), tiles));
  }
  if (scanMore()) return;
  m_grouping->tell(m_scan->best().empty() ? std::numeric_limits<double>::infinity()
                                          : m_scan->best().front().terms.cost);
  m_scan.reset();
}

void DpFusionSearch::beginSchedules() {
  m_phase = Phase::Schedules;
  m_schedule = m_fusion->apart();
  m_chosen = m_grouping->best();
  m_next = 0;
  m_asStarted.clear();
}

// Writes one group with the best sizes that are legal. If none are, the group is as good as one of
// infinite cost, and the best partition without it is taken.
void DpFusionSearch::nextSchedule() {
  if (m_next == m_chosen.size()) return finish(Ending::Whole);
  const DpGrouping::Group &nodes = m_chosen[m_next];
  const DpGroup group = m_fusion->groupOf(nodes);
  const auto known = m_choices.find(nodes);
  if (known == m_choices.end()) {
    if (!m_scan) {
      ++m_evaluations;
      m_scan = std::make_unique<SizeScan>(m_fusion->scanOf(group, SizeScan::Tiles::All));
    }
    if (scanMore()) return;
    m_choices[nodes] = m_scan->best();
    m_scan.reset();
    return;
  }
  ++m_next;
  if (write(group, known->second)) return;
  if (group.members.size() == 1) {
    m_asStarted.push_back(m_pipeline->func(group.output).name);
    return;
  }
  ++m_refused;
  traceGroup(nodes, TraceOutcome::Refused, "no sizes of its tiles are legal");
  m_grouping->forbid(nodes);
  beginSchedules();
}

bool DpFusionSearch::write(const DpGroup &group, const std::vector<SizeScan::Choice> &choices) {
  for (const SizeScan::Choice &choice : choices) {
    auto schedule = withOverlappedTile(m_schedule, group, choice.sizes, m_frozen);
    if (!schedule || !m_legality.isLegal(*schedule) ||
        (!m_frozen.empty() && !keepsFrozen(m_problem.start, *schedule)))
      continue;
    m_schedule = std::move(*schedule);
    return true;
  }
  return false;
}

// What a group costs less than its funcs as kernels of their own.
double DpFusionSearch::benefitOf(const DpGrouping::Group &group) const {
  double benefit = -m_grouping->costs().at(group);
  for (const DpGrouping::Node node : group)
    benefit += m_grouping->costs().at({node});
  return benefit;
}

void DpFusionSearch::traceGroup(const DpGrouping::Group &group, TraceOutcome outcome,
                                const char *reason) {
  m_trace.add([&] {
    const std::vector<FuncId> members = m_fusion->groupOf(group).members;
    TraceRow row{std::string(phase()), members.size() == 1 ? "a kernel of its own" : "one kernel",
                 namesOf(members), finiteCost(m_grouping->costs().at(group))};
    if (members.size() > 1) row.benefit = finiteCost(benefitOf(group));
    row.outcome = outcome;
    row.reason = reason;
    return row;
  });
}

// The groups that gain and are not in the partition, that of most benefit first.
void DpFusionSearch::traceOthers() {
  if (!m_trace.isOn()) return;
  std::vector<std::pair<double, const DpGrouping::Group *>> others;
  for (const auto &[group, cost] : m_grouping->costs())
    if (group.size() > 1 && std::isfinite(cost) && benefitOf(group) > 0 &&
        std::ranges::find(m_chosen, group) == m_chosen.end())
      others.emplace_back(benefitOf(group), &group);
  std::ranges::stable_sort(others, std::greater<>{}, [](const auto &other) { return other.first; });
  for (const auto &[benefit, group] : others)
    traceGroup(*group, TraceOutcome::Refused, "the chosen groups cost less together");
}

void DpFusionSearch::finish(Ending ending) {
  if (m_phase == Phase::Schedules) {
    for (std::size_t g = 0; g < m_chosen.size(); ++g)
      if (g < m_next)
        traceGroup(m_chosen[g], TraceOutcome::Taken, "");
      else
        traceGroup(m_chosen[g], TraceOutcome::Refused, "the evaluations ran out");
    traceOthers();
  }
  m_phase = Phase::Done;
  report(ending == Ending::Whole ? Report::Always : Report::IfBetter);
}

} // namespace tessera::search
