// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/machine/machine.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::search {

// A legal schedule with the frozen decisions of `wanted`; `wanted` itself if it is legal. The
// search is bounded, so an empty result does not prove that there is none.
std::optional<schedule::Schedule> legalAround(const schedule::Schedule &wanted,
                                              const machine::Machine &machine);

// A minimal set of frozen decisions that together admit no legal schedule. Usually these are two
// decisions, or one that is impossible alone. Empty if a legal schedule was found, or if none was
// found even with nothing frozen.
std::vector<schedule::DecisionKey> conflictIn(const schedule::Schedule &wanted,
                                              const machine::Machine &machine);

// Names a decision and its value: "the compute place of blur_x (at output: x_thread)".
std::string textOf(const schedule::Schedule &schedule, const schedule::DecisionKey &decision);

// The schedule to start a search from, which is always legal: `wanted` if it is, else a legal
// schedule with the same frozen decisions. If there is none, the error names the conflicting
// decisions. If `wanted` is illegal and nothing is frozen, the error says what is illegal.
Result<schedule::Schedule> legalStart(const schedule::Schedule &wanted,
                                      const machine::Machine &machine);

// The start of a search that keeps only the frozen decisions of `wanted`: the default schedule with
// these decisions. If no such schedule is found, the result of legalStart().
Result<schedule::Schedule> freshStart(const schedule::Schedule &wanted,
                                      const machine::Machine &machine);

// The frozen decisions for a person to read, as textOf().
std::vector<std::string> frozenTexts(const schedule::Schedule &schedule);

} // namespace tessera::search
