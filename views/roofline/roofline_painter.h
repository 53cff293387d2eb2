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

// How a roofline is painted beside what it says.
struct RooflineLook {
  Colors colors;
  QFont font;
  int current = -1;                   // the kernel that is marked, with its arrows
  std::vector<int> numbers;           // of each kernel of the chart, as `current` counts; -1: none
  bool isChosen = false;              // by the user: the other kernels step back
  std::optional<std::size_t> hovered; // a row of the chart
};

// Room that words beside the plot take.
inline constexpr int kLeftRoom = 62, kTopRoom = 12, kRightRoom = 14, kBottomRoom = 66;
inline constexpr int kKeyLine = 18; // of the key: the second says what is compared with

QFont rooflineFont(const QFont &font); // of all words, and of numbers on the axes
QColor colorOf(const Colors &colors, cost::Level level);

// Paints marks, arrows and words within the chart's frame; axes and roofs are there already.
void paintMarks(QPainter &painter, const chart::RooflineChart &chart, const RooflineLook &look);
// The key below the axes.
void paintKey(QPainter &painter, const chart::RooflineChart &chart, const RooflineLook &look);

// Of the roofs beside which there is no room for them: one for each.
QStringList wordsApart(const chart::RooflineChart &chart);

// The row whose mark is at a place, the one painted last first.
std::optional<std::size_t> rowAt(const chart::RooflineChart &chart, chart::Point place);

} // namespace tessera::views
