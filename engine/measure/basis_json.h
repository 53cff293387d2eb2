// SPDX-License-Identifier: MIT
#pragma once

#include "engine/measure/freshness.h"
#include "engine/bench/json_reader.h"

namespace tessera::measure {

// Adds the members that every stored result has: schedule_hash, content_sha256, and inputs unless
// they are the default. Reading throws bench::Malformed.
void addTo(nlohmann::ordered_json &object, const Basis &basis);
Basis basisFrom(bench::ObjectReader &reader);

} // namespace tessera::measure
