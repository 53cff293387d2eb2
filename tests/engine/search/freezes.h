// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "tests/engine/schedule/random_schedule.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::search::testing {

// Every decision that can be frozen.
std::vector<schedule::DecisionKey> decisionsOf(const schedule::Schedule &schedule);

// Returns the value of a decision as text, for comparisons only. The text of a place also describes
// the loop at that place.
std::string valueOf(const schedule::Schedule &schedule, const schedule::DecisionKey &decision);

// Returns the frozen decisions of `start` that `found` decides otherwise, as text with one per
// line. A correct search leaves none.
std::vector<std::string> changedFrozen(const schedule::Schedule &start,
                                       const schedule::Schedule &found);

// Whether `found` has the marks of `start` and no others. Funcs are compared by name, as a search
// may add funcs.
bool hasMarksOf(const schedule::Schedule &found, const schedule::Schedule &start);

// Freezes a random part of the schedule: one decision, some, a stage, a func, a kernel, all of a
// kind, or nearly all.
void freezeSome(schedule::Schedule &schedule, schedule::testing::Random &random);

void freeze(schedule::Schedule &schedule, const schedule::DecisionKey &decision);
// Freezes all decisions of a func, or all of one kind in that func.
void freeze(schedule::Schedule &schedule, std::string_view func);
void freeze(schedule::Schedule &schedule, std::string_view func, schedule::DecisionKind kind);

} // namespace tessera::search::testing
