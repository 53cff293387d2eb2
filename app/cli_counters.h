// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/counters.h"

namespace tessera::app {

// Prints the hardware counters of each kernel and why its warps waited, or why nothing was counted.
void printCounters(const bench::CounterReport &report);

} // namespace tessera::app
