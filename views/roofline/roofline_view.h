// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/roofline/roofline_export.h"
#include "views/roofline/roofline_painter.h"
#include "views/flows/shown_kernels.h"
#include "views/plot/plot_view.h"

#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// Shows the kernels and the pipeline under the roofs. A click on a mark or the arrow keys select
// the stages of a kernel.
class RooflineView : public PlotView {
  Q_OBJECT
public:
  explicit RooflineView(ShownKernels &kernels, QWidget *parent = nullptr);

  // The shown schedule comes first, then the compared ones. If `drawn` is empty, nothing is drawn.
  void show(std::vector<DrawnRoofline> drawn);

  const chart::RooflineChart &chart() const; // as currently drawn
  QString toolTipOf(std::size_t row) const;  // `row` is a row of the chart
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
  void step(int by); // selects another kernel
  void clearHover(); // also for the other panels, until the pointer moves again
  std::optional<std::size_t> rowOn(QPointF place) const;
  const chart::MarkRow &row(std::size_t index) const { return chart().rows[index]; }
  // The shown kernel that computes the same as the compared kernel of `row`; -1: there is none.
  int kernelOf(const chart::MarkRow &row) const;

  ShownKernels &m_kernels;
  std::vector<DrawnRoofline> m_drawn;
  // Indexed by kernel of the first drawn roofline: its number among the shown kernels; -1: none.
  std::vector<int> m_numbers;
  // The chart for one field and one zoom window. It is made on demand.
  struct Made {
    QRectF field;
    ZoomHistory::View window;
    chart::RooflineChart chart;
  };
  mutable std::optional<Made> m_made;
  mutable std::optional<ChartWindow> m_whole;
  std::optional<std::size_t> m_hovered; // a row of the chart that was made last
};

} // namespace tessera::views
