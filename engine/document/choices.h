// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"
#include "engine/schedule/edits/edits.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace tessera::document {

// A possible next choice of the user: a decision, its value, and the cost model's prediction for
// the resulting schedule.
struct Choice {
  schedule::DecisionKey decision;
  std::string value; // for the user: "at output: x_block", "x_thread: 8"
  schedule::Schedule after;
  double seconds = 0; // predicted
};
using Choices = std::vector<Choice>;

// All legal choices for a stage of a legal schedule, in the order of schedule::proposals(). They
// are passed on in batches, for a view that shows them early. Blocks; ends early on a stop request.
using ChoicesCallback = std::function<void(Choices)>;
void choicesFor(const schedule::Schedule &schedule, pipeline::StageId stage,
                const machine::Machine &machine, const std::stop_token &stop,
                const ChoicesCallback &found);
// The choices for the whole schedule: the maximal number of registers per thread.
void settingChoices(const schedule::Schedule &schedule, const machine::Machine &machine,
                    const ChoicesCallback &found);

// The schedule with the user's choice applied. The decision is marked as the user's and frozen, so
// that a search keeps it.
schedule::Schedule chosen(const Choice &choice);

} // namespace tessera::document
