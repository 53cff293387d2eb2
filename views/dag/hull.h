// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>

#include <span>
#include <vector>

namespace tessera::views {

// How far a hull lies outside of what it is around, where nothing is near.
inline constexpr double kHullMargin = 10;

// What a smooth outline is to hold together and what to keep out of.
struct HullParts {
  std::vector<QRectF> members;
  std::vector<QPolygonF> bridges; // between members, along the lines that are drawn anyway
  std::vector<QRectF> others;
};

// Closed outlines; one inside of another is a hole. Each part spreads a field that falls with the
// distance, other boxes take from it, and the outline is where it has fallen to a threshold: parts
// that are close flow into each other (Collins and others, Bubble Sets, 2009; there the bridges are
// routed, here the layout has done that).
std::vector<QPolygonF> hullAround(const HullParts &parts);

// The lines of a field over a grid where it crosses `level`; `values` row by row. Highest where the
// inside is, and below `level` all along the border.
std::vector<QPolygonF> contours(std::span<const float> values, int columns, float level);

} // namespace tessera::views
