// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"
#include "engine/schedule/schedule.h"

#include <nlohmann/json.hpp>

namespace tessera::app {

// The kernels whose threads keep values in local memory, as registers do not suffice. Nothing is
// printed if there are none.
void printSpills(const cost::Prediction &prediction, const schedule::Schedule &schedule);
nlohmann::ordered_json spillsOf(const cost::Prediction &prediction,
                                const schedule::Schedule &schedule);

} // namespace tessera::app
