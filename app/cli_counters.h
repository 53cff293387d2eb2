// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/counters.h"

namespace tessera::app {

// What the hardware counted of each kernel, and why its warps waited; or who refused that.
void printCounters(const bench::CounterReport &report);

} // namespace tessera::app
