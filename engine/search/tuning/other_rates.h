// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"

#include <random>

namespace tessera::search {

// A copy of the machine in which the rates of memories and pipes, the latencies and the size of the
// second-level cache are multiplied by random factors, within the plausible error of the cost
// model. A search for this machine finds schedules that are good if the cost model is wrong in that
// way. Legality is not affected. The same state of `random` gives the same machine.
machine::Machine withOtherRates(machine::Machine machine, std::mt19937_64 &random);

} // namespace tessera::search
