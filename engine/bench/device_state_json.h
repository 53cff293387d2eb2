// SPDX-License-Identifier: MIT
#pragma once

#include "engine/bench/json_reader.h"
#include "engine/bench/measurement.h"

#include <nlohmann/json.hpp>

namespace tessera::bench {

// Device states are members of measurements and of measured ceilings.
nlohmann::ordered_json toJson(const DeviceState &state);
DeviceState deviceStateFrom(const nlohmann::json &value); // throws Malformed (json_reader.h)

// Reads where, when and by which program something was measured. Measurements and measured ceilings
// both have these members.
template <typename Measured>
void readOrigin(ObjectReader &reader, Measured &measured) {
  measured.machine = reader.word("machine");
  measured.driver = reader.word("driver");
  measured.cudaVersion = reader.word("cuda_version");
  measured.date = reader.word("date");
  measured.program = reader.word("program");
}

} // namespace tessera::bench
