// SPDX-License-Identifier: MIT
#include "engine/search/autogpu/autogpu_search.h"

#include "engine/search/autogpu/autogpu_granularity.h"
#include "engine/search/autogpu/autogpu_inlining.h"
#include "engine/search/autogpu/autogpu_start.h"
#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/rules/inlining.h"
#include "engine/search/kernels/expression_sizes.h"
#include "engine/search/kernels/register_caps.h"

#include <algorithm>
#include <array>

// Sections and listings are those of Sioutas et al. 2020.
namespace tessera::search {

using pipeline::FuncId;
using pipeline::StageId;
using schedule::Schedule;
using search::AutoGpuGroup;
using search::AutoGpuPhase;

namespace {

// Section 4.3 nests where "member stages have severe resource requirements", which means threads
// and shared memory. It gives no number; by our reading, a group nests if it needs half of a
// block's limit of either.
constexpr std::int64_t kSeverePart = 2;

std::vector<FuncId> united(std::vector<FuncId> a, const std::vector<FuncId> &b) {
  a.insert(a.end(), b.begin(), b.end());
  std::ranges::sort(a);
  a.erase(std::ranges::unique(a).begin(), a.end());
  return a;
}

} // namespace

AutoGpuSearch::AutoGpuSearch(Problem problem, AutoGpuFusion fusion)
    : KernelSearch(std::move(problem)),
      m_fusion(fusion), m_form{autoGpuParameters(m_problem.parameters),
                               FrozenDecisions(m_problem.start)},
      m_legality(m_problem.machine) {
  begin();
}

std::string_view AutoGpuSearch::phase() const {
  constexpr std::array<std::string_view, kPhases + 1> kNames{
      "kernels", "inlining", "tiles", "grouping", "final tiles", "nesting", "done"};
  return kNames[static_cast<std::size_t>(m_phase)];
}

double AutoGpuSearch::progress() const {
  double within = 0;
  if (m_phase == Phase::Inlining || m_phase == Phase::Grouping) {
    const auto known =
        std::ranges::count_if(m_merges, [](const auto &merge) { return merge.second.isKnown; });
    within = static_cast<double>(known) / static_cast<double>(m_merges.size() + 1);
  } else if (!m_order.empty()) {
    within = static_cast<double>(m_next) / static_cast<double>(m_order.size());
  }
  return std::min(1.0, (static_cast<double>(m_phase) + within) / kPhases);
}

std::vector<std::string> AutoGpuSearch::remarks() const {
  std::vector<std::string> remarks;
  const auto tell = [&](std::size_t count, std::string_view one, std::string_view many) {
    if (count > 0) remarks.push_back(std::to_string(count) + std::string(count == 1 ? one : many));
  };
  tell(m_counts.keptFuncs, " func with frozen decisions stays as it is",
       " funcs of kernels with frozen decisions stay as they are");
  tell(m_counts.wideKernels, " kernel is tiled along dimensions that the paper leaves whole",
       " kernels are tiled along dimensions that the paper leaves whole");
  tell(m_counts.smallKernels, " kernel has no tiles that the paper allows, and has launchable ones",
       " kernels have no tiles that the paper allows, and have launchable ones");
  tell(m_counts.thinnedScans, " kernel has too many tilings, of which some were left out",
       " kernels have too many tilings, of which some were left out");
  tell(m_counts.laterTilings, " kernel has another tiling than the best, which is not legal",
       " kernels have other tilings than the best, which are not legal");
  tell(m_counts.defaultKernels, " kernel keeps its loops, as no tiling is legal",
       " kernels keep their loops, as no tiling is legal");
  tell(m_counts.refusedInlinings,
       " func would be inlined, which the rules or the length of the expressions forbid",
       " funcs would be inlined, which the rules or the length of the expressions forbid");
  tell(m_counts.refusedMerges, " merge of groups would gain, but no legal schedule has it",
       " merges of groups would gain, but no legal schedule has them");
  tell(m_counts.refusedNestings, " func would be nested further inside, which is not legal",
       " funcs would be nested further inside, which is not legal");
  return remarks;
}

std::vector<KernelCost> AutoGpuSearch::kernelCosts() const {
  std::vector<KernelCost> costs;
  if (!m_isWhole) return costs;
  for (const auto &[output, kernel] : m_kernels) {
    if (!kernel.isWritten) continue;
    const AutoGpuCost cost = autoGpuCost(*m_pipeline, kernel.group, m_problem.machine,
                                         AutoGpuPhase::FinalTiles, m_form.parameters);
    const auto tiles = static_cast<double>(cost.tiles);
    double members = 0, others = 0;
    for (const AutoGpuLoads &loads : cost.loads)
      (loads.shared ? members : others) += loads.cost * tiles;
    costs.push_back({m_pipeline->func(output).name,
                     {{"valid", cost.valid ? 1 : 0},
                      {"arithmetic", cost.arithmetic},
                      {"memory", cost.memory},
                      {"member_loads", members},
                      {"other_loads", others},
                      {"stores", cost.stores},
                      {"tiles", tiles},
                      {"shared_bytes", static_cast<double>(cost.footprintBytes)},
                      {"threads", static_cast<double>(cost.threads)},
                      {"occupancy", cost.occupancy},
                      {"active_threads", cost.activeThreads},
                      {"active_multiprocessors", cost.activeSms}}});
    if (cost.valid) costs.back().terms.emplace_back("total", cost.total);
  }
  return costs;
}

bool AutoGpuSearch::isAllowed(const Schedule &schedule) {
  return m_legality.isLegal(schedule) &&
         (m_form.frozen.empty() || keepsFrozen(m_problem.start, schedule));
}

// Section 4.1 of the paper, up to the first evaluation of costs.
void AutoGpuSearch::begin() {
  auto begun = autoGpuStart(m_problem.start, m_problem.machine, m_form.frozen);
  // If there is no legal schedule to begin with, the search ends at once.
  if (!begun) return;
  m_schedule = std::move(begun->schedule);
  m_kept = std::move(begun->kept);
  m_held = std::move(begun->held);
  m_counts.keptFuncs = m_kept.size();
  Schedule inlined = withTrivialInlined(m_schedule, m_kept, m_held, m_form.parameters.trivial);
  if (isAllowed(inlined)) {
    std::swap(m_schedule, inlined);
    traceTrivial(inlined);
  }
  listKernels();
  enter(Phase::Kernels);
}

void AutoGpuSearch::listKernels() {
  std::optional<schedule::Bounds> bounds; // if a func may be computed in another's loops
  if (!m_held.empty()) bounds.emplace(m_schedule);
  for (const FuncId func : m_pipeline->allFuncs()) {
    if (m_schedule.plan(func).isInline() || m_kept.contains(func) ||
        m_pipeline->func(func).externCall)
      continue;
    const FuncId output = bounds ? bounds->of(func).kernel : func;
    m_owner[func] = output;
    AutoGpuGroup &group = m_kernels[output].group;
    group.output = output;
    group.members.push_back(func);
  }
  for (const FuncId func : m_pipeline->allFuncs())
    if (m_schedule.plan(func).isInline())
      for (const FuncId output : kernelsReading(func))
        if (m_kernels.contains(output)) m_kernels[output].group.inlined.push_back(func);
}

bool AutoGpuSearch::step() {
  if (m_phase == Phase::Done) return false;
  if (isOutOfEvaluations())
    finish(Ending::OutOfEvaluations);
  else
    work();
  return m_phase != Phase::Done;
}

void AutoGpuSearch::work() {
  if (m_scan) {
    const std::size_t evaluated = m_scan->step(m_problem.evaluations - m_evaluations);
    m_evaluations += evaluated;
    if (evaluated == 0) scanned();
    return;
  }
  if (!m_attempts.empty()) return tryAttempt();
  switch (m_phase) {
  case Phase::Kernels:
  case Phase::Tiles:
    return nextKernel();
  case Phase::Inlining:
  case Phase::Grouping:
    return nextMerge();
  case Phase::FinalTiles:
    return nextFinalTiles();
  case Phase::Nesting:
    return nextNesting();
  case Phase::Done:
    return;
  }
}

void AutoGpuSearch::enter(Phase phase) {
  if (phase == Phase::Tiles && m_form.parameters.inlining == AutoGpuInlining::Tiled)
    phase = Phase::Grouping;
  if (phase == Phase::Grouping && m_fusion == AutoGpuFusion::None) phase = Phase::FinalTiles;
  const bool nests = m_fusion == AutoGpuFusion::Nested || m_fusion == AutoGpuFusion::NestedAll;
  if (phase == Phase::Done || (phase == Phase::Nesting && !nests)) return finish(Ending::Whole);
  m_phase = phase;
  m_order.clear();
  m_next = 0;
  m_merges.clear();
  for (const auto &[output, kernel] : m_kernels) {
    if (phase == Phase::Inlining || phase == Phase::Grouping) {
      if (auto merge = mergeOf(output)) m_merges[output] = std::move(*merge);
    } else if (phase != Phase::Nesting) {
      m_order.push_back(output);
    } else if (wantsNesting(kernel)) {
      // Readers come before what they read.
      for (std::size_t m = kernel.group.members.size(); m-- > 0;)
        if (kernel.group.members[m] != output) m_order.push_back(kernel.group.members[m]);
    }
  }
}

void AutoGpuSearch::scan(AutoGpuGroup group, AutoGpuPhase phase) {
  m_scan.emplace(*m_pipeline, std::move(group), m_problem.machine, phase, m_form.parameters);
}

// Uses the result of a finished tile scan.
void AutoGpuSearch::scanned() {
  AutoGpuTileScan scan = std::move(*m_scan);
  m_scan.reset();
  Kernel kernel{scan.group(), scan.best().empty() ? AutoGpuTiling{} : scan.best().front()};
  kernel.group.tiles = kernel.tiling.tiles;
  kernel.group.threads = kernel.tiling.threads;
  switch (m_phase) {
  case Phase::Kernels:
  case Phase::Tiles:
    m_kernels[kernel.group.output] = std::move(kernel);
    return;
  case Phase::Inlining:
  case Phase::Grouping: {
    const auto open =
        std::ranges::find_if(m_merges, [](const auto &merge) { return !merge.second.isKnown; });
    open->second.evaluated.push_back(std::move(kernel));
    valueMerge(open->second, open->first);
    return;
  }
  case Phase::FinalTiles:
    return listAttempts(scan, kernel);
  default:
    return;
  }
}

void AutoGpuSearch::listAttempts(const AutoGpuTileScan &scan, const Kernel &kernel) {
  m_counts.wideKernels += scan.isWide() ? 1 : 0;
  m_counts.thinnedScans += scan.isThinned() ? 1 : 0;
  // If all final tilings are refused, the tiles found in the grouping phase remain.
  std::vector<AutoGpuTiling> tilings = scan.best();
  const Kernel &known = m_kernels.at(kernel.group.output);
  if (!known.tiling.tiles.empty()) tilings.push_back(known.tiling);
  for (const AutoGpuTails tails : {AutoGpuTails::Guarded, AutoGpuTails::Automatic})
    for (std::size_t t = tilings.size(); t-- > 0;)
      m_attempts.push_back({tilings[t], tails, t == 0});
}

void AutoGpuSearch::nextKernel() {
  if (m_next == m_order.size())
    return enter(m_phase == Phase::Kernels ? Phase::Inlining : Phase::Grouping);
  Kernel &kernel = m_kernels.at(m_order[m_next++]);
  if (m_phase == Phase::Kernels && m_form.parameters.inlining == AutoGpuInlining::Untiled)
    return valueUntiled(kernel);
  scan(kernel.group, AutoGpuPhase::Grouping);
}

// The cost of a group before there are tiles.
void AutoGpuSearch::valueUntiled(Kernel &kernel) {
  ++m_evaluations;
  kernel.tiling.cost =
      autoGpuUntiledCost(*m_pipeline, kernel.group, m_problem.machine, m_form.parameters);
  kernel.tiling.valid = true;
  kernel.tiling.tiles.assign(m_pipeline->func(kernel.group.output).args.size(), 1);
}

// The greedy algorithm of Halide's CPU scheduler (sections 4.1 and 4.2). A pure func may be inlined
// into all of its readers. A group may be merged into another group, if only that group reads its
// output.
std::optional<AutoGpuSearch::Merge> AutoGpuSearch::mergeOf(FuncId producer) const {
  const pipeline::Func &func = m_pipeline->func(producer);
  const std::set<FuncId> consumers = kernelsReading(producer);
  if (func.staysAtRoot() || consumers.empty()) return std::nullopt;
  const bool inlines = m_phase == Phase::Inlining;
  if (inlines ? !schedule::mayBeInlined(*m_pipeline, producer) : consumers.size() != 1)
    return std::nullopt;
  const AutoGpuGroup &own = m_kernels.at(producer).group;
  if (m_form.frozen.place(producer) ||
      (inlines && (m_held.contains(producer) || own.members.size() > 1)))
    return std::nullopt;
  Merge merge;
  for (const FuncId output : consumers) {
    const auto into = m_kernels.find(output);
    if (into == m_kernels.end()) return std::nullopt; // a kept kernel
    AutoGpuGroup group = into->second.group;
    group.inlined = united(group.inlined, own.inlined);
    if (inlines)
      group.inlined = united(group.inlined, {producer});
    else
      group.members = united(group.members, own.members);
    merge.groups.push_back(std::move(group));
  }
  return merge;
}

// Computes the benefit of a merge when all its groups are evaluated.
void AutoGpuSearch::valueMerge(Merge &merge, FuncId producer) const {
  if (merge.evaluated.size() < merge.groups.size()) return;
  merge.isKnown = true;
  merge.benefit = m_kernels.at(producer).tiling.cost;
  for (const Kernel &kernel : merge.evaluated) {
    const AutoGpuTiling &before = m_kernels.at(kernel.group.output).tiling;
    merge.benefit += before.cost - kernel.tiling.cost;
    // This is "return invalid_configuration" of listing 1. A kernel that was invalid before may
    // stay so when a func is inlined into it, because inlining does not make it smaller.
    const bool mayBeInvalid = m_phase == Phase::Inlining && !before.valid;
    if (kernel.tiling.tiles.empty() || (!kernel.tiling.valid && !mayBeInvalid)) {
      merge.benefit = 0;
      merge.isPossible = false;
      return;
    }
  }
}

void AutoGpuSearch::nextMerge() {
  auto best = m_merges.end();
  for (auto merge = m_merges.begin(); merge != m_merges.end(); ++merge) {
    if (!merge->second.isKnown) {
      const AutoGpuGroup &group = merge->second.groups[merge->second.evaluated.size()];
      if (m_phase == Phase::Grouping || m_form.parameters.inlining == AutoGpuInlining::Tiled)
        return scan(group, AutoGpuPhase::Grouping);
      valueUntiled(merge->second.evaluated.emplace_back(Kernel{group, {}}));
      return valueMerge(merge->second, merge->first);
    }
    if (merge->second.benefit > 0 &&
        (best == m_merges.end() || merge->second.benefit > best->second.benefit))
      best = merge;
  }
  if (best == m_merges.end()) {
    for (const auto &[producer, merge] : m_merges)
      traceMerge(producer, merge, TraceOutcome::Refused, nullptr);
    return enter(m_phase == Phase::Inlining ? Phase::Tiles : Phase::FinalTiles);
  }
  const FuncId producer = best->first;
  const Merge merge = std::move(best->second);
  m_merges.erase(best);
  adopt(producer, merge);
}

// Performs the merge unless the result is illegal.
void AutoGpuSearch::adopt(FuncId producer, const Merge &merge) {
  auto schedule = perform(producer, merge);
  if (!schedule || !isAllowed(*schedule)) {
    ++(m_phase == Phase::Inlining ? m_counts.refusedInlinings : m_counts.refusedMerges);
    return traceMerge(producer, merge, TraceOutcome::Refused, schedule ? &*schedule : nullptr);
  }
  traceMerge(producer, merge, TraceOutcome::Taken, nullptr);
  m_schedule = std::move(*schedule);
  std::set<FuncId> changed;
  for (const Kernel &kernel : merge.evaluated) {
    changed.insert(kernel.group.output);
    for (const FuncId member : kernel.group.members)
      m_owner[member] = kernel.group.output;
    m_kernels[kernel.group.output] = kernel;
    m_kernels[kernel.group.output].isWritten = m_phase == Phase::Grouping;
  }
  m_kernels.erase(producer);
  if (m_phase == Phase::Inlining) m_owner.erase(producer);
  // The benefit of all merges with these kernels has changed, and a func that two kernels read may
  // now be read by one.
  for (const auto &[output, kernel] : m_kernels) {
    const std::set<FuncId> consumers = kernelsReading(output);
    const auto isChanged = [&](FuncId func) { return changed.contains(func); };
    if (!isChanged(output) && std::ranges::none_of(consumers, isChanged)) continue;
    m_merges.erase(output);
    if (auto again = mergeOf(output)) m_merges[output] = std::move(*again);
  }
}

std::optional<Schedule> AutoGpuSearch::perform(FuncId producer, const Merge &merge) const {
  if (m_phase == Phase::Inlining) return withInlined(m_schedule, producer);
  return withOverlappedTiles(m_schedule, merge.evaluated.front().group, AutoGpuTails::Automatic,
                             m_form);
}

// The final pass over tiles of section 4.2.
void AutoGpuSearch::nextFinalTiles() {
  if (m_next == m_order.size()) return enter(Phase::Nesting);
  scan(m_kernels.at(m_order[m_next++]).group, AutoGpuPhase::FinalTiles);
}

void AutoGpuSearch::tryAttempt() {
  const Attempt attempt = std::move(m_attempts.back());
  m_attempts.pop_back();
  Kernel &kernel = m_kernels.at(m_order[m_next - 1]);
  AutoGpuGroup group = kernel.group;
  group.tiles = attempt.tiling.tiles;
  group.threads = attempt.tiling.threads;
  auto schedule = withOverlappedTiles(m_schedule, group, attempt.tails, m_form);
  if (!schedule || !isAllowed(*schedule)) {
    m_counts.defaultKernels += m_attempts.empty() && !kernel.isWritten ? 1 : 0;
    return traceAttempt(kernel, attempt.tiling, TraceOutcome::Refused,
                        schedule ? &*schedule : nullptr);
  }
  traceAttempt(kernel, attempt.tiling, TraceOutcome::Taken, nullptr);
  m_schedule = std::move(*schedule);
  m_counts.laterTilings += attempt.isBest ? 0 : 1;
  m_counts.smallKernels += attempt.tiling.valid ? 0 : 1;
  kernel = {std::move(group), attempt.tiling, true};
  m_attempts.clear();
}

bool AutoGpuSearch::wantsNesting(const Kernel &kernel) const {
  return kernel.isWritten && (m_fusion == AutoGpuFusion::NestedAll || isSevere(kernel));
}

bool AutoGpuSearch::isSevere(const Kernel &kernel) const {
  const AutoGpuTiling &tiling = kernel.tiling;
  if (m_form.parameters.severe == AutoGpuReading::Artifact) {
    constexpr std::int64_t kShared = 32768;
    constexpr double kOccupancy = .3, kActiveThreads = 900;
    return kernel.group.members.size() > 1 &&
           (tiling.footprintBytes > kShared || tiling.occupancy < kOccupancy ||
            tiling.activeThreads > kActiveThreads);
  }
  const machine::Limits &limits = m_problem.machine.limits;
  return tiling.footprintBytes * kSeverePart > limits.sharedBytesPerBlock ||
         tiling.blockThreads * kSeverePart > limits.threadsPerBlock;
}

// Applies listing 2 to one member in each step. If the place is illegal, such as one between thread
// loops, the member stays at block level.
void AutoGpuSearch::nextNesting() {
  if (m_next == m_order.size()) return enter(Phase::Done);
  const FuncId member = m_order[m_next++];
  const AutoGpuGroup &group = m_kernels.at(m_owner.at(member)).group;
  if (m_form.frozen.place(member)) return;
  const auto place = nestedPlace(m_schedule, group, member, m_form.parameters.overlap);
  if (!place) return;
  auto schedule = withMemberAt(m_schedule, group, member, *place, m_form);
  const bool nests = schedule && isAllowed(*schedule);
  m_trace.add([&] {
    TraceRow row{
        std::string(phase()), "nest further inside", {nameOf(member), nameOf(group.output)}};
    row.outcome = nests ? TraceOutcome::Taken : TraceOutcome::Refused;
    if (!nests) row.reason = schedule ? refusalOf(m_legality, *schedule) : kCannotBeWritten;
    return row;
  });
  if (nests)
    m_schedule = std::move(*schedule);
  else
    ++m_counts.refusedNestings;
}

// The paper's schedules were compiled with as many registers as a thread may have. A block may not
// need more than there are, so large blocks get the next lower cap.
void AutoGpuSearch::raiseRegisterCap() {
  if (m_kernels.empty() || isRegisterCapFrozen(m_problem.start)) return;
  const auto most = static_cast<int>(
      std::min(m_form.parameters.registerCap, m_problem.machine.limits.registersPerThread));
  std::vector<int> caps{most};
  for (std::size_t c = kOfferedCaps.size(); c-- > 0;)
    if (kOfferedCaps[c] < most) caps.push_back(kOfferedCaps[c]);
  for (const int cap : caps) {
    Schedule schedule = withRegisterCap(m_schedule, cap);
    if (!isAllowed(schedule)) continue;
    m_schedule = std::move(schedule);
    return;
  }
}

// The funcs that the paper inlines before any cost is known.
void AutoGpuSearch::traceTrivial(const Schedule &before) {
  if (!m_trace.isOn()) return;
  for (const FuncId func : m_pipeline->allFuncs())
    if (m_schedule.plan(func).isInline() && !before.plan(func).isInline())
      m_trace.add([&] {
        TraceRow row{"trivial funcs", "inline", {nameOf(func)}};
        row.outcome = TraceOutcome::Taken;
        return row;
      });
}

// `refused` is what was not allowed; null if there was no such schedule.
void AutoGpuSearch::traceMerge(FuncId producer, const Merge &merge, TraceOutcome outcome,
                               const Schedule *refused) {
  m_trace.add([&] {
    const bool inlines = m_phase == Phase::Inlining;
    const FuncId into = merge.groups.front().output;
    TraceRow row{std::string(phase()),
                 inlines ? "inline" : "merge into " + nameOf(into),
                 {nameOf(producer)}};
    double cost = 0;
    for (const Kernel &kernel : merge.evaluated) {
      cost += kernel.tiling.cost;
      const std::vector<FuncId> concerned =
          inlines ? std::vector<FuncId>{kernel.group.output} : kernel.group.members;
      for (const FuncId func : concerned)
        if (func != producer) row.funcs.push_back(nameOf(func));
    }
    row.outcome = outcome;
    if (merge.isPossible) {
      row.cost = finiteCost(cost);
      row.benefit = finiteCost(merge.benefit);
    }
    if (outcome != TraceOutcome::Refused) return row;
    row.reason = !merge.isPossible    ? "a kernel would have no tiles that the paper allows"
                 : refused            ? refusalOf(m_legality, *refused)
                 : merge.benefit <= 0 ? "it gains nothing"
                 : inlines            ? kTooLong
                                      : kCannotBeWritten;
    return row;
  });
}

void AutoGpuSearch::traceAttempt(const Kernel &kernel, const AutoGpuTiling &tiling,
                                 TraceOutcome outcome, const Schedule *refused) {
  m_trace.add([&] {
    TraceRow row{std::string(phase()), "tiles of " + sizesText(tiling.tiles),
                 namesOf(kernel.group.members), finiteCost(tiling.cost)};
    row.outcome = outcome;
    if (outcome == TraceOutcome::Refused)
      row.reason = refused ? refusalOf(m_legality, *refused) : kCannotBeWritten;
    return row;
  });
}

void AutoGpuSearch::finish(Ending ending) {
  m_phase = Phase::Done;
  m_isWhole = ending == Ending::Whole;
  raiseRegisterCap();
  report(ending == Ending::Whole ? Report::Always : Report::IfBetter);
}

} // namespace tessera::search
