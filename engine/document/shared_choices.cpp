// SPDX-License-Identifier: MIT
#include "engine/document/shared_choices.h"

#include "engine/document/cell_changes.h"
#include "engine/cost/prediction.h"
#include "engine/schedule/edits/edits.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera::document {

using pipeline::StageId;
using schedule::DecisionKey;
using schedule::DecisionKind;
using schedule::Edit;
using schedule::Schedule;

namespace {

// The value that all stages should have: the kind of decision, its axis, and its value as text.
using Value = std::tuple<DecisionKind, std::uint16_t, std::string>;

Value valueOf(const Edit &edit) { return {edit.decision.kind, edit.decision.axis, edit.value}; }

// The edits to try for a stage. A typed number (`size`) adds edits that give a part of a loop this
// many iterations, which proposals() does not list.
std::vector<Edit> triesFor(const Schedule &schedule, StageId stage,
                           std::optional<std::int64_t> size) {
  std::vector<Edit> edits = schedule::proposals(schedule, stage);
  if (!size) return edits;
  for (Edit &edit : schedule::resizings(schedule, stage, *size))
    if (edit.plan != schedule.plan(edit.decision.func)) edits.push_back(std::move(edit));
  return edits;
}

// Gives all stages the value that `edit` gives to `leader`. Returns nullopt if a stage cannot have
// it; `unable` is then the name of that stage. The result may be illegal.
std::optional<Choice> withValue(const Schedule &schedule, std::span<const StageId> stages,
                                schedule::DecisionColumn column, StageId leader, const Edit &edit,
                                std::optional<std::int64_t> size, schedule::KnownLegality &legality,
                                std::string &unable) {
  const auto applied = [&legality](const Schedule &to, const Edit &one) {
    return schedule::applied(to, one, schedule::Origin::User, legality).schedule;
  };
  Choice choice{edit.decision, edit.value, applied(schedule, edit), 0};
  const std::string text = cellText(choice.after, leader, column);
  std::vector<DecisionKey> changed{edit.decision};
  for (const StageId stage : stages) {
    if (stage == leader) continue;
    const std::vector<Edit> tries = triesFor(choice.after, stage, size);
    const auto same = std::ranges::find(tries, valueOf(edit), valueOf);
    if (same == tries.end()) {
      if (cellText(choice.after, stage, column) == text) continue; // the stage has it already
      unable = schedule.pipeline()->stageName(stage);
      return std::nullopt;
    }
    choice.after = applied(choice.after, *same);
    changed.push_back(same->decision);
  }
  for (const DecisionKey &decision : changed)
    choice.after.setMark(decision, {schedule::Origin::User, true});
  return choice;
}

} // namespace

void sharedChoices(const Schedule &schedule, std::span<const StageId> stages,
                   schedule::DecisionColumn column, const machine::Machine &machine,
                   const std::stop_token &stop, const ChoicesCallback &found) {
  schedule::KnownLegality legality(machine);
  // Each stage is a leader in turn, since a value that the first stage has already is proposed only
  // for the other stages.
  std::set<Value> seen;
  std::string unable;
  for (const StageId leader : stages)
    for (const Edit &edit : schedule::proposals(schedule, leader)) {
      if (stop.stop_requested()) return;
      if (!seen.insert(valueOf(edit)).second) continue;
      auto choice = withValue(schedule, stages, column, leader, edit, {}, legality, unable);
      if (!choice || !legality.isLegal(choice->after)) continue;
      choice->seconds = cost::predict(choice->after, machine).seconds;
      found({std::move(*choice)});
    }
}

TypedChoices typedSharedChoices(const Schedule &schedule, std::span<const StageId> stages,
                                schedule::DecisionColumn column, std::string_view text,
                                const machine::Machine &machine, const std::stop_token &stop) {
  const TypedWords words(text);
  TypedChoices typed;
  if (words.empty()) return typed;
  const CellChanges cells(schedule, {stages.begin(), stages.end()}, column);
  schedule::KnownLegality legality(machine);
  std::set<Value> seen;
  for (const StageId leader : stages)
    for (const Edit &edit : triesFor(schedule, leader, words.number())) {
      if (stop.stop_requested()) return typed;
      if (!words.match(edit.value) || !seen.insert(valueOf(edit)).second) continue;
      const Schedule alone =
          schedule::applied(schedule, edit, schedule::Origin::User, legality).schedule;
      if (!cells.has(edit.decision, alone)) continue;
      std::string unable;
      auto choice =
          withValue(schedule, stages, column, leader, edit, words.number(), legality, unable);
      if (!choice) {
        typed.refused.push_back({edit.decision, edit.value, unable + " cannot have this value"});
        continue;
      }
      if (const auto violations = legality.check(choice->after); !violations.empty()) {
        typed.refused.push_back({edit.decision, edit.value, reasonOf(violations)});
        continue;
      }
      choice->seconds = cost::predict(choice->after, machine).seconds;
      typed.legal.push_back(std::move(*choice));
    }
  keepExact(typed, words, column);
  return typed;
}

TypedChoices typedChoices(const Schedule &schedule, std::span<const StageId> stages,
                          std::optional<schedule::DecisionColumn> column, std::string_view text,
                          const machine::Machine &machine, const std::stop_token &stop) {
  if (stages.size() > 1 && column)
    return typedSharedChoices(schedule, stages, *column, text, machine, stop);
  const auto stage = stages.empty() ? std::optional<StageId>() : stages.front();
  return typedChoices(schedule, stage, column, text, machine, stop);
}

} // namespace tessera::document
