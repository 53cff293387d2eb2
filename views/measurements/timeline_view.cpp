// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/measurements/timeline_view.h"

#include "views/plot/plot_parts.h"
#include "views/text/counted_text.h"
#include "views/text/measurement_text.h"
#include "views/text/stage_summary.h"

#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {
constexpr double kLeft = 84, kRight = 14, kTop = 8, kBottom = 8;
constexpr double kTickSpacing = 90;
constexpr double kOutline = 3; // width of the outline of the marked bar
} // namespace

TimelineView::TimelineView(Selection &selection, QWidget *parent)
    : PlotView(PlotAxes(), parent), m_selection(selection) {
  setAccessibleName(tr("Kernels of a run over time"));
  const auto paint = [this](void (TimelineView::*part)(QPainter &) const,
                            const std::function<QRectF()> &clip) {
    addPart(
        QStringLiteral("main"), [this, part](QPainter &painter) { (this->*part)(painter); }, clip);
  };
  paint(&TimelineView::paintParts, [this] { return seen(m_drawn.bars, kOutline); });
  paint(&TimelineView::paintMemory, [this] { return seen(m_drawn.memory, 1); });
  paint(&TimelineView::paintLabels, {});
  connect(&m_selection, &Selection::changed, this, &TimelineView::changed);
}

void TimelineView::show(std::shared_ptr<const measure::RunProfile> profile,
                        std::vector<std::vector<Subject>> subjects) {
  m_profile = std::move(profile);
  m_subjects = std::move(subjects);
  m_drawn = {};
  const int count = m_profile ? int(m_profile->kernels.size()) : 0;
  setAccessibleDescription(!m_profile   ? QString()
                           : count == 1 ? tr("1 kernel")
                                        : tr("%n kernels", nullptr, count));
  forgetZoom();
}

void TimelineView::setColours(std::vector<int> colours) {
  m_colours = std::move(colours);
  changed();
}

QRectF TimelineView::area() const {
  return QRectF(rect()).adjusted(kLeft, kTop, -kRight, -kBottom);
}

// The x axis counts seconds, or kernels if these were not timed.
ChartWindow TimelineView::whole() const {
  const double seconds = wholeSeconds(*m_profile);
  const double kernels = double(std::max<std::size_t>(m_profile->kernels.size(), 1));
  return {0, seconds > 0 ? seconds : kernels, 0, 1};
}

// The field contains the bars; the memory has its own area below it.
QMargins TimelineView::room() const {
  const QRectF all = area();
  const double bars = m_profile ? timelineFields(*m_profile, all).bars.height() : all.height();
  return {int(kLeft), int(kTop), int(kRight), int(height() - kTop - bars)};
}

Timeline TimelineView::timeline() const {
  if (!m_profile) return {};
  QRectF all = scale().stretched(whole());
  all.setHeight(area().height());
  return timelineOf(*m_profile, all);
}

QRectF TimelineView::seen(const QRectF &place, double beyond) const {
  const QRectF now = field();
  const QRectF inView(now.left(), place.top(), now.width(), place.height());
  return (place & inView).adjusted(-beyond, -beyond, beyond, beyond);
}

std::optional<TimelineBar> TimelineView::partAt(QPointF place) const {
  const Timeline shown = timeline();
  const bool isInView = place.x() >= field().left() && place.x() <= field().right();
  const TimelineBar *part = isInView ? shown.at(place) : nullptr;
  return part ? std::optional(*part) : std::nullopt;
}

std::optional<std::size_t> TimelineView::current() const {
  const auto active = m_selection.active();
  if (!active) return std::nullopt;
  for (std::size_t k = 0; k < m_subjects.size(); ++k)
    if (std::ranges::find(m_subjects[k], *active) != m_subjects[k].end()) return k;
  return std::nullopt;
}

// Named after the kernel's first stage, if it has one.
QString TimelineView::nameOf(std::size_t kernel) const {
  const measure::RunProfile::Kernel &of = m_profile->kernels[kernel];
  return QString::fromStdString(of.stages.empty() ? of.name : of.stages.front().func);
}

// ---- Drawing

void TimelineView::fill() {
  m_drawn = timeline();
  const ChartWindow now = scale().window();
  const bool isTimed = wholeSeconds(*m_profile) > 0;
  std::vector<PlotTick> ticks;
  for (const double seconds :
       linearSteps(now.leastX, now.mostX, isTimed ? field().width() / kTickSpacing : 0)) {
    const QString text = seconds == 0 ? QStringLiteral("0") : timeText(seconds);
    const double half = QFontMetricsF(smallFont()).horizontalAdvance(text) / 2;
    const bool hasRoom = scale().xOf(seconds) + half <= width(); // otherwise the tick has no text
    ticks.push_back({seconds, hasRoom ? text : QString()});
  }
  setTicks(*plot().xAxis, std::move(ticks));
  plot().xAxis->setBasePen(Qt::NoPen);
  plot().yAxis->setVisible(false);
}

void TimelineView::paintLabels(QPainter &painter) const {
  paintLabel(painter, m_drawn.bars, tr("Kernels"));
  if (!m_drawn.alive.empty())
    paintLabel(painter, m_drawn.memory, tr("Memory\n≤ %1").arg(bytesText(m_profile->peakBytes)));
}

void TimelineView::paintLabel(QPainter &painter, const QRectF &beside, const QString &text) const {
  painter.setFont(smallFont());
  painter.setPen(colors().faintText);
  painter.drawText(QRectF(4, beside.top(), kLeft - 12, beside.height()),
                   Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap, text);
}

void TimelineView::paintParts(QPainter &painter) const {
  painter.setFont(smallFont());
  const auto now = current();
  for (const TimelineBar &part : m_drawn.parts) {
    if (seen(part.place).isEmpty()) continue;
    paintPart(painter, part);
    if (part.kind != TimelineBar::Kind::Kernel || now != part.kernel) continue;
    painter.setPen(QPen(colors().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(seen(part.place).adjusted(-1, -2, 1, 2));
  }
}

// Gaps and allocations are hatched in different ways. A text is drawn if there is room.
void TimelineView::paintPart(QPainter &painter, const TimelineBar &part) const {
  const bool isKernel = part.kind == TimelineBar::Kind::Kernel;
  const bool isGap = part.kind == TimelineBar::Kind::Gaps;
  const QRectF place = seen(part.place);
  const QRectF bar = place.width() > 4 ? place.adjusted(0.5, 0, -0.5, 0) : place;
  const int colour = part.kernel < m_colours.size() ? m_colours[part.kernel] : int(part.kernel) + 1;
  const QColor fill = isKernel ? colors().kernelFill(colour) : colors().canvas;
  painter.setPen(Qt::NoPen);
  painter.fillRect(bar, fill);
  if (!isKernel)
    painter.fillRect(bar,
                     QBrush(colors().faintText, isGap ? Qt::BDiagPattern : Qt::DiagCrossPattern));
  const QFontMetricsF metrics(painter.font());
  const QString brief = isKernel ? countText(qint64(part.kernel) + 1)
                        : isGap  ? tr("gaps")
                                 : tr("allocating");
  const QString full = isKernel ? brief + ' ' + nameOf(part.kernel) : brief;
  const auto fits = [&](const QString &text) {
    return metrics.horizontalAdvance(text) + 6 < bar.width();
  };
  const QString text = fits(full) ? full : fits(brief) ? brief : QString();
  if (text.isEmpty()) return;
  if (!isKernel) { // the text would be unreadable on the hatching
    QRectF behind(0, 0, metrics.horizontalAdvance(text) + 6, metrics.height());
    behind.moveCenter(bar.center());
    painter.fillRect(behind, colors().canvas);
  }
  painter.setPen(isKernel ? colors().onTop(fill) : colors().text);
  painter.drawText(bar, Qt::AlignCenter, text);
}

void TimelineView::paintMemory(QPainter &painter) const {
  if (m_drawn.alive.empty()) return;
  QPainterPath area(QPointF(m_drawn.alive.front().x(), m_drawn.memory.bottom()));
  for (const QPointF &corner : m_drawn.alive)
    area.lineTo(corner);
  area.lineTo(QPointF(m_drawn.alive.back().x(), m_drawn.memory.bottom()));
  area.closeSubpath();
  painter.setPen(QPen(colors().accent, 1.2));
  painter.setBrush(mix(colors().canvas, colors().accent, colors().dark ? 0.30 : 0.16));
  painter.drawPath(area);
}

// ---- Mouse and keys

void TimelineView::select(std::size_t kernel) {
  if (kernel >= m_subjects.size() || m_subjects[kernel].empty()) return;
  const Subject owner = m_subjects[kernel].front();
  m_selection.selectAll(m_subjects[kernel], owner);
}

void TimelineView::clickAt(QPointF place) {
  const auto part = partAt(place);
  if (part && part->kind == TimelineBar::Kind::Kernel) select(part->kernel);
}

void TimelineView::pointAt(std::optional<QPointF> place) {
  const auto part = place ? partAt(*place) : std::nullopt;
  const bool isKernel = part && part->kind == TimelineBar::Kind::Kernel &&
                        part->kernel < m_subjects.size() && !m_subjects[part->kernel].empty();
  m_selection.hover(isKernel ? std::optional(m_subjects[part->kernel].front()) : std::nullopt);
  setCursor(isKernel ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void TimelineView::keyPressEvent(QKeyEvent *event) {
  const bool isLeft = event->key() == Qt::Key_Left;
  const bool isStep =
      (isLeft || event->key() == Qt::Key_Right) && !(event->modifiers() & Qt::ShiftModifier);
  if (!isStep || m_subjects.empty()) return PlotView::keyPressEvent(event);
  const std::size_t count = m_subjects.size();
  const auto now = current();
  select(!now ? 0 : (*now + (isLeft ? count - 1 : 1)) % count);
}

QString TimelineView::toolTipOf(const TimelineBar &part) const {
  switch (part.kind) {
  case TimelineBar::Kind::Gaps:
    return tr("%1 outside the kernels: median time of a run minus the sum of its kernels")
        .arg(timeText(part.seconds));
  case TimelineBar::Kind::Allocating:
    return tr("A run that allocates every buffer itself takes %1 longer")
        .arg(timeText(part.seconds));
  case TimelineBar::Kind::Kernel:
    break;
  }
  const measure::RunProfile::Kernel &kernel = m_profile->kernels[part.kernel];
  QString text = tr("Kernel %1, %2: %3")
                     .arg(countText(qint64(part.kernel) + 1), QString::fromStdString(kernel.name),
                          kernel.seconds > 0 ? timeText(kernel.seconds) : tr("not timed"));
  if (kernel.launches != 1)
    text += tr(" in %1 launches", nullptr, numerus(std::llround(kernel.launches)))
                .arg(QLocale().toString(kernel.launches, 'g', 6));
  if (m_profile->seconds > 0 && kernel.seconds > 0)
    text += tr(", %1 % of a run")
                .arg(QLocale().toString(100 * kernel.seconds / m_profile->seconds, 'f', 1));
  return text + '\n' +
         tr("Intermediate buffers take %1 while this kernel runs")
             .arg(bytesText(kernel.aliveBytes));
}

QString TimelineView::textAt(QPointF place) const {
  const auto part = partAt(place);
  return part ? toolTipOf(*part) : QString();
}

} // namespace tessera::views
