// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/chart/roofline_chart.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

namespace tessera::views {

using chart::ChartWindow;

// How the two axes of a plot count, and which of them can be zoomed.
struct PlotAxes {
  bool isLogX = false, isLogY = false;
  bool canZoomY = false; // x always can
};

// A mark of an axis. Without a text it is a minor one.
struct PlotTick {
  double value = 0;
  QString text;
};

// Values of a plot and places in its widget, as numbers: `window` fills `field`. Everything that
// zooms or pans asks it what is to be seen next.
class PlotScale {
public:
  PlotScale(const PlotAxes &axes, const ChartWindow &window, const QRectF &field)
      : m_axes(axes), m_window(window), m_field(field) {}

  const ChartWindow &window() const { return m_window; }
  const QRectF &field() const { return m_field; }

  double xOf(double value) const;
  double yOf(double value) const;
  QPointF placeOf(double x, double y) const { return {xOf(x), yOf(y)}; }
  double xAt(double place) const;
  double yAt(double place) const;

  // What fills `place` now.
  ChartWindow windowOf(const QRectF &place) const;
  // So many times as near, while the value at `about` stays where it is. Beside the field only the
  // axis that stands there is zoomed. None: it is not zoomed any further.
  std::optional<ChartWindow> zoomed(double factor, QPointF about, const ChartWindow &whole) const;
  // After the field's contents were moved by so many pixels. A linear axis ends where `whole` does.
  ChartWindow panned(QPointF by, const ChartWindow &whole) const;

  // The rectangle that `whole` would fill, at this zoom, along a linear x axis: geometry that is
  // computed for all of a chart serves a part of it.
  QRectF stretched(const ChartWindow &whole) const;

private:
  PlotAxes m_axes;
  ChartWindow m_window;
  QRectF m_field;
};

// Values 1, 2 or 5 times a power of ten apart, from `least` to `most`, so that no more than `count`
// of them are seen.
std::vector<double> linearSteps(double least, double most, double count);

} // namespace tessera::views
