// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace tessera::views {

// How the best of a search fell over its time: a step down for each better schedule.
class SearchCurve : public QWidget {
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
  void paintEvent(QPaintEvent *event) override;

private:
  std::vector<Point> m_points;
};

// Corners of the steps in a field of that size, the fastest at the bottom with some air; x goes to
// the last point. Empty for fewer than two points.
std::vector<QPointF> stepsIn(const std::vector<SearchCurve::Point> &points, QRectF field);

} // namespace tessera::views
