// SPDX-License-Identifier: MIT
#pragma once

#include "engine/chart/roofline_chart.h"
#include "engine/chart/tag_places.h"

namespace tessera::chart {

// What marks and the words beside them cover, for who looks for room.

inline constexpr double kLetter = 6.4, kLine = 14; // of a word beside a mark, roughly

Box boxOf(const Mark &mark);
Box boxOf(const MarkRow &row);
// All that is painted of it: a triangle is higher than its radius, and lines are thick.
Box paintedBoxOf(const Mark &mark);
// The word beside an arrow.
Box gainBoxOf(const Arrow &arrow);
// Whether one cannot be seen for the other: they share a word then.
bool covers(const MarkRow &a, const MarkRow &b);

} // namespace tessera::chart
