// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plot/plot_view.h"

#include <vector>

class QCPGraph;
class QCPItemText;

namespace tessera::views {

// How the best of a search fell over its time: a step down for each better schedule. Points are
// added while the search runs.
class SearchCurve : public PlotView {
  Q_OBJECT
public:
  struct Point {
    double seconds = 0;   // since the search began
    double predicted = 0; // milliseconds of a run
    friend bool operator==(const Point &, const Point &) = default;
  };

  explicit SearchCurve(QWidget *parent = nullptr);

  void clear();
  void add(Point point);
  const std::vector<Point> &points() const { return m_points; }

  QSize sizeHint() const override;

protected:
  bool isEmpty() const override { return m_points.size() < 2; }
  ChartWindow whole() const override;
  QMargins room() const override;
  void fill() override;
  void pointAt(std::optional<QPointF>) override {}
  void clickAt(QPointF) override {}
  bool hasMarkAt(QPointF) const override { return false; }
  QString textAt(QPointF place) const override;

private:
  std::vector<PlotTick> ticksOfTimes() const; // upwards: what a run takes

  std::vector<Point> m_points;
  QCPGraph *m_steps = nullptr, *m_last = nullptr;
  QCPItemText *m_title = nullptr;
};

// What all points need: from the start of the search to the last of them, the fastest at the bottom
// with some air.
ChartWindow windowOf(const std::vector<SearchCurve::Point> &points);

// Corners of the steps in a field of that size; x goes to the last point. Empty for fewer than two
// points.
std::vector<QPointF> stepsIn(const std::vector<SearchCurve::Point> &points, QRectF field);

} // namespace tessera::views
