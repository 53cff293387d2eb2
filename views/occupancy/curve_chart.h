// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/occupancy/occupancy_curve.h"

#include <QWidget>

#include <optional>

namespace tessera::views {

// Occupancy over one number of a block, with the point where the kernel is. Dragging that point, or
// the arrow keys, ask what if; nothing of the schedule changes.
class CurveChart : public QWidget {
  Q_OBJECT
public:
  explicit CurveChart(BlockNumber number, QWidget *parent = nullptr);

  // `asked`: the block of what if; the same as `actual` where nothing is asked.
  void show(const machine::Machine &machine, const machine::BlockUse &actual,
            const machine::BlockUse &asked);
  void clear();

  // For tests: where the points are, in the widget.
  QPointF actualPoint() const;
  QPointF askedPoint() const;
  OccupancyCurve curve() const; // of what is asked

  QSize sizeHint() const override { return {220, 190}; }
  QSize minimumSizeHint() const override { return {130, 120}; }

signals:
  void asked(tessera::views::BlockNumber number, std::int64_t value);

protected:
  void paintEvent(QPaintEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  bool event(QEvent *event) override;

private:
  struct State {
    machine::Machine machine;
    machine::BlockUse actual, asked;
  };
  OccupancyCurve curveOf(const machine::BlockUse &use) const;
  QRectF plot() const;
  QPointF pointOf(const OccupancyCurve &curve, const machine::BlockUse &use) const;
  void paintGrid(QPainter &painter, const OccupancyCurve &curve) const;
  void paintBands(QPainter &painter, const OccupancyCurve &curve) const;
  void paintCurve(QPainter &painter, const OccupancyCurve &curve, bool isAsked) const;
  void paintPoint(QPainter &painter, QPointF at, bool isAsked) const;
  QString toolTipAt(double x) const;

  BlockNumber m_number;
  std::optional<State> m_state;
};

QString titleOf(BlockNumber number); // "Block size"

} // namespace tessera::views
