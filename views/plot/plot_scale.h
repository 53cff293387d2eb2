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

// How the two axes of a plot are scaled, and which of them can be zoomed.
struct PlotAxes {
  bool isLogX = false, isLogY = false;
  bool canZoomY = false; // x can always be zoomed
};

// A tick of an axis. Without a text it is a minor one.
struct PlotTick {
  double value = 0;
  QString text;
};

// Converts between values of a plot and places in its widget: `window` fills `field`. Zooming and
// panning use it to compute the next window.
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

  // The values that the rectangle `place` of the widget shows now.
  ChartWindow windowOf(const QRectF &place) const;
  // Zooms by `factor` and keeps the value at `about` in its place. If `about` is beside the field,
  // only the axis there is zoomed. None: the limit is reached.
  std::optional<ChartWindow> zoomed(double factor, QPointF about, const ChartWindow &whole) const;
  // The window after the contents were moved by so many pixels. A linear axis stays within `whole`.
  ChartWindow panned(QPointF by, const ChartWindow &whole) const;

  // The rectangle that `whole` would fill at this zoom along a linear x axis, so that geometry
  // computed for the whole chart can be used for a part of it.
  QRectF stretched(const ChartWindow &whole) const;

private:
  PlotAxes m_axes;
  ChartWindow m_window;
  QRectF m_field;
};

// Steps of 1, 2 or 5 times a power of ten from `least` to `most`, with at most `count` values.
std::vector<double> linearSteps(double least, double most, double count);

} // namespace tessera::views
