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

// What is decided, in words that nobody needs to read; of a place, also what its loop is.
std::string valueOf(const schedule::Schedule &schedule, const schedule::DecisionKey &decision);

// The frozen decisions of a start that another schedule decides otherwise: none, if the search that
// found it is right. A line each, for a person.
std::vector<std::string> changedFrozen(const schedule::Schedule &start,
                                       const schedule::Schedule &found);

// Whether it has all marks of the start, and no others; by name, as a search may add funcs.
bool hasMarksOf(const schedule::Schedule &found, const schedule::Schedule &start);

// Freezes some of it, at a random size: one decision, some, a stage, a func, a kernel, all of a
// kind, or nearly all.
void freezeSome(schedule::Schedule &schedule, schedule::testing::Random &random);

void freeze(schedule::Schedule &schedule, const schedule::DecisionKey &decision);
// All decisions of a func; of one kind, all of that.
void freeze(schedule::Schedule &schedule, std::string_view func);
void freeze(schedule::Schedule &schedule, std::string_view func, schedule::DecisionKind kind);

} // namespace tessera::search::testing
