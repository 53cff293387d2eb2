// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>

#include <span>
#include <vector>

namespace tessera::views {

// The distance between a hull and its members, where no other node is near.
inline constexpr double kHullMargin = 10;

// The members that one smooth outline holds together, and the other boxes that it avoids.
struct HullParts {
  std::vector<QRectF> members;
  std::vector<QPolygonF> bridges; // between members, along the drawn edges
  std::vector<QRectF> others;
};

// Closed outlines; an outline inside another one is a hole. Each member and bridge spreads a field
// that falls with the distance, other boxes subtract from it, and the outline is where the field
// has fallen to a threshold. So members that are close to each other get one outline (Collins and
// others, Bubble Sets, 2009). That paper also routes the bridges; here they follow the edges of the
// layout.
std::vector<QPolygonF> hullAround(const HullParts &parts);

// The lines where a field over a grid crosses `level`. `values` are stored row by row; they are
// highest inside, and below `level` along the whole border.
std::vector<QPolygonF> contours(std::span<const float> values, int columns, float level);

} // namespace tessera::views
