// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"

namespace tessera::schedule {

// Removes what is no decision: what lower() adds by itself, and what makes no difference to the
// code. Then two texts that mean the same are one value, and what lower() wrote is read as it was.
void normalise(Schedule &schedule);

} // namespace tessera::schedule
