// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/chart/roofline_chart.h"
#include "views/theme/theme.h"

#include <QFont>
#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace tessera::views {

// The state that decides how a roofline chart is painted.
struct RooflineLook {
  Colors colors;
  QFont font;
  int current = -1; // number of the kernel that is marked and has strong arrows; -1: none
  // The number of each kernel of the chart, counted as in `current`; -1: none.
  std::vector<int> numbers;
  bool isChosen = false;              // the user chose the kernel: the others are painted faint
  std::optional<std::size_t> hovered; // a row of the chart
};

// Pixels around the plot for words.
inline constexpr int kLeftRoom = 62, kTopRoom = 12, kRightRoom = 14, kBottomRoom = 66;
// Height of a line of the key, in pixels. Its second line names the compared schedules.
inline constexpr int kKeyLine = 18;

QFont rooflineFont(const QFont &font); // for all words and for the numbers on the axes
QColor colorOf(const Colors &colors, cost::Level level);

// Paints marks, arrows and words inside the chart's frame. The axes and roofs have to be painted
// before.
void paintMarks(QPainter &painter, const chart::RooflineChart &chart, const RooflineLook &look);
// The key below the axes, which explains the marks.
void paintKey(QPainter &painter, const chart::RooflineChart &chart, const RooflineLook &look);

// The labels of those roofs that have no room for a label beside their line.
QStringList wordsApart(const chart::RooflineChart &chart);

// The row whose mark is at `place`. If marks overlap, it is the one that was painted last.
std::optional<std::size_t> rowAt(const chart::RooflineChart &chart, chart::Point place);

} // namespace tessera::views
