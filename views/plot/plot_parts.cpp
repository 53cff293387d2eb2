// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plot/plot_parts.h"

#include <cmath>
#include <utility>

namespace tessera::views {

namespace {

class GivenTicker : public QCPAxisTicker {
public:
  explicit GivenTicker(std::vector<PlotTick> ticks) : m_ticks(std::move(ticks)) {}

  void generate(const QCPRange &range, const QLocale &, QChar, int, QVector<double> &ticks,
                QVector<double> *subTicks, QVector<QString> *tickLabels) override {
    ticks.clear();
    if (subTicks) subTicks->clear();
    if (tickLabels) tickLabels->clear();
    constexpr double kRounding = 1e-9; // tolerance for a tick at the very end of the axis
    for (const PlotTick &tick : m_ticks) {
      if (tick.value < range.lower - kRounding * std::abs(range.lower) ||
          tick.value > range.upper + kRounding * std::abs(range.upper))
        continue;
      if (tick.text.isEmpty()) {
        if (subTicks) *subTicks << tick.value;
        continue;
      }
      ticks << tick.value;
      if (tickLabels) *tickLabels << tick.text;
    }
  }

private:
  std::vector<PlotTick> m_ticks;
};

class MarkGraph : public QCPGraph {
public:
  using QCPGraph::QCPGraph;

protected:
  QRect clipRect() const override {
    constexpr int kReach = 10; // how far a mark may extend beyond the field, in pixels
    return QCPGraph::clipRect().adjusted(-kReach, -kReach, kReach, kReach);
  }
};

} // namespace

PaintedPart::PaintedPart(QCustomPlot &plot, const QString &layer, Paint paint,
                         std::function<QRectF()> clip)
    : QCPLayerable(&plot, layer), m_paint(std::move(paint)), m_clip(std::move(clip)) {}

// Moved down by a pixel, because the library moves this rectangle up by one before it clips.
QRect PaintedPart::clipRect() const { return m_clip().toAlignedRect().translated(0, 1); }

// QCPPainter's own setAntialiasing() shifts everything by half a pixel; QPainter's hint does not.
void PaintedPart::applyDefaultAntialiasingHint(QCPPainter *painter) const {
  painter->setRenderHint(QPainter::Antialiasing);
}

void PaintedPart::draw(QCPPainter *painter) { m_paint(*painter); }

void setTicks(QCPAxis &axis, std::vector<PlotTick> ticks) {
  axis.setTicker(QSharedPointer<GivenTicker>::create(std::move(ticks)));
}

QCPGraph &addGraph(QCustomPlot &plot, QCPGraph::LineStyle style) {
  QCPGraph &graph = *plot.addGraph();
  graph.setLineStyle(style);
  graph.setSelectable(QCP::stNone);
  return graph;
}

QCPGraph &addMarks(QCustomPlot &plot) {
  auto *marks = new MarkGraph(plot.xAxis, plot.yAxis); // owned by the plot
  marks->setLineStyle(QCPGraph::lsNone);
  marks->setSelectable(QCP::stNone);
  return *marks;
}

} // namespace tessera::views
