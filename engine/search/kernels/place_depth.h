// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/schedule/bounds/bounds.h"

namespace tessera::search {

// How far in a place is, by the loops around it alone. All that it names has to exist.
schedule::Depth depthOf(const schedule::Schedule &schedule, schedule::Place place);

} // namespace tessera::search
