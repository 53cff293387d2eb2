// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/roofline_chart.h"

#include <optional>

namespace tessera::chart {

// An arrow as it is drawn: it ends short of both marks, and its word stands beside its middle.
struct ArrowShape {
  explicit ArrowShape(const Arrow &arrow);

  Point from, neck, tip, left, right, word;
};

// The part that is seen of what comes from outside, or leads there; none: nothing is.
std::optional<Arrow> clippedTo(const Frame &frame, Arrow arrow);

} // namespace tessera::chart
