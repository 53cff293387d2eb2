// SPDX-License-Identifier: MIT
#include "engine/search/kernels/frozen_conflict.h"

#include "engine/search/kernels/frozen_decisions.h"
#include "engine/search/kernels/group.h"
#include "engine/search/kernels/register_caps.h"
#include "engine/search/kernels/tile_dims.h"
#include "engine/schedule/edits/default_schedule.h"
#include "engine/schedule/edits/edits.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/text/decision_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace tessera::search {

using machine::Machine;
using pipeline::FuncId;
using pipeline::StageId;
using schedule::DecisionKey;
using schedule::DecisionKind;
using schedule::LoopKind;
using schedule::Place;
using schedule::Schedule;
using schedule::Violation;

namespace {

constexpr int kMostRepairs = 16; // consecutive edits, each of which has to remove a violation

// Looks for a legal schedule with the frozen decisions. Starts from the wanted schedule and from
// the default, and changes as little as possible.
class LegalFinder {
public:
  LegalFinder(const Schedule &wanted, const Machine &machine)
      : m_wanted(wanted), m_pipeline(*wanted.pipeline()), m_machine(machine), m_frozen(wanted) {}

  std::optional<Schedule> find() const {
    if (schedule::isLegal(m_wanted, m_machine)) return m_wanted;
    Schedule wanted = m_wanted;
    if (!isRegisterCapFrozen(wanted))
      wanted = withRegisterCap(std::move(wanted), schedule::Settings{}.registerCap);
    for (const Schedule &base : {wanted, afresh(wanted)})
      if (auto mended = repaired(base)) return mended;
    return std::nullopt;
  }

  // A legal schedule that takes only the frozen decisions from the wanted schedule.
  std::optional<Schedule> fresh() const {
    Schedule wanted = m_wanted;
    if (!isRegisterCapFrozen(wanted))
      wanted = withRegisterCap(std::move(wanted), schedule::Settings{}.registerCap);
    return repaired(afresh(wanted));
  }

private:
  // The default schedule, with places and loops that fit the frozen decisions.
  Schedule afresh(Schedule schedule) const {
    const Schedule fresh = schedule::defaultSchedule(m_wanted.pipeline());
    std::map<FuncId, std::set<FuncId>> groups; // members by output
    for (std::uint32_t f = 0; f < m_pipeline.funcs().size(); ++f) {
      const FuncId func{f};
      const Place *place = m_frozen.place(func);
      const bool isInline = place && place->kind == Place::Kind::Inline;
      schedule.set(func, isInline ? m_wanted.plan(func) : fresh.plan(func));
      const FuncId output = outermost(func);
      if (output != func)
        groups[output].insert(func);
      else if (!isInline && m_frozen.contains(func))
        groups.try_emplace(func);
    }
    // Readers are written before the funcs that they read.
    while (!groups.empty()) {
      auto [output, members] = *groups.rbegin();
      groups.erase(output);
      addBetween(schedule, output, members);
      Group group{.output = output, .ids = m_pipeline.ids()};
      for (const FuncId member : members) {
        groups.erase(member);
        group.members.push_back({member, Placement::Block});
      }
      const bool isAlone = group.members.empty() && !m_frozen.place(output);
      if (!writeBest(schedule, std::move(group)) && isAlone) join(schedule, output);
    }
    return schedule;
  }

  // Moves a func that cannot be a kernel of its own into the kernel that reads it.
  void join(Schedule &schedule, FuncId func) const {
    const std::vector<StageId> readers = schedule::readersOf(schedule, func);
    for (Group group : groupsOf(schedule)) {
      const std::vector<FuncId> funcs = group.funcs();
      if (!std::ranges::all_of(readers, [&](StageId reader) {
            return std::ranges::binary_search(funcs, m_pipeline.stage(reader).func);
          }))
        continue;
      group.members.push_back({func, Placement::Block});
      std::ranges::sort(group.members, {}, &Member::func);
      if (writeBest(schedule, std::move(group))) return;
    }
  }

  // Adds the funcs on the paths from members to the output, which have to be in the same kernel.
  void addBetween(const Schedule &schedule, FuncId output, std::set<FuncId> &members) const {
    for (std::vector<FuncId> open(members.begin(), members.end()); !open.empty();) {
      const FuncId member = open.back();
      open.pop_back();
      for (const StageId reader : schedule::readersOf(schedule, member)) {
        const FuncId func = m_pipeline.stage(reader).func;
        if (func < output && !m_frozen.place(func) && members.insert(func).second)
          open.push_back(func);
      }
    }
  }

  // The output of the kernel in which a func has to be computed according to the frozen places.
  FuncId outermost(FuncId func) const {
    for (const Place *place = m_frozen.place(func);
         place && place->kind == Place::Kind::At && m_pipeline.stage(place->stage).func > func;
         place = m_frozen.place(func))
      func = m_pipeline.stage(place->stage).func;
    return func;
  }

  // Returns false if the group cannot be written with any tile.
  bool writeBest(Schedule &schedule, Group group) const {
    std::optional<Schedule> best;
    std::size_t least = SIZE_MAX;
    for (const Tile &tile : tilesFor(m_pipeline, group, TileEffort::Few)) {
      group.tile = tile;
      auto written = withGroup(schedule, group, m_frozen);
      if (!written) continue;
      const std::size_t wrong = schedule::check(*written, m_machine).size();
      if (wrong >= least) continue;
      least = wrong;
      best = std::move(written);
    }
    if (best) schedule = std::move(*best);
    return best.has_value();
  }

  // Repairs a schedule by successive edits, each the one that leaves the fewest violations.
  std::optional<Schedule> repaired(Schedule schedule) const {
    if (!holds(schedule) || !makeSound(schedule)) return std::nullopt;
    std::vector<Violation> wrong = schedule::check(schedule, m_machine);
    for (int edits = 0; !wrong.empty() && edits < kMostRepairs; ++edits)
      if (!repairOnce(schedule, wrong)) return std::nullopt;
    if (!wrong.empty()) return std::nullopt;
    return schedule;
  }

  // Ensures that places name only existing loops, because finding edits requires the schedule's
  // bounds. A func with a place at a missing loop gets a plan of computed(). If its place is
  // frozen, the func that the place names gets such a plan instead.
  bool makeSound(Schedule &schedule) const {
    for (std::size_t tries = 0; tries < m_pipeline.funcs().size(); ++tries) {
      if (schedule::isSound(schedule)) return true;
      const Violation wrong = schedule::check(schedule, m_machine).front();
      if (wrong.decision.kind == DecisionKind::RegisterCap) return false;
      FuncId func = wrong.decision.func;
      const Place *place = m_frozen.place(func);
      if (place && place->kind == Place::Kind::At) func = m_pipeline.stage(place->stage).func;
      auto held = computed(schedule, func);
      if (!held) return false;
      schedule.set(func, std::move(*held));
    }
    return schedule::isSound(schedule);
  }

  // A plan that computes a func as a kernel or, if frozen decisions forbid that, in the blocks or
  // the threads of a reader.
  std::optional<schedule::FuncPlan> computed(const Schedule &schedule, FuncId func) const {
    schedule::FuncPlan kernel, inside;
    for (const pipeline::Stage &stage : m_pipeline.stagesOf(func)) {
      kernel.stages.push_back({schedule::kernelNest(stage)});
      inside.stages.push_back({schedule::plainNest(stage)});
    }
    if (auto held = m_frozen.held(func, std::move(kernel))) return held;
    for (const StageId reader : schedule::readersOf(schedule, func))
      for (const LoopKind kind : {LoopKind::Block, LoopKind::Thread}) {
        const auto &loops = schedule.plan(reader).nest.loops;
        const auto loop = std::ranges::find(loops, kind, &schedule::Loop::kind);
        if (loop == loops.end()) continue;
        inside.compute = Place::at(reader, loop->ref);
        if (auto held = m_frozen.held(func, inside)) return held;
      }
    return std::nullopt;
  }

  bool repairOnce(Schedule &schedule, std::vector<Violation> &wrong) const {
    std::set<StageId> tried;
    const std::vector<Violation> violations = wrong;
    for (const Violation &violation : violations)
      for (const StageId stage : stagesIn(schedule, violation))
        if (tried.insert(stage).second && repairAt(schedule, stage, wrong)) return true;
    return false;
  }

  bool repairAt(Schedule &schedule, StageId stage, std::vector<Violation> &wrong) const {
    const FuncId func = m_pipeline.stage(stage).func;
    std::optional<Schedule> best;
    for (schedule::FuncPlan &plan : plansFor(schedule, stage)) {
      auto held = m_frozen.held(func, std::move(plan));
      if (!held || *held == schedule.plan(func)) continue;
      Schedule after = schedule;
      after.set(func, std::move(*held));
      if (!schedule::isSound(after)) continue;
      auto left = schedule::check(after, m_machine);
      if (left.size() >= wrong.size()) continue;
      wrong = std::move(left);
      best = std::move(after);
      if (wrong.empty()) break;
    }
    if (best) schedule = std::move(*best);
    return best.has_value();
  }

  // Plans with one decision changed, or with other loops.
  std::vector<schedule::FuncPlan> plansFor(const Schedule &schedule, StageId stage) const {
    std::vector<schedule::FuncPlan> plans;
    for (schedule::Edit &edit : schedule::proposals(schedule, stage))
      plans.push_back(std::move(edit.plan));
    const pipeline::Stage &of = m_pipeline.stage(stage);
    for (const schedule::LoopNest &nest : {schedule::plainNest(of), schedule::kernelNest(of)}) {
      plans.push_back(schedule.plan(of.func));
      plans.back().stages[of.index].nest = nest;
    }
    return plans;
  }

  // Stages whose change may remove a violation: those of the func in question, and those around its
  // place.
  std::set<StageId> stagesIn(const Schedule &schedule, const Violation &wrong) const {
    std::set<StageId> stages;
    if (wrong.decision.kind == DecisionKind::RegisterCap) return stages;
    FuncId func = wrong.decision.func;
    for (bool isInside = true; isInside;) {
      for (const pipeline::Stage &stage : m_pipeline.stagesOf(func))
        stages.insert(static_cast<StageId>(index(m_pipeline.func(func).firstStage) + stage.index));
      const Place &place = schedule.plan(func).compute;
      isInside = place.kind == Place::Kind::At && m_pipeline.stage(place.stage).func > func;
      if (isInside) func = m_pipeline.stage(place.stage).func;
    }
    return stages;
  }

  bool holds(const Schedule &schedule) const {
    return std::ranges::all_of(m_wanted.marks(), [&](const auto &mark) {
      return !mark.second.frozen || decideAlike(schedule, m_wanted, mark.first);
    });
  }

  const Schedule &m_wanted;
  const pipeline::Pipeline &m_pipeline;
  const Machine &m_machine;
  const FrozenDecisions m_frozen;
};

using Decisions = std::vector<DecisionKey>;

// QuickXplain (Junker 2004) finds a conflict of k of n decisions with about k · log(n / k) checks.
class Conflict {
public:
  Conflict(const Schedule &wanted, const Machine &machine) : m_wanted(wanted), m_machine(machine) {}

  Decisions among(const Decisions &decisions) const {
    if (isPossible(decisions)) return {};
    if (!isPossible({})) return {}; // no legal schedule was found, even with nothing frozen
    return needed({}, decisions, false);
  }

private:
  // A minimal subset of `of` that, together with `held`, admits no legal schedule.
  Decisions needed(const Decisions &held, std::span<const DecisionKey> of, bool isGrown) const {
    if (isGrown && !isPossible(held)) return {};
    if (of.size() == 1) return {of.front()};
    const auto half = of.first(of.size() / 2), rest = of.subspan(of.size() / 2);
    const Decisions inRest = needed(united(held, half), rest, true);
    Decisions both = needed(united(held, inRest), half, !inRest.empty());
    both.insert(both.end(), inRest.begin(), inRest.end());
    return both;
  }

  static Decisions united(Decisions a, std::span<const DecisionKey> b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  bool isPossible(const Decisions &decisions) const {
    schedule::Marks marks;
    for (const DecisionKey &decision : decisions)
      marks[decision] = m_wanted.mark(decision);
    Schedule wanted = m_wanted;
    wanted.setMarks(std::move(marks));
    return legalAround(wanted, m_machine).has_value();
  }

  const Schedule &m_wanted;
  const Machine &m_machine;
};

Decisions frozenIn(const Schedule &schedule) {
  Decisions frozen;
  for (const auto &[decision, mark] : schedule.marks())
    if (mark.frozen) frozen.push_back(decision);
  return frozen;
}

std::string listed(const std::vector<std::string> &words) {
  std::string text;
  for (std::size_t w = 0; w < words.size(); ++w)
    text += (w == 0 ? "" : w + 1 == words.size() ? " and " : ", ") + words[w];
  return text;
}

// What the legality check says about the conflicting decisions.
std::string reasonOf(const Schedule &wanted, const Machine &machine, const Decisions &conflict) {
  const auto violations = schedule::check(wanted, machine);
  const auto isAbout = [&](const Violation &violation) {
    return std::ranges::any_of(conflict, [&](const DecisionKey &decision) {
      return decision.kind == DecisionKind::RegisterCap
                 ? violation.decision.kind == DecisionKind::RegisterCap
                 : violation.decision.func == decision.func;
    });
  };
  const auto of = std::ranges::find_if(violations, isAbout);
  const Violation &violation = of == violations.end() ? violations.front() : *of;
  return violation.message + (violation.allowed.empty() ? "" : "; allowed: " + violation.allowed);
}

Error refused(const std::string &what, const Schedule &wanted, const Machine &machine) {
  const Violation first = schedule::check(wanted, machine).front();
  return {ErrorCode::InputRefused, what + first.message, first.hint()};
}

} // namespace

std::optional<Schedule> legalAround(const Schedule &wanted, const Machine &machine) {
  return LegalFinder(wanted, machine).find();
}

Decisions conflictIn(const Schedule &wanted, const Machine &machine) {
  const Conflict conflict(wanted, machine);
  Decisions decisions = frozenIn(wanted);
  Decisions least = conflict.among(decisions);
  if (least.size() <= 2) return least;
  std::ranges::reverse(decisions); // the reverse order can lead to another conflict
  Decisions other = conflict.among(decisions);
  return other.size() < least.size() ? other : least;
}

std::string textOf(const Schedule &schedule, const DecisionKey &decision) {
  const std::string value = schedule::valueOf(schedule, decision);
  return "the " + schedule::subjectOf(schedule, decision) +
         (value.empty() ? "" : " (" + value + ")");
}

std::vector<std::string> frozenTexts(const Schedule &schedule) {
  std::vector<std::string> texts;
  for (const DecisionKey &decision : frozenIn(schedule))
    texts.push_back(textOf(schedule, decision));
  return texts;
}

Result<Schedule> freshStart(const Schedule &wanted, const Machine &machine) {
  if (frozenIn(wanted).empty()) return schedule::defaultSchedule(wanted.base());
  if (auto fresh = LegalFinder(wanted, machine).fresh()) return std::move(*fresh);
  return legalStart(wanted, machine);
}

Result<Schedule> legalStart(const Schedule &wanted, const Machine &machine) {
  if (schedule::isLegal(wanted, machine)) return wanted;
  if (frozenIn(wanted).empty())
    return refused("the schedule to start from is not legal: ", wanted, machine);
  if (auto legal = legalAround(wanted, machine)) return std::move(*legal);
  const Decisions conflict = conflictIn(wanted, machine);
  if (conflict.empty())
    return refused("no legal schedule was found, even with nothing frozen: ", wanted, machine);
  std::vector<std::string> words;
  for (const DecisionKey &decision : conflict)
    words.push_back(textOf(wanted, decision));
  const std::string reason = reasonOf(wanted, machine, conflict);
  if (words.size() == 1)
    return Error{ErrorCode::InputRefused, "no legal schedule was found with " + words.front(),
                 "unfreeze this decision: " + reason};
  const std::string together = words.size() == 2 ? "both " : "all of ";
  return Error{ErrorCode::InputRefused,
               "frozen decisions conflict: no legal schedule was found with " + together +
                   listed(words),
               "unfreeze one of them: " + reason};
}

} // namespace tessera::search
