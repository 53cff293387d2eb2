// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plot/plot_view.h"

#include <vector>

class QCPGraph;
class QCPItemText;

namespace tessera::views {

// The best predicted time over the time of a search. Each better schedule is a step down. Points
// are added while the search runs.
class SearchCurve : public PlotView {
  Q_OBJECT
public:
  struct Point {
    double seconds = 0;   // since the search began
    double predicted = 0; // milliseconds for one run of the pipeline
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
  QString textAt(QPointF place) const override;

private:
  std::vector<PlotTick> ticksOfTimes() const; // for the y axis: the time of one run of the pipeline

  std::vector<Point> m_points;
  QCPGraph *m_steps = nullptr, *m_last = nullptr;
  QCPItemText *m_title = nullptr;
};

} // namespace tessera::views
