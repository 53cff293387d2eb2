// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/models/shown_kernels.h"
#include "views/roofline/roofline_export.h"
#include "views/roofline/roofline_painter.h"
#include "views/plot/zoom_history.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// Kernels and pipeline under the roofs: a rectangle drawn with the mouse is zoomed into, a click on
// a mark selects the kernel's stages, and all of that goes with keys too.
class RooflineView : public QWidget {
  Q_OBJECT
public:
  explicit RooflineView(ShownKernels &kernels, QWidget *parent = nullptr);

  // The first is what is shown, the others what it is compared with. None: nothing is drawn.
  void show(std::vector<DrawnRoofline> drawn);

  const ZoomHistory &zoom() const { return m_zoom; }
  void zoomBy(double factor, chart::Point about);
  void zoomBy(double factor); // about the middle
  void zoomBack();
  void zoomForward();
  void zoomToAll();

  const chart::RooflineChart &chart(); // as it is painted
  QString toolTipOf(std::size_t row);  // a row of the chart
  QString toolTipOfKey();

  QSize sizeHint() const override { return {520, 380}; }
  QSize minimumSizeHint() const override { return {240, 200}; }

signals:
  void zoomChanged();

protected:
  void paintEvent(QPaintEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void mouseMoveEvent(QMouseEvent *event) override;
  void mouseReleaseEvent(QMouseEvent *event) override;
  void mouseDoubleClickEvent(QMouseEvent *event) override;
  void wheelEvent(QWheelEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
  void leaveEvent(QEvent *event) override;
  bool event(QEvent *event) override;

private:
  chart::Frame frame() const;
  void zoomTo(const ZoomHistory::View &view, ZoomHistory::Gesture gesture);
  void zoomChangedNow();
  chart::ChartWindow windowOf(const QRectF &place); // in the widget
  void hoverRow(std::optional<std::size_t> row);
  void step(int by); // to another kernel
  const chart::MarkRow &row(std::size_t index) { return chart().rows[index]; }
  // Among the shown ones, that of a compared one which computes the same; -1: it is none of them.
  int kernelOf(const chart::MarkRow &row) const;

  ShownKernels &m_kernels;
  std::vector<DrawnRoofline> m_drawn;
  std::vector<int> m_numbers; // of the kernels of the first, among the shown ones; -1: none
  ZoomHistory m_zoom;
  std::optional<chart::RooflineChart> m_chart; // none: to be made again
  std::optional<std::size_t> m_hovered;
  QPointF m_pressed, m_dragged;
  bool m_isDragging = false;
};

} // namespace tessera::views
