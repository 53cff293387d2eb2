// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/shown_kernels.h"
#include "views/plot/plot_view.h"
#include "views/roofline/roofline_export.h"
#include "views/roofline/roofline_painter.h"

#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// Kernels and pipeline under the roofs: a click on a mark, or the arrow keys, select the kernel's
// stages.
class RooflineView : public PlotView {
  Q_OBJECT
public:
  explicit RooflineView(ShownKernels &kernels, QWidget *parent = nullptr);

  // The first is what is shown, the others what it is compared with. None: nothing is drawn.
  void show(std::vector<DrawnRoofline> drawn);

  const chart::RooflineChart &chart() const; // as it is drawn
  QString toolTipOf(std::size_t row) const;  // a row of the chart
  QString toolTipOfKey() const;

  QSize sizeHint() const override { return {520, 380}; }
  QSize minimumSizeHint() const override { return {240, 200}; }

protected:
  bool isEmpty() const override { return m_drawn.empty(); }
  ChartWindow whole() const override;
  QMargins room() const override;
  void fill() override;
  void pointAt(std::optional<QPointF> place) override;
  void clickAt(QPointF place) override;
  bool hasMarkAt(QPointF place) const override { return rowOn(place).has_value(); }
  QString textAt(QPointF place) const override;
  void keyPressEvent(QKeyEvent *event) override;

private:
  chart::RooflineChart drawing(const ZoomHistory::View &window) const;
  RooflineLook look() const;
  void fillAxes();
  void fillRoofs();
  void step(int by); // to another kernel
  std::optional<std::size_t> rowOn(QPointF place) const;
  const chart::MarkRow &row(std::size_t index) const { return chart().rows[index]; }
  // Among the shown ones, that of a compared one which computes the same; -1: it is none of them.
  int kernelOf(const chart::MarkRow &row) const;

  ShownKernels &m_kernels;
  std::vector<DrawnRoofline> m_drawn;
  std::vector<int> m_numbers; // of the kernels of the first, among the shown ones; -1: none
  // Made when it is asked for, of this field and this part of all.
  struct Made {
    QRectF field;
    ZoomHistory::View window;
    chart::RooflineChart chart;
  };
  mutable std::optional<Made> m_made;
  mutable std::optional<ChartWindow> m_whole;
  std::optional<std::size_t> m_hovered; // a row of what was made last
};

} // namespace tessera::views
