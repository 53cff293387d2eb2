// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/measurement.h"

#include <nlohmann/json.hpp>

namespace tessera::bench {

// For the documents of this room that hold one.
nlohmann::ordered_json toJson(const DeviceState &state);
DeviceState deviceStateFrom(const nlohmann::json &value); // throws Malformed (json_reader.h)

} // namespace tessera::bench
