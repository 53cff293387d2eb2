// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"

namespace tessera::search {

// What our cost says of a schedule, its kernels by falling time.
cost::Prediction longestFirst(const schedule::Schedule &schedule, const machine::Machine &machine);

} // namespace tessera::search
