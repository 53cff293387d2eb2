// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/typed_choices.h"
#include "engine/schedule/text/decision_text.h"

#include <span>

namespace tessera::document {

// Values of decisions that all of `stages` can have at once. Only values are reported that leave
// the schedule legal when all stages have them. A stage whose cell in `column` shows the value
// already stays unchanged. In `after`, the changed decisions are marked as the user's and frozen;
// `decision` is the first of them. Blocks; ends early on a stop request.
void sharedChoices(const schedule::Schedule &schedule, std::span<const pipeline::StageId> stages,
                   schedule::DecisionColumn column, const machine::Machine &machine,
                   const std::stop_token &stop, const ChoicesCallback &found);

// Like typedChoices(), but for a value that several stages should have at once.
TypedChoices typedSharedChoices(const schedule::Schedule &schedule,
                                std::span<const pipeline::StageId> stages,
                                schedule::DecisionColumn column, std::string_view text,
                                const machine::Machine &machine, const std::stop_token &stop);

// typedSharedChoices() for several stages and a column; otherwise typedChoices() for the first
// stage, or without a stage if there is none.
TypedChoices typedChoices(const schedule::Schedule &schedule,
                          std::span<const pipeline::StageId> stages,
                          std::optional<schedule::DecisionColumn> column, std::string_view text,
                          const machine::Machine &machine, const std::stop_token &stop);

} // namespace tessera::document
