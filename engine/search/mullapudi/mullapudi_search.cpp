// SPDX-License-Identifier: MIT
#include "engine/search/mullapudi/mullapudi_search.h"

#include "engine/search/mullapudi/inlining.h"
#include "engine/search/mullapudi/mullapudi_tiles.h"
#include "engine/search/mullapudi/polymage_like.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/rules/inlining.h"
#include "engine/search/kernels/expression_sizes.h"
#include "engine/search/kernels/group.h"
#include "engine/search/kernels/kept_kernels.h"

#include <algorithm>
#include <array>

// Sections and listings are those of Mullapudi et al. 2016.
namespace tessera::search {

using pipeline::FuncId;
using pipeline::StageId;
using schedule::Schedule;

namespace {

// Reasons of a trace.
constexpr const char *kNoGain = "it gains nothing";
constexpr const char *kRepeats = "it would compute something again";
constexpr const char *kNoTiles = "no tiles that fit gain anything";
constexpr const char *kNotLegal = "no tiles that gain are legal";
constexpr const char *kOtherLoops = "the loops that the algorithm chose are not legal";
constexpr const char *kAsMerged = "no other loops than those of the merge are legal";
constexpr const char *kAsStarted = "none of its loops are legal, so it has those of the default";

} // namespace

MullapudiSearch::MullapudiSearch(Problem problem, MullapudiKind kind)
    : KernelSearch(std::move(problem)), m_kind(kind),
      m_fitted(fitted(mullapudiParameters(m_problem.parameters), m_problem.machine)),
      m_parameters(m_fitted.parameters), m_frozen(m_problem.start), m_legality(m_problem.machine) {
  begin();
}

std::string_view MullapudiSearch::phase() const {
  constexpr std::array<std::string_view, kPhases + 1> kNames{"inlining", "kernels", "grouping",
                                                             "schedules", "done"};
  return kNames[static_cast<std::size_t>(m_phase)];
}

double MullapudiSearch::progress() const {
  double within = 0;
  if (m_phase == Phase::Inlining || m_phase == Phase::Grouping) {
    const auto known =
        std::ranges::count_if(m_changes, [](const auto &change) { return change.second.isKnown; });
    within = static_cast<double>(known) / static_cast<double>(m_changes.size() + 1);
  } else if (!m_order.empty()) {
    within = static_cast<double>(m_next) / static_cast<double>(m_order.size());
  }
  return std::min(1.0, (static_cast<double>(m_phase) + within) / kPhases);
}

std::vector<std::string> MullapudiSearch::remarks() const {
  std::vector<std::string> remarks = m_fitted.remarks;
  const auto counted = [](std::size_t count, const char *one, const char *many) {
    return std::to_string(count) + (count == 1 ? one : many);
  };
  if (m_refusedInlinings > 0)
    remarks.push_back(counted(m_refusedInlinings, " func", " funcs") +
                      " would be inlined, which the rules or the length of the expressions forbid");
  if (m_refusedMerges > 0)
    remarks.push_back(counted(m_refusedMerges, " merge", " merges") +
                      " of groups would gain, but no legal schedule has them");
  if (!m_otherwise.empty())
    remarks.push_back(
        counted(m_otherwise.size(), " kernel has", " kernels have") +
        " other loops than the algorithm chose, which are not legal: " + listed(m_otherwise));
  if (!m_asStarted.empty())
    remarks.push_back(counted(m_asStarted.size(), " kernel keeps", " kernels keep") +
                      " the loops of the default schedule, as none of the algorithm's are legal: " +
                      listed(m_asStarted));
  return remarks;
}

bool MullapudiSearch::isAllowed(const Schedule &schedule) {
  return m_legality.isLegal(schedule) &&
         (m_frozen.empty() || keepsFrozen(m_problem.start, schedule));
}

// All funcs but those in `kept` and those that are frozen become kernels of their own, also what
// the default schedule inlines: the algorithm decides that itself. Returns whether that is legal.
bool MullapudiSearch::resetTo(const std::set<FuncId> &kept) {
  m_kept = withTheirInlined(m_problem.start, kept);
  m_schedule = resetAround(m_kept);
  for (const FuncId func : m_pipeline->allFuncs()) {
    if (m_kept.contains(func)) continue;
    if (m_frozen.contains(func)) {
      m_schedule.set(func, m_problem.start.plan(func));
      continue;
    }
    const std::vector<StageId> readers = schedule::readersOf(m_schedule, func);
    if (!m_schedule.plan(func).isInline() || std::ranges::any_of(readers, [&](StageId id) {
          return m_kept.contains(m_pipeline->stage(id).func);
        }))
      continue;
    schedule::FuncPlan plan;
    for (const pipeline::Stage &stage : m_pipeline->stagesOf(func))
      plan.stages.push_back({schedule::kernelNest(stage)});
    m_schedule.set(func, std::move(plan));
  }
  return isAllowed(m_schedule);
}

void MullapudiSearch::begin() {
  const std::set<FuncId> kept = keptFuncs(m_problem.start);
  std::set<FuncId> whole = kept;
  for (const FuncId func : keptAlone(m_problem.start, kept))
    whole.erase(func);
  // If nothing can be begun anew around what is frozen, the search ends at once.
  if (!resetTo(whole) && !resetTo(kept)) return;
  listKernels();
  enter(Phase::Inlining);
}

void MullapudiSearch::listKernels() {
  for (const FuncId func : m_pipeline->allFuncs())
    if (!m_schedule.plan(func).isInline() && !m_kept.contains(func) &&
        !m_pipeline->func(func).externCall)
      m_owner[func] = func;
  std::map<FuncId, std::vector<FuncId>> inlined; // what stays inlined, by kernel
  for (const FuncId func : m_pipeline->allFuncs())
    if (m_schedule.plan(func).isInline())
      for (const FuncId output : kernelsReading(func))
        inlined[output].push_back(func);
  for (const auto &[func, owner] : m_owner)
    m_kernels[func] =
        singleElementKernel(*m_pipeline, func, std::move(inlined[func]), m_parameters);
}

bool MullapudiSearch::step() {
  if (m_phase == Phase::Done) return false;
  if (isOutOfEvaluations())
    finish(Ending::OutOfEvaluations);
  else
    work();
  return m_phase != Phase::Done;
}

void MullapudiSearch::work() {
  const std::size_t most = m_problem.evaluations - m_evaluations;
  if (m_merge) {
    const std::size_t evaluated = m_merge->step(most);
    m_evaluations += evaluated;
    if (evaluated > 0) return;
    Change &change = m_changes.at(m_merged);
    change.tilings = m_merge->best();
    change.benefit = change.tilings.empty() ? 0 : change.tilings.front().benefit;
    change.before = m_merge->unmergedCost();
    change.isKnown = true;
    m_merge.reset();
    return;
  }
  switch (m_phase) {
  case Phase::Inlining:
  case Phase::Grouping:
    return nextChange();
  case Phase::Kernels:
    return nextKernel();
  case Phase::Schedules:
    return nextSchedule();
  case Phase::Done:
    return;
  }
}

void MullapudiSearch::enter(Phase phase) {
  if (phase == Phase::Kernels && m_kind != MullapudiKind::Mullapudi) phase = Phase::Grouping;
  if (phase == Phase::Grouping && m_kind == MullapudiKind::Baseline) phase = Phase::Schedules;
  if (phase == Phase::Done) return finish(Ending::Whole);
  m_phase = phase;
  m_order.clear();
  m_next = 0;
  m_changes.clear();
  for (const auto &[output, kernel] : m_kernels) {
    if (phase == Phase::Inlining || phase == Phase::Grouping)
      listChange(output);
    else
      m_order.push_back(output);
  }
}

// The outputs of the kernels that read a func. Empty if there are none, or if one of them stays as
// it is.
std::optional<std::vector<FuncId>> MullapudiSearch::consumersOf(FuncId func) const {
  const std::set<FuncId> reading = kernelsReading(func);
  if (reading.empty() ||
      std::ranges::any_of(reading, [&](FuncId output) { return !m_kernels.contains(output); }))
    return std::nullopt;
  return std::vector<FuncId>(reading.begin(), reading.end());
}

// Section 4.3: a func is inlined into all of its consumers or none.
bool MullapudiSearch::mayInline(FuncId func) const {
  return schedule::mayBeInlined(*m_pipeline, func) && !m_frozen.contains(func) &&
         consumersOf(func).has_value();
}

// Section 4.2.2: "grouping only attempts to merge groups where the output of g1 is consumed by
// functions in exactly one group".
bool MullapudiSearch::mayMerge(FuncId func) const {
  const auto consumers = consumersOf(func);
  if (m_pipeline->func(func).staysAtRoot() || m_frozen.place(func) || !consumers ||
      consumers->size() != 1)
    return false;
  if (m_kind != MullapudiKind::PolymageLike) return true;
  return isPolyhedral(*m_pipeline, m_kernels.at(func).group) &&
         isPolyhedral(*m_pipeline, m_kernels.at(consumers->front()).group) &&
         !onlyTile(*m_pipeline, consumers->front(), m_parameters).empty();
}

void MullapudiSearch::listChange(FuncId func) {
  m_changes.erase(func);
  if (m_phase == Phase::Inlining ? mayInline(func) : mayMerge(func)) m_changes[func];
}

// After some kernels have changed, the benefits of all that is read by them have changed, and of
// themselves.
void MullapudiSearch::listAgain(const std::set<FuncId> &changed) {
  for (const auto &[output, kernel] : m_kernels) {
    const std::set<FuncId> consumers = kernelsReading(output);
    const auto isChanged = [&](FuncId func) { return changed.contains(func); };
    if (isChanged(output) || std::ranges::any_of(consumers, isChanged)) listChange(output);
  }
}

void MullapudiSearch::nextChange() {
  auto best = m_changes.end();
  for (auto change = m_changes.begin(); change != m_changes.end(); ++change) {
    if (!change->second.isKnown)
      return m_phase == Phase::Inlining ? valueInlining(change->first, change->second)
                                        : scanMerge(change->first);
    if (change->second.benefit > 0 &&
        (best == m_changes.end() || change->second.benefit > best->second.benefit))
      best = change;
  }
  if (best == m_changes.end()) {
    for (const auto &[func, change] : m_changes)
      if (m_phase == Phase::Inlining)
        traceInlining(func, change, change.isByRule ? kRepeats : kNoGain);
      else
        traceMerge(func, change, nullptr, kNoTiles);
    return enter(m_phase == Phase::Inlining ? Phase::Kernels : Phase::Schedules);
  }
  const FuncId func = best->first;
  const Change change = std::move(best->second);
  m_changes.erase(best);
  if (m_phase == Phase::Inlining)
    adoptInlining(func, change);
  else
    adoptMerge(func, change);
}

// Section 5.1: the baseline, and for `polymage-like` what PolyMage cannot analyse.
bool MullapudiSearch::inlinesAsBaseline(
    const MullapudiKernel &producer, const std::vector<const MullapudiKernel *> &consumers) const {
  if (m_kind != MullapudiKind::PolymageLike) return m_kind == MullapudiKind::Baseline;
  return !isPolyhedral(*m_pipeline, producer.group) ||
         !std::ranges::all_of(consumers, [&](const MullapudiKernel *consumer) {
           return isPolyhedral(*m_pipeline, consumer->group);
         });
}

void MullapudiSearch::valueInlining(FuncId func, Change &change) {
  ++m_evaluations;
  change.isKnown = true;
  std::vector<const MullapudiKernel *> consumers;
  for (const FuncId output : kernelsReading(func))
    consumers.push_back(&m_kernels.at(output));
  const MullapudiKernel &own = m_kernels.at(func);
  change.isByRule = inlinesAsBaseline(own, consumers);
  if (change.isByRule)
    change.benefit = isInlinedWithoutRedundancy(*m_pipeline, own, consumers) ? 1 : 0;
  else
    change.benefit = inliningBenefit(*m_pipeline, own, consumers, m_parameters);
}

void MullapudiSearch::adoptInlining(FuncId func, const Change &change) {
  const std::vector<FuncId> consumers = *consumersOf(func);
  auto inlined = withInlined(m_schedule, func);
  bool isShort = inlined.has_value();
  if (inlined) {
    ExpressionSizes sizes(*inlined);
    for (const FuncId output : consumers)
      for (const StageId stage : m_pipeline->stageIdsOf(output))
        isShort = isShort && sizes.of(stage) <= kMostOperations;
  }
  if (!isShort || !isAllowed(*inlined)) {
    ++m_refusedInlinings;
    if (m_trace.isOn())
      traceInlining(func, change, isShort ? refusalOf(m_legality, *inlined) : kTooLong);
    return;
  }
  traceInlining(func, change, {});
  m_schedule = std::move(*inlined);
  const MullapudiKernel own = std::move(m_kernels.at(func));
  m_kernels.erase(func);
  m_owner.erase(func);
  for (const FuncId output : consumers)
    m_kernels[output] = withInlinedInto(*m_pipeline, own, m_kernels.at(output), m_parameters);
  listAgain({consumers.begin(), consumers.end()});
}

void MullapudiSearch::scanMerge(FuncId func) {
  const FuncId consumer = consumersOf(func)->front();
  std::optional<std::vector<std::int64_t>> only;
  if (m_kind == MullapudiKind::PolymageLike) only = onlyTile(*m_pipeline, consumer, m_parameters);
  m_merged = func;
  m_merge.emplace(*m_pipeline, m_kernels.at(func), m_kernels.at(consumer), m_parameters,
                  std::move(only));
}

// Merges with the best tile that is legal. If none is, the groups stay apart.
void MullapudiSearch::adoptMerge(FuncId func, const Change &change) {
  for (const MergeScan::Tiling &tiling : change.tilings)
    for (const NestForm::Tails tails : {NestForm::Tails::Shifted, NestForm::Tails::Guarded}) {
      if (!write(tiling.kernel, {.tails = tails})) continue;
      traceMerge(func, change, &tiling, {});
      for (const FuncId member : tiling.kernel.group.members)
        m_owner[member] = tiling.kernel.group.output;
      m_kernels[tiling.kernel.group.output] = tiling.kernel;
      m_kernels.erase(func);
      return listAgain({tiling.kernel.group.output});
    }
  ++m_refusedMerges;
  traceMerge(func, change, &change.tilings.front(), kNotLegal);
}

// What was refused has a reason.
void MullapudiSearch::traceInlining(FuncId func, const Change &change, std::string_view refusal) {
  m_trace.add([&] {
    TraceRow row{std::string(phase()), "inline", {nameOf(func)}};
    for (const FuncId output : kernelsReading(func))
      row.funcs.push_back(nameOf(output));
    if (!change.isByRule) row.benefit = finiteCost(change.benefit);
    row.outcome = refusal.empty() ? TraceOutcome::Taken : TraceOutcome::Refused;
    row.reason = refusal;
    return row;
  });
}

// Without a tiling, none gains.
void MullapudiSearch::traceMerge(FuncId func, const Change &change, const MergeScan::Tiling *tiling,
                                 std::string_view refusal) {
  m_trace.add([&] {
    const MullapudiGroup &into = m_kernels.at(*kernelsReading(func).begin()).group;
    TraceRow row{std::string(phase()), "merge into " + nameOf(into.output), {nameOf(func)}};
    for (const FuncId member : m_kernels.at(func).group.members)
      if (member != func) row.funcs.push_back(nameOf(member));
    for (const FuncId member : into.members)
      row.funcs.push_back(nameOf(member));
    if (tiling) {
      row.what += ", tiles of " + sizesText(tiling->kernel.tile);
      row.cost = finiteCost(change.before - tiling->benefit);
      row.benefit = finiteCost(tiling->benefit);
    }
    row.outcome = refusal.empty() ? TraceOutcome::Taken : TraceOutcome::Refused;
    row.reason = refusal;
    return row;
  });
}

// Listing 1, for one kernel after the other.
void MullapudiSearch::nextKernel() {
  if (!m_singleton) {
    if (m_next == m_order.size()) return enter(Phase::Grouping);
    const FuncId func = m_order[m_next++];
    m_singleton.emplace(*m_pipeline, func, m_kernels.at(func).group.inlined, m_parameters);
  }
  const std::size_t evaluated = m_singleton->step(m_problem.evaluations - m_evaluations);
  m_evaluations += evaluated;
  if (evaluated > 0) return;
  if (const auto &best = m_singleton->best()) {
    MullapudiKernel &kernel = m_kernels.at(m_order[m_next - 1]);
    kernel.reductions = *best;
    kernel.loads = std::max(0., kernel.loads - best->benefit);
    kernel.tile.assign(m_pipeline->func(kernel.group.output).args.size(), 1);
    const pipeline::Stage &stage = m_pipeline->stage(best->stage);
    for (std::size_t l = 0; l < stage.loops.size(); ++l)
      if (stage.loops[l].argument) kernel.tile[*stage.loops[l].argument] = best->sizes[l];
    m_trace.add([&] {
      TraceRow row{std::string(phase()),
                   "tiles of " + sizesText(best->sizes),
                   {nameOf(kernel.group.output)},
                   {},
                   finiteCost(best->benefit)};
      row.outcome = TraceOutcome::Taken;
      return row;
    });
  }
  m_singleton.reset();
}

std::vector<double> MullapudiSearch::reuseOf(const MullapudiGroup &group) const {
  return MullapudiCost(*m_pipeline, group, m_parameters).reuse();
}

bool MullapudiSearch::write(const MullapudiKernel &kernel, NestForm form) {
  if (m_kind == MullapudiKind::Baseline) form.order = NestForm::Order::AsDeclared;
  auto schedule = withMullapudiKernel(m_schedule, kernel, reuseOf(kernel.group), form, m_frozen);
  if (!schedule || !isAllowed(*schedule)) return false;
  m_schedule = std::move(*schedule);
  return true;
}

// The kernel as the algorithm wants it, then with the block of an untiled func.
std::vector<MullapudiKernel> MullapudiSearch::formsOf(const MullapudiKernel &kernel) const {
  std::vector<std::int64_t> extents;
  for (const pipeline::Interval &side : m_pipeline->func(kernel.group.output).region)
    extents.push_back(std::max<std::int64_t>(1, side.extent()));
  MullapudiKernel untiled = kernel;
  untiled.tile = untiledBlock(extents, m_parameters);
  untiled.reductions.reset();
  if (kernel.tile.empty()) return {untiled};
  return {kernel, untiled};
}

// Section 4.4 for one kernel. What the rules refuse is written in another form; a merged group
// that has none stays as it was merged, and any other kernel has the loops of the default schedule.
void MullapudiSearch::nextSchedule() {
  if (m_next == m_order.size()) return enter(Phase::Done);
  const MullapudiKernel kernel = m_kernels.at(m_order[m_next++]);
  using Order = NestForm::Order;
  using Reductions = NestForm::Reductions;
  using Tails = NestForm::Tails;
  bool isFirst = true;
  for (const MullapudiKernel &one : formsOf(kernel))
    for (const Reductions reductions : {Reductions::Tiled, Reductions::Whole}) {
      if (reductions == Reductions::Whole && !one.reductions) continue;
      for (const Order order : {Order::ByReuse, Order::AsDeclared})
        for (const Tails tails : {Tails::Shifted, Tails::Guarded}) {
          if (write(one, {tails, order, reductions})) {
            traceSchedule(one, TraceOutcome::Taken, isFirst ? "" : kOtherLoops);
            if (!isFirst) m_otherwise.push_back(m_pipeline->func(kernel.group.output).name);
            return;
          }
          if (tails == Tails::Guarded) isFirst = false; // which tail it is, the paper does not say
        }
    }
  const bool isMerged = kernel.group.members.size() > 1;
  traceSchedule(kernel, TraceOutcome::Refused, isMerged ? kAsMerged : kAsStarted);
  auto &names = isMerged ? m_otherwise : m_asStarted;
  names.push_back(m_pipeline->func(kernel.group.output).name);
}

void MullapudiSearch::traceSchedule(const MullapudiKernel &kernel, TraceOutcome outcome,
                                    const char *reason) {
  m_trace.add([&] {
    TraceRow row{std::string(phase()), "loops for tiles of " + sizesText(kernel.tile),
                 namesOf(kernel.group.members)};
    row.outcome = outcome;
    row.reason = reason;
    return row;
  });
}

void MullapudiSearch::finish(Ending ending) {
  m_phase = Phase::Done;
  report(ending == Ending::Whole ? Report::Always : Report::IfBetter);
}

} // namespace tessera::search
