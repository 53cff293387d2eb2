// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/roofline_chart.h"

#include <optional>

namespace tessera::chart {

// The shape of an arrow as drawn. It ends short of both marks, and its word is beside its middle.
struct ArrowShape {
  explicit ArrowShape(const Arrow &arrow);

  Point from, neck, tip, left, right, word;
};

// The visible part of an arrow that may begin or end outside of the frame. Empty if none is
// visible.
std::optional<Arrow> clippedTo(const Frame &frame, Arrow arrow);

} // namespace tessera::chart
