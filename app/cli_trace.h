// SPDX-License-Identifier: MIT
#pragma once

#include "engine/search/trace.h"

#include <nlohmann/json.hpp>

namespace tessera::app {

// What a search did, as a table with a row for each thing that it decided or tried. Predicted times
// are in microseconds.
void printTrace(const search::Trace &trace);
// {"rows": […], "left_out": 0}, and "unit": "s" if costs are predicted seconds.
nlohmann::ordered_json traceJson(const search::Trace &trace);

} // namespace tessera::app
