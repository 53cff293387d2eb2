// SPDX-License-Identifier: MIT
#pragma once

#include "engine/machine/machine.h"

#include <random>

namespace tessera::search {

// A machine whose memories and pipes are faster or slower than they are, each by a factor that our
// cost may well be wrong by. What a search finds for it is good where our cost is wrong in just
// that way; what is legal stays the same. The same state of `random` gives the same machine.
machine::Machine withOtherRates(machine::Machine machine, std::mt19937_64 &random);

} // namespace tessera::search
