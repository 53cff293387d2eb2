// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plot/plot_scale.h"

#include <QColor>

#include <functional>
#include <vector>

#include <qcustomplot.h>

namespace tessera::views {

// The parts that charts add to QCustomPlot. The header of that library is large, so only the source
// files of charts include this file; no header does.

// A part that the chart paints itself, in the widget's coordinates, between the library's layers:
// for example words that need free places beside marks.
class PaintedPart : public QCPLayerable {
public:
  using Paint = std::function<void(QPainter &)>;
  PaintedPart(QCustomPlot &plot, const QString &layer, Paint paint, std::function<QRectF()> clip);

protected:
  QRect clipRect() const override;
  void applyDefaultAntialiasingHint(QCPPainter *painter) const override;
  void draw(QCPPainter *painter) override;

private:
  Paint m_paint;
  std::function<QRectF()> m_clip;
};

// Replaces all ticks of the axis.
void setTicks(QCPAxis &axis, std::vector<PlotTick> ticks);

// Width of a line that looks one pixel wide. The library draws a width of exactly 1 as the thinnest
// line of the display.
inline constexpr double kThin = 1.01;

// Points joined as `style` says. The library owns and draws them.
QCPGraph &addGraph(QCustomPlot &plot, QCPGraph::LineStyle style);
// Points with marks that are not clipped at the edge of the field. Points outside the field must
// not be added.
QCPGraph &addMarks(QCustomPlot &plot);

} // namespace tessera::views
