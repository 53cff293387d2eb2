// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/edits/edits.h"
#include "engine/schedule/rules/legality.h"

#include <optional>
#include <random>
#include <vector>

namespace tessera::schedule::testing {

using Random = std::mt19937_64;

// Returns a legal schedule some way off the default. It walks over random proposals and accepts the
// legal ones. Fusion comes first, so that most schedules have groups.
Schedule randomSchedule(pipeline::PipelinePtr pipeline, const machine::Machine &machine,
                        Random &random);

// A schedule that the rules refuse. To find one, randomRefused() applies random proposals to a
// legal schedule without checking the rules. It returns nothing if they never refuse the result.
struct Refused {
  Schedule schedule;
  std::vector<Violation> violations;
};
std::optional<Refused> randomRefused(const Schedule &legal, const machine::Machine &machine,
                                     Random &random, std::size_t unasked = 1);

// The number of funcs that are computed inside the kernel of another func.
std::size_t fusedFuncs(const Schedule &schedule);

} // namespace tessera::schedule::testing
