// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/occupancy/occupancy_curve.h"
#include "views/plot/plot_view.h"

#include <optional>

class QCPGraph;
class QCPItemText;

namespace tessera::views {

// Occupancy over one number of a block, with the point where the kernel is. Dragging that point, or
// the arrow keys, ask what if; nothing of the schedule changes.
class CurveChart : public PlotView {
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
  bool isEmpty() const override { return !m_state; }
  ChartWindow whole() const override;
  QMargins room() const override;
  void fill() override;
  void pointAt(std::optional<QPointF> place) override;
  void clickAt(QPointF) override {} // a press has asked already
  bool hasMarkAt(QPointF) const override { return true; }
  QString textAt(QPointF place) const override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  struct State {
    machine::Machine machine;
    machine::BlockUse actual, asked;
  };
  OccupancyCurve curveOf(const machine::BlockUse &use) const;
  QPointF pointOf(const OccupancyCurve &curve, const machine::BlockUse &use) const;
  void fillAxes(const OccupancyCurve &curve);
  void fillCurve(QCPGraph &graph, const OccupancyCurve &curve) const;
  void fillPoint(QCPGraph &graph, const machine::BlockUse &use) const;
  void paintBands(QPainter &painter) const;
  QRectF strip() const; // below the field: what limits there

  BlockNumber m_number;
  std::optional<State> m_state;
  bool m_isAsking = false; // by a drag
  QCPGraph *m_before = nullptr, *m_now = nullptr, *m_lead = nullptr, *m_actual = nullptr,
           *m_asked = nullptr;
  QCPItemText *m_title = nullptr;
};

QString titleOf(BlockNumber number); // "Block size"

} // namespace tessera::views
