// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/roofline_chart.h"

#include <string>

namespace tessera::chart {

// A roofline as a file that browsers, editors and papers show. Shapes say the level and fillings
// say where a point is from, so no colour carries a meaning alone; each mark tells its numbers to
// who points at it, and a screen reader gets the table as text.
std::string svgOf(const RooflineChart &chart);

} // namespace tessera::chart
