// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plot/plot_scale.h"

#include <QColor>

#include <functional>
#include <vector>

#include <qcustomplot.h>

namespace tessera::views {

// What charts add to QCustomPlot. The header of that library is large: only sources of charts
// include this one, and no header does.

// Something that a chart paints in the widget's own coordinates, between the library's layers: what
// has to find a place of its own there, such as words beside marks.
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

// The axis has these marks and no others.
void setTicks(QCPAxis &axis, std::vector<PlotTick> ticks);

// Of a line that looks a pixel wide. The library makes one of exactly 1 as thin as the display can.
inline constexpr double kThin = 1.01;

// Points that are joined as `style` says; the library keeps and draws them.
QCPGraph &addGraph(QCustomPlot &plot, QCPGraph::LineStyle style);
// Points with marks that may lie over the edge of the field, so that none is cut there: those that
// are not in it are not to be added.
QCPGraph &addMarks(QCustomPlot &plot);

} // namespace tessera::views
