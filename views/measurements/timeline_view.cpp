// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/measurements/timeline_view.h"

#include "views/text/counted_text.h"
#include "views/text/measurement_text.h"
#include "views/text/stage_summary.h"
#include "views/theme/chart_tool_tip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {
constexpr double kLeft = 84, kRight = 14, kTop = 8, kBottom = 8;
constexpr double kSmall = 0.88; // of the font
} // namespace

TimelineView::TimelineView(Selection &selection, QWidget *parent)
    : QWidget(parent), m_selection(selection) {
  setAccessibleName(tr("Kernels of a run over time"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  connect(&m_selection, &Selection::changed, this, qOverload<>(&QWidget::update));
}

void TimelineView::show(std::shared_ptr<const measure::RunProfile> profile,
                        std::vector<std::vector<Subject>> subjects) {
  m_profile = std::move(profile);
  m_subjects = std::move(subjects);
  update();
}

Timeline TimelineView::timeline() const {
  if (!m_profile) return {};
  return timelineOf(*m_profile, QRectF(rect()).adjusted(kLeft, kTop, -kRight, -kBottom));
}

std::optional<std::size_t> TimelineView::current() const {
  const auto active = m_selection.active();
  if (!active) return std::nullopt;
  for (std::size_t k = 0; k < m_subjects.size(); ++k)
    if (std::ranges::find(m_subjects[k], *active) != m_subjects[k].end()) return k;
  return std::nullopt;
}

// By the stages of the kernel where there are some.
QString TimelineView::nameOf(std::size_t kernel) const {
  const measure::RunProfile::Kernel &of = m_profile->kernels[kernel];
  return QString::fromStdString(of.stages.empty() ? of.name : of.stages.front().func);
}

void TimelineView::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (!m_profile) return;
  painter.setRenderHint(QPainter::Antialiasing);
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * kSmall);
  painter.setFont(small);
  const Timeline shown = timeline();
  const Colors colors(palette());
  paintAxis(painter, shown, colors);
  const auto now = current();
  for (const TimelineBar &part : shown.parts) {
    paintPart(painter, part, colors);
    if (part.kind != TimelineBar::Kind::Kernel || now != part.kernel) continue;
    painter.setPen(QPen(colors.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(part.place.adjusted(-1, -2, 1, 2));
  }
  paintMemory(painter, shown, colors);
  if (!hasFocus()) return;
  painter.setPen(QPen(colors.accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
}

void TimelineView::paintLabel(QPainter &painter, const QRectF &beside, const QString &text) const {
  painter.setPen(Colors(palette()).faintText);
  painter.drawText(QRectF(4, beside.top(), kLeft - 12, beside.height()),
                   Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap, text);
}

void TimelineView::paintAxis(QPainter &painter, const Timeline &shown, const Colors &colors) const {
  paintLabel(painter, shown.bars, tr("Kernels"));
  const QFontMetricsF metrics(painter.font());
  for (const TimelineTick &tick : shown.ticks) {
    painter.setPen(QPen(colors.line, 1));
    painter.drawLine(QPointF(tick.x, shown.bars.bottom()),
                     QPointF(tick.x, shown.bars.bottom() + 4));
    painter.setPen(colors.faintText);
    const double width = metrics.horizontalAdvance(tick.text);
    const double x = std::clamp(tick.x - width / 2, kLeft, double(this->width()) - width - 2);
    painter.drawText(QPointF(x, shown.bars.bottom() + 4 + metrics.ascent()), tick.text);
  }
}

// What is no kernel is hatched, each in its way; a word is there where it has room.
void TimelineView::paintPart(QPainter &painter, const TimelineBar &part,
                             const Colors &colors) const {
  const bool isKernel = part.kind == TimelineBar::Kind::Kernel;
  const bool isGap = part.kind == TimelineBar::Kind::Gaps;
  const QRectF bar = part.place.width() > 4 ? part.place.adjusted(0.5, 0, -0.5, 0) : part.place;
  const QColor fill = isKernel ? colors.kernelFill(int(part.kernel) + 1) : colors.canvas;
  painter.setPen(Qt::NoPen);
  painter.fillRect(bar, fill);
  if (!isKernel)
    painter.fillRect(bar,
                     QBrush(colors.faintText, isGap ? Qt::BDiagPattern : Qt::DiagCrossPattern));
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
  if (!isKernel) { // readable on the hatching
    QRectF behind(0, 0, metrics.horizontalAdvance(text) + 6, metrics.height());
    behind.moveCenter(bar.center());
    painter.fillRect(behind, palette().base());
  }
  painter.setPen(isKernel ? colors.onTop(fill) : colors.text);
  painter.drawText(bar, Qt::AlignCenter, text);
}

void TimelineView::paintMemory(QPainter &painter, const Timeline &shown,
                               const Colors &colors) const {
  if (shown.alive.empty()) return;
  paintLabel(painter, shown.memory, tr("Memory\n≤ %1").arg(bytesText(m_profile->peakBytes)));
  QPainterPath area(QPointF(shown.alive.front().x(), shown.memory.bottom()));
  for (const QPointF &corner : shown.alive)
    area.lineTo(corner);
  area.lineTo(QPointF(shown.alive.back().x(), shown.memory.bottom()));
  area.closeSubpath();
  painter.setPen(QPen(colors.accent, 1.2));
  painter.setBrush(mix(colors.canvas, colors.accent, colors.dark ? 0.30 : 0.16));
  painter.drawPath(area);
}

// ---- Mouse and keys

void TimelineView::select(std::size_t kernel) {
  if (kernel >= m_subjects.size() || m_subjects[kernel].empty()) return;
  const Subject owner = m_subjects[kernel].front();
  m_selection.selectAll(m_subjects[kernel], owner);
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event) {
  const Timeline shown = timeline();
  const TimelineBar *part = shown.at(event->position());
  if (event->button() == Qt::LeftButton && part && part->kind == TimelineBar::Kind::Kernel)
    select(part->kernel);
}

void TimelineView::mouseMoveEvent(QMouseEvent *event) {
  const Timeline shown = timeline();
  const TimelineBar *part = shown.at(event->position());
  const bool isKernel = part && part->kind == TimelineBar::Kind::Kernel &&
                        part->kernel < m_subjects.size() && !m_subjects[part->kernel].empty();
  m_selection.hover(isKernel ? std::optional(m_subjects[part->kernel].front()) : std::nullopt);
  setCursor(isKernel ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void TimelineView::leaveEvent(QEvent *) { m_selection.hover(std::nullopt); }

void TimelineView::keyPressEvent(QKeyEvent *event) {
  const bool isLeft = event->key() == Qt::Key_Left;
  if ((!isLeft && event->key() != Qt::Key_Right) || m_subjects.empty())
    return QWidget::keyPressEvent(event);
  const std::size_t count = m_subjects.size();
  const auto now = current();
  select(!now ? 0 : (*now + (isLeft ? count - 1 : 1)) % count);
}

QString TimelineView::toolTipOf(const TimelineBar &part) const {
  switch (part.kind) {
  case TimelineBar::Kind::Gaps:
    return tr("%1 between the kernels of a run: its median − the sum of its kernels")
        .arg(timeText(part.seconds));
  case TimelineBar::Kind::Allocating:
    return tr("%1 more where a run allocates every buffer anew").arg(timeText(part.seconds));
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
  return text + '\n' + tr("%1 of intermediates are needed then").arg(bytesText(kernel.aliveBytes));
}

bool TimelineView::event(QEvent *event) {
  const auto textAt = [this](QPoint where) {
    const Timeline shown = timeline();
    const TimelineBar *part = shown.at(where);
    return part ? toolTipOf(*part) : QString();
  };
  return showToolTip(*this, *event, textAt) || QWidget::event(event);
}

} // namespace tessera::views
