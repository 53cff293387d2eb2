// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/roofline_chart.h"

#include <string>

namespace tessera::chart {

// A roofline as an SVG file for browsers, editors and papers. Shapes show the level and fillings
// show the origin, so that nothing depends on colour alone. Each mark shows its numbers when the
// user points at it, and screen readers get the table as text.
std::string svgOf(const RooflineChart &chart);

} // namespace tessera::chart
