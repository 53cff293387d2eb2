// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"

namespace tessera::search {

// The prediction of a schedule, with its kernels sorted by descending time.
cost::Prediction longestFirst(const schedule::Schedule &schedule, const machine::Machine &machine);

} // namespace tessera::search
