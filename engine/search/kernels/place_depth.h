// SPDX-License-Identifier: MIT
#pragma once

#include "engine/schedule/bounds/bounds.h"
#include "engine/schedule/schedule.h"

namespace tessera::search {

// The depth of a place, from the loops around it. All loops that it names have to exist.
schedule::Depth depthOf(const schedule::Schedule &schedule, schedule::Place place);

} // namespace tessera::search
