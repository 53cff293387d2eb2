// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::document {

// The cost model's prediction for a schedule with its reasons, kernel by kernel. `explain --json`
// prints it, and a tuning stores it with each candidate as training data.
nlohmann::ordered_json toJson(const cost::Prediction &prediction,
                              const schedule::Schedule &schedule, const machine::Machine &machine);

} // namespace tessera::document
