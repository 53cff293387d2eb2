// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

namespace tessera::schedule {

// Removes from a schedule what is not a decision: what lower() adds by itself, and what makes no
// difference to the code. Then two texts with the same meaning give equal schedules, and reading
// what lower() wrote gives back the original schedule.
void normalise(Schedule &schedule);

} // namespace tessera::schedule
