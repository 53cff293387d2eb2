// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/roofline_chart.h"
#include "engine/chart/tag_places.h"

#include <array>
#include <vector>

namespace tessera::chart {

// A box that is turned about a point of its own, as a slanted word is.
class TurnedBox {
public:
  TurnedBox(const Box &box); // not turned
  // `box` is around the point, before it is turned by so many degrees clockwise.
  TurnedBox(Point about, const Box &box, double degrees);
  // A line of that width.
  static TurnedBox along(Point from, Point to, double width);

  const std::array<Point, 4> &corners() const { return m_corners; }
  bool touches(const TurnedBox &other) const;
  bool isWithin(const Box &frame) const;
  // What covers it, piece by piece along its first side, for who knows no turned boxes.
  std::vector<Box> pieces() const;

private:
  bool isApartAlong(Point axis, const TurnedBox &other) const;

  std::array<Point, 4> m_corners; // one after the other
  Box m_around;
};

} // namespace tessera::chart
