// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cost/prediction.h"

#include <nlohmann/json_fwd.hpp>

namespace tessera::document {

// What our model says of a schedule and why, kernel by kernel: what `explain --json` prints, and
// what a tuning keeps of each candidate for models that learn.
nlohmann::ordered_json toJson(const cost::Prediction &prediction,
                              const schedule::Schedule &schedule, const machine::Machine &machine);

} // namespace tessera::document
