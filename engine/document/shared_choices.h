// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/typed_choices.h"
#include "engine/schedule/text/decision_text.h"

#include <span>

namespace tessera::document {

// Values of one kind of decision (`column`) that all of `stages` can have at once. Only values are
// reported that leave the schedule legal when all stages have them. A stage that has the value
// already stays unchanged. In `after`, the changed decisions are marked as the user's and frozen;
// `decision` is the first of them. Reports and stops like choicesFor().
void sharedChoices(const schedule::Schedule &schedule, std::span<const pipeline::StageId> stages,
                   schedule::DecisionColumn column, const machine::Machine &machine,
                   const std::stop_token &stop, const ChoicesCallback &found);

// What somebody typed as the value of several stages at once, as typedChoices() finds it for one.
TypedChoices typedSharedChoices(const schedule::Schedule &schedule,
                                std::span<const pipeline::StageId> stages,
                                schedule::DecisionColumn column, std::string_view text,
                                const machine::Machine &machine, const std::stop_token &stop);

// typedChoices() of no stage or one, typedSharedChoices() of more.
TypedChoices typedChoices(const schedule::Schedule &schedule,
                          std::span<const pipeline::StageId> stages,
                          std::optional<schedule::DecisionColumn> column, std::string_view text,
                          const machine::Machine &machine, const std::stop_token &stop);

} // namespace tessera::document
