// SPDX-License-Identifier: MIT
#include "engine/document/shared_choices.h"

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

// Changes all stages like `leader`; nullopt if one of them cannot have the value. The result may be
// illegal.
std::optional<Choice> withValue(const Schedule &schedule, std::span<const StageId> stages,
                                schedule::DecisionColumn column, StageId leader, const Edit &edit,
                                schedule::KnownLegality &legality) {
  const auto applied = [&legality](const Schedule &to, const Edit &one) {
    return schedule::applied(to, one, schedule::Origin::User, legality).schedule;
  };
  Choice choice{edit.decision, edit.value, applied(schedule, edit), 0};
  const std::string text = cellText(choice.after, leader, column);
  std::vector<DecisionKey> changed{edit.decision};
  for (const StageId stage : stages) {
    if (stage == leader) continue;
    const std::vector<Edit> proposals = schedule::proposals(choice.after, stage);
    const auto same = std::ranges::find(proposals, valueOf(edit), valueOf);
    if (same == proposals.end()) {
      if (cellText(choice.after, stage, column) != text) return std::nullopt;
      continue; // the stage has the value already
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
  // A value that the first stage has already is proposed only for the other stages.
  std::set<Value> seen;
  for (const StageId leader : stages)
    for (const Edit &edit : schedule::proposals(schedule, leader)) {
      if (stop.stop_requested()) return;
      if (!seen.insert(valueOf(edit)).second) continue;
      auto choice = withValue(schedule, stages, column, leader, edit, legality);
      if (!choice || !legality.isLegal(choice->after)) continue;
      choice->seconds = cost::predict(choice->after, machine).seconds;
      found({std::move(*choice)});
    }
}

} // namespace tessera::document
