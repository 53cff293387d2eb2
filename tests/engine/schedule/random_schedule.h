// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/edits/edits.h"
#include "engine/schedule/rules/legality.h"
#include "engine/schedule/schedule.h"

#include <optional>
#include <random>
#include <vector>

namespace tessera::schedule::testing {

using Random = std::mt19937_64;

// A legal schedule some way off the default: a walk over proposals that are accepted when legal.
// Fusion comes first, so that most schedules have groups.
Schedule randomSchedule(pipeline::PipelinePtr pipeline, const machine::Machine &machine,
                        Random &random);

// Some proposals further, one after the other and the rules not asked, to where they refuse it.
struct Refused {
  Schedule schedule;
  std::vector<Violation> violations;
};
std::optional<Refused> randomRefused(const Schedule &legal, const machine::Machine &machine,
                                     Random &random, std::size_t unasked = 1);

// Funcs that are computed inside another's kernel.
std::size_t fusedFuncs(const Schedule &schedule);

} // namespace tessera::schedule::testing
