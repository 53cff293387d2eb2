// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/edits/edits.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::document {

// What a user may choose next: a decision, its value, and what our model says of the schedule then.
struct Choice {
  schedule::DecisionKey decision;
  std::string value; // for a person: "at output: x_block", "x_thread: 8"
  schedule::Schedule after;
  double seconds = 0; // predicted
};
using Choices = std::vector<Choice>;

// All legal ones about a stage of a schedule that is legal itself, in the order of schedule::edits.
// Told in batches on the way, for a view that does not wait. Blocks; stops early when asked.
using ChoicesCallback = std::function<void(Choices)>;
void choicesFor(const schedule::Schedule &schedule, pipeline::StageId stage,
                const machine::Machine &machine, const std::stop_token &stop,
                const ChoicesCallback &found);
// About the whole schedule: how many registers a thread may have.
void settingChoices(const schedule::Schedule &schedule, const machine::Machine &machine,
                    const ChoicesCallback &found);

// The schedule with a choice of the user: its decision is his, and frozen from now on, so that a
// search goes around it.
schedule::Schedule chosen(const Choice &choice);

} // namespace tessera::document
