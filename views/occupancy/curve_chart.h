// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/occupancy/occupancy_curve.h"
#include "views/plot/plot_view.h"

#include <optional>

class QCPGraph;
class QCPItemText;

namespace tessera::views {

// Occupancy as a function of one property of a block (threads, registers or shared memory), with a
// point for the kernel. A click, a drag or an arrow key asks a what-if question: which occupancy
// would another value give? The schedule does not change.
class CurveChart : public PlotView {
  Q_OBJECT
public:
  explicit CurveChart(BlockNumber number, QWidget *parent = nullptr);

  // `asked` is the what-if block. It equals `actual` while the user asks no what-if question.
  void show(const machine::Machine &machine, const machine::BlockUse &actual,
            const machine::BlockUse &asked);
  void clear();

  // For tests: the places of the points in the widget.
  QPointF actualPoint() const;
  QPointF askedPoint() const;
  OccupancyCurve curve() const; // for the block in `asked`

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
  void clickAt(QPointF) override {} // the mouse press has emitted asked() already
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
  QRectF strip() const; // the strip below the field, which shows the limiting resource

  BlockNumber m_number;
  std::optional<State> m_state;
  bool m_isAsking = false; // the left button is held; each move of the mouse emits asked()
  QCPGraph *m_before = nullptr, *m_now = nullptr, *m_lead = nullptr, *m_actual = nullptr,
           *m_asked = nullptr;
  QCPItemText *m_title = nullptr;
};

QString titleOf(BlockNumber number); // "Block size"

} // namespace tessera::views
