// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/roofline_chart.h"
#include "engine/chart/tag_places.h"

namespace tessera::chart {

// The areas that marks and the words beside them cover, for placing other words.

inline constexpr double kLetter = 6.4, kLine = 14; // width of a letter, height of a word; in pixels

Box boxOf(const Mark &mark);
Box boxOf(const MarkRow &row);
// The whole painted area. A triangle is higher than its radius, and lines have a width.
Box paintedBoxOf(const Mark &mark);
// The area of the word beside an arrow.
Box gainBoxOf(const Arrow &arrow);
// Whether the marks of both rows are at nearly the same positions. Such rows share one word.
bool covers(const MarkRow &a, const MarkRow &b);

} // namespace tessera::chart
