// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/theme/theme.h"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::views {

// Where predicted and measured times of candidates lie, before anything is drawn: both axes
// logarithmic and alike, so that a candidate on the diagonal takes what was predicted.
struct ScatterPoint {
  std::uint64_t id = 0;
  QString name;
  double predicted = 0, measured = 0; // seconds
  bool isCurrent = false;
  bool isStale = false;
  bool isElsewhere = false; // measured on another GPU than it was predicted for

  friend bool operator==(const ScatterPoint &, const ScatterPoint &) = default;
};

struct Scatter {
  struct Tick {
    double at = 0;
    QString text; // empty: a minor one
  };
  QRectF field;
  std::vector<QPointF> places; // of the points, in their order
  std::vector<Tick> ticksX, ticksY;
  QPointF diagonalFrom, diagonalTo;

  std::optional<std::size_t> at(QPointF place) const; // the nearest point that is near
};
Scatter scatterOf(const std::vector<ScatterPoint> &points, const QRectF &field);

// Predicted against measured: a click on a point, or Return after the arrow keys, makes its
// candidate the current one.
class TimeScatter : public QWidget {
  Q_OBJECT
public:
  explicit TimeScatter(QWidget *parent = nullptr);

  void setPoints(std::vector<ScatterPoint> points);
  const std::vector<ScatterPoint> &points() const { return m_points; }
  Scatter scatter() const; // as it is painted
  QString toolTipOf(std::size_t point) const;

  QSize sizeHint() const override { return {300, 220}; }
  QSize minimumSizeHint() const override { return {180, 120}; }

signals:
  void loadWanted(quint64 candidate);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void leaveEvent(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool event(QEvent *event) override;

private:
  void mark(std::optional<std::size_t> point);
  void paintAxes(QPainter &painter, const Scatter &shown, const Colors &colors) const;
  void paintPoint(QPainter &painter, const ScatterPoint &point, QPointF place,
                  const Colors &colors) const;
  void paintMarked(QPainter &painter, const Scatter &shown, const Colors &colors) const;

  std::vector<ScatterPoint> m_points;
  std::optional<std::size_t> m_marked; // pointed at, or chosen by keys
};

} // namespace tessera::views
