// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::search {

// A legal schedule with the frozen decisions of `wanted`, which may be illegal itself; itself if it
// is legal. Nothing where none is found, in a bounded time: there may be one all the same.
std::optional<schedule::Schedule> legalAround(const schedule::Schedule &wanted,
                                              const machine::Machine &machine);

// Of frozen decisions that admit no legal schedule, some that do not either, each of which is
// needed for that: two as a rule, or one that nothing allows. Empty: a legal schedule was found.
std::vector<schedule::DecisionKey> conflictIn(const schedule::Schedule &wanted,
                                              const machine::Machine &machine);

// "the compute place of blur_x (at output: x_thread)".
std::string textOf(const schedule::Schedule &schedule, const schedule::DecisionKey &decision);

// What a search may start from: `wanted` if it is legal or nothing in it is frozen, else a legal
// schedule with the same frozen decisions. Refuses those that conflict, by name.
Result<schedule::Schedule> legalStart(const schedule::Schedule &wanted,
                                      const machine::Machine &machine);

} // namespace tessera::search
