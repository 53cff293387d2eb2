// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/roofline/roofline_view.h"

#include "engine/chart/quantity_text.h"
#include "views/plot/plot_parts.h"
#include "views/tables/roofline_table_model.h"

#include <QKeyEvent>

#include <map>
#include <utility>

namespace tessera::views {

using chart::MarkRow;
using chart::RooflineChart;

namespace {

const cost::Placed &placedOf(const cost::Roofline &roofline, const MarkRow &row) {
  return (row.isWhole ? roofline.pipelines : roofline.kernels)[row.work];
}

} // namespace

RooflineView::RooflineView(ShownKernels &kernels, QWidget *parent)
    : PlotView({.isLogX = true, .isLogY = true, .canZoomY = true}, parent), m_kernels(kernels) {
  setAccessibleName(tr("Roofline"));
  showAxes(true, true);
  plot().addLayer(QStringLiteral("marks"), plot().layer(QStringLiteral("main")));
  addPart(
      QStringLiteral("marks"), [this](QPainter &painter) { paintMarks(painter, chart(), look()); },
      [this] { return field().adjusted(-1, -1, 1, 1); });
  addPart(QStringLiteral("marks"),
          [this](QPainter &painter) { paintKey(painter, chart(), look()); });
  connect(&m_kernels, &ShownKernels::currentChanged, this, &RooflineView::changed);
  // The hovered row may be outside the new window.
  connect(this, &PlotView::zoomChanged, this, &RooflineView::clearHover);
}

void RooflineView::show(std::vector<DrawnRoofline> drawn) {
  clearHover();
  m_drawn = std::move(drawn);
  // The kernels are matched by name, because a kernel has one point for its prediction and one for
  // its measurement.
  std::map<std::string, int> numbers;
  for (int i = 0; i < m_kernels.count(); ++i)
    numbers.emplace(m_kernels.name(i).toStdString(), i);
  m_numbers.clear();
  if (!m_drawn.empty())
    for (const cost::Placed &kernel : m_drawn.front().roofline->kernels) {
      const auto at = numbers.find(kernel.work.name);
      m_numbers.push_back(at == numbers.end() ? -1 : at->second);
    }
  m_made.reset();
  m_whole.reset();
  setAccessibleDescription(m_drawn.empty() ? QString() : QString::fromStdString(chart().subtitle));
  changed();
}

int RooflineView::kernelOf(const MarkRow &row) const {
  if (row.isWhole || (row.series > 0 && !row.ours)) return -1;
  const std::size_t work = row.series > 0 ? *row.ours : row.work;
  return work < m_numbers.size() ? m_numbers[work] : -1;
}

QMargins RooflineView::room() const {
  return {kLeftRoom, kTopRoom, kRightRoom, kBottomRoom + (m_drawn.size() > 1 ? kKeyLine : 0)};
}

RooflineChart RooflineView::drawing(const ZoomHistory::View &window) const {
  const QRectF all = field();
  chart::ChartOptions options;
  options.numbers = chart::ChartOptions::Numbers::ByLaunch;
  options.frame = {all.left(), all.top(), all.width(), all.height()};
  options.window = window;
  for (std::size_t i = 1; i < m_drawn.size(); ++i)
    options.compared.push_back({m_drawn[i].roofline.get(), m_drawn[i].title});
  return m_drawn.empty() ? RooflineChart() : chartOf(*m_drawn.front().roofline, {}, options);
}

const RooflineChart &RooflineView::chart() const {
  if (!m_made || m_made->field != field() || m_made->window != zoom().now())
    m_made = Made{field(), zoom().now(), drawing(zoom().now())};
  return m_made->chart;
}

ChartWindow RooflineView::whole() const {
  if (!m_whole) {
    const RooflineChart all = drawing(std::nullopt);
    m_whole = {all.x.least(), all.x.most(), all.y.least(), all.y.most()};
  }
  return *m_whole;
}

// ---- Drawing

RooflineLook RooflineView::look() const {
  const bool isRow = m_hovered && *m_hovered < chart().rows.size();
  return {colors(),
          font(),
          m_kernels.current(),
          m_numbers,
          m_kernels.isChosen(),
          isRow ? m_hovered : std::nullopt};
}

void RooflineView::fill() {
  fillAxes();
  fillRoofs();
}

void RooflineView::fillAxes() {
  const RooflineChart &now = chart();
  const QFont words = rooflineFont(font());
  const auto fillAxis = [&](QCPAxis &axis, const chart::LogAxis &values,
                            const std::vector<chart::Tick> &ticks, const QString &title) {
    std::vector<PlotTick> marks;
    for (const chart::Tick &tick : ticks)
      marks.push_back({values.valueAt(tick.at), QString::fromStdString(tick.text)});
    setTicks(axis, std::move(marks));
    axis.setTickLength(0);
    axis.setSubTickLength(0);
    axis.setTickLabelFont(words);
    axis.setTickLabelPadding(4);
    axis.setLabel(title);
    axis.setLabelFont(words);
    axis.setLabelColor(colors().faintText);
    axis.setLabelPadding(2);
    axis.grid()->setVisible(true);
    axis.grid()->setSubGridVisible(true);
    axis.grid()->setPen(QPen(colors().line, 1));
    axis.grid()->setSubGridPen(QPen(mix(colors().canvas, colors().line, 0.55), 1));
  };
  const QString whole = QString::fromStdString(now.yTitle);
  const bool hasRoom = QFontMetricsF(words).horizontalAdvance(whole) <= now.frame.height;
  fillAxis(*plot().xAxis, now.x, now.xTicks, QString::fromStdString(now.xTitle));
  fillAxis(*plot().yAxis, now.y, now.yTicks,
           hasRoom ? whole : QString::fromStdString(now.yTitleBrief));
  for (QCPAxis *axis : plot().axisRect()->axes())
    axis->setBasePen(colors().edgeFar);
}

void RooflineView::fillRoofs() {
  const RooflineChart &now = chart();
  plot().clearItems();
  const auto addLine = [&](QPointF from, QPointF to, const QPen &pen) {
    auto *line = new QCPItemLine(&plot());
    line->setSelectable(false);
    line->setPen(pen);
    line->start->setPixelPosition(from);
    line->end->setPixelPosition(to);
  };
  for (const chart::RoofLine &roof : now.roofs) {
    const QColor color = roof.level ? colorOf(colors(), *roof.level) : colors().faintText;
    addLine({roof.from.x, roof.from.y}, {roof.to.x, roof.to.y},
            QPen(color, roof.isUsed ? 2 : 1.2, roof.isUsed ? Qt::SolidLine : Qt::DashLine,
                 Qt::RoundCap));
  }
  if (now.compulsory)
    addLine({now.compulsory->x, now.frame.top}, {now.compulsory->x, now.frame.bottom()},
            QPen(colors().hue(StageKind::Update, false), 1.2, Qt::DotLine));
}

// ---- Mouse and keys

void RooflineView::step(int by) {
  if (const int count = m_kernels.count())
    m_kernels.select((m_kernels.current() + by + count) % count);
}

void RooflineView::keyPressEvent(QKeyEvent *event) {
  const bool isShifted = event->modifiers() & Qt::ShiftModifier;
  if (!isShifted && event->key() == Qt::Key_Left) return step(-1);
  if (!isShifted && event->key() == Qt::Key_Right) return step(1);
  PlotView::keyPressEvent(event);
}

std::optional<std::size_t> RooflineView::rowOn(QPointF place) const {
  return rowAt(chart(), {place.x(), place.y()});
}

void RooflineView::clickAt(QPointF place) {
  const auto found = rowOn(place);
  if (const int kernel = found ? kernelOf(row(*found)) : -1; kernel >= 0) m_kernels.select(kernel);
}

void RooflineView::pointAt(std::optional<QPointF> place) {
  const auto found = place ? rowOn(*place) : std::nullopt;
  if (found == m_hovered) return;
  m_hovered = found;
  const int kernel = found ? kernelOf(row(*found)) : -1;
  m_kernels.hover(kernel >= 0 ? std::optional(kernel) : std::nullopt);
  setCursor(kernel >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  changed();
}

void RooflineView::clearHover() { pointAt(std::nullopt); }

QString RooflineView::toolTipOf(std::size_t index) const {
  const MarkRow &of = row(index);
  const DrawnRoofline &drawn = m_drawn[of.series];
  const cost::Placed &placed = placedOf(*drawn.roofline, of);
  QStringList lines{QString::fromStdString(of.text)};
  if (of.series > 0) lines.prepend(QString::fromStdString(drawn.title));
  if (placed.reached() > 0)
    lines << tr("Headroom below the roof of %1: the kernel could be at most %2 times as fast and "
                "would take %3 (bytes ÷ bandwidth, or operations ÷ rate)")
                 .arg(roofText(placed.binding),
                      QString::fromStdString(chart::timesText(1 / placed.reached())),
                      QString::fromStdString(chart::timeText(placed.boundSeconds)));
  if (const auto times = drawn.roofline->timesFloor(placed); of.isWhole && times)
    lines << tr("%1 times the floor of %2, which is the time to read the inputs, write the outputs "
                "and compute each value once")
                 .arg(QString::fromStdString(chart::timesText(*times)),
                      QString::fromStdString(chart::timeText(drawn.roofline->floor->seconds)));
  if (of.series > 0 && !of.isWhole && !of.ours)
    lines << tr("No kernel of the current schedule computes the same stages");
  for (const chart::Arrow &arrow : chart().arrows)
    if (of.series == 0 && arrow.work == of.work && arrow.isWhole == of.isWhole)
      lines << tr("%1: time of %2 ÷ time of the current schedule − 1")
                   .arg(QString::fromStdString(arrow.text),
                        QString::fromStdString(m_drawn[1].title));
  return lines.join('\n');
}

// Lists the roofs that have no room for a label beside their line. The key itself lists only as
// many of them as fit.
QString RooflineView::toolTipOfKey() const { return wordsApart(chart()).join('\n'); }

QString RooflineView::textAt(QPointF place) const {
  const auto found = rowOn(place);
  return found ? toolTipOf(*found) : place.y() > field().bottom() ? toolTipOfKey() : QString();
}

} // namespace tessera::views
