// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/roofline_chart.h"
#include "engine/chart/tag_places.h"

#include <array>
#include <vector>

namespace tessera::chart {

// A box that is turned about a point, such as that of a slanted word.
class TurnedBox {
public:
  TurnedBox(const Box &box); // not turned
  // `box` is relative to the point `about`, and is turned clockwise by `degrees`.
  TurnedBox(Point about, const Box &box, double degrees);
  // A line of this width.
  static TurnedBox along(Point from, Point to, double width);

  const std::array<Point, 4> &corners() const { return m_corners; }
  bool touches(const TurnedBox &other) const;
  bool isWithin(const Box &frame) const;
  // Upright boxes along the first side that together cover this box, for code that cannot use
  // turned boxes.
  std::vector<Box> pieces() const;

private:
  bool isApartAlong(Point axis, const TurnedBox &other) const;

  std::array<Point, 4> m_corners; // in order around the box
  Box m_around;
};

} // namespace tessera::chart
