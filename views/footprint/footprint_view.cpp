// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/footprint/footprint_view.h"

#include "views/footprint/edge_handle.h"
#include "views/footprint/footprint_painter.h"
#include "views/tables/occupancy_table_model.h"
#include "views/theme/chart_tool_tip.h"
#include "views/theme/theme.h"

#include <QLabel>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>
#include <utility>

namespace tessera::views {

namespace {
constexpr double kHandleGap = 4; // between the edge and its handle
constexpr int kRefusalWidth = 260;
} // namespace

FootprintView::FootprintView(QWidget *parent) : QWidget(parent) {
  setAccessibleName(tr("Boxes that a tile of the kernel needs"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  m_handles = {new EdgeHandle(Qt::Horizontal, this), new EdgeHandle(Qt::Vertical, this)};
  m_handles[0]->setObjectName(QStringLiteral("footprintAcross"));
  m_handles[1]->setObjectName(QStringLiteral("footprintDown"));
  m_refusal = new QLabel(this);
  m_refusal->setObjectName(QStringLiteral("footprintRefusal"));
  m_refusal->setAccessibleName(tr("Why this size is not legal"));
  m_refusal->setAutoFillBackground(true);
  m_refusal->setBackgroundRole(QPalette::ToolTipBase);
  m_refusal->setForegroundRole(QPalette::ToolTipText);
  m_refusal->setFrameShape(QFrame::StyledPanel);
  m_refusal->setMargin(4);
  m_refusal->setWordWrap(true);
  m_refusal->setAttribute(Qt::WA_TransparentForMouseEvents);
  m_refusal->hide();
}

double FootprintView::line() const { return std::ceil(fontMetrics().height() * 1.1); }

void FootprintView::show(KernelFootprintPtr kernel, const FootprintAxes &axes, int colour) {
  m_kernel = std::move(kernel);
  m_axes = axes;
  m_colour = colour;
  setAccessibleDescription(
      m_kernel ? tr("The tile is %1. The table lists the boxes of all funcs and inputs.")
                     .arg(extentText(m_kernel->entries.front().at(axes.level)))
               : QString());
  relayout();
}

void FootprintView::setCurrent(int entry) {
  m_current = entry;
  update();
}

void FootprintView::keepScale(bool kept) {
  m_kept.reset();
  if (kept && !m_layout.cards.empty())
    m_kept = {m_layout.cards.front().pixelsAcross, m_layout.cards.front().pixelsDown};
  else
    relayout();
}

void FootprintView::showStops(Qt::Orientation along, std::vector<Stop> stops) {
  m_stopsAlong = along;
  m_stops = std::move(stops);
  update();
}

// Short lines beside the box: an unbroken one for a legal size, a broken one for an illegal size.
void FootprintView::paintStops(QPainter &painter) const {
  constexpr double kFrom = 7, kTo = 2, kBreak = 4; // distances from the box, in pixels
  const Colors colors(palette());
  const FootprintCard &card = m_layout.cards.front();
  for (const Stop &stop : m_stops) {
    painter.setPen(QPen(stop.isLegal ? colors.text : colors.error, 1.4));
    const auto line = [&](double from, double to) {
      if (m_stopsAlong == Qt::Horizontal) {
        const double x = card.box.left() + double(stop.size) * card.pixelsAcross;
        if (x <= card.frame.right())
          painter.drawLine(QPointF(x, card.box.top() - from), QPointF(x, card.box.top() - to));
      } else {
        const double y = card.box.top() + double(stop.size) * card.pixelsDown;
        if (y <= card.frame.bottom())
          painter.drawLine(QPointF(card.box.left() - from, y), QPointF(card.box.left() - to, y));
      }
    };
    line(kFrom, stop.isLegal ? kTo : kBreak + 1);
    if (!stop.isLegal) line(kBreak - 1, kTo);
  }
}

void FootprintView::refuse(Qt::Orientation at, const QString &why) {
  for (EdgeHandle *handle : m_handles)
    handle->setRefused(!why.isEmpty() && handle->along() == at);
  m_refusal->setText(why);
  m_refusal->setVisible(!why.isEmpty());
  if (why.isEmpty()) return;
  m_refusal->setFixedWidth(std::min(kRefusalWidth, std::max(80, width() - 16)));
  m_refusal->adjustSize();
  const QRect knob = handle(at).geometry();
  const QPoint beside = at == Qt::Horizontal ? QPoint(knob.right() + 6, knob.top())
                                             : QPoint(knob.right() + 6, knob.bottom() + 4);
  m_refusal->move(std::clamp(beside.x(), 0, std::max(0, width() - m_refusal->width())),
                  std::clamp(beside.y(), 0, std::max(0, height() - m_refusal->height())));
  m_refusal->raise();
}

void FootprintView::relayout() {
  m_layout =
      m_kernel ? layoutFootprint(*m_kernel, m_axes, width(), line(), m_kept) : FootprintLayout();
  const int height = int(std::ceil(m_layout.size.height()));
  if (height != minimumHeight()) {
    setMinimumHeight(height);
    updateGeometry();
  }
  placeHandles();
  update();
}

int FootprintView::heightForWidth(int width) const {
  if (!m_kernel) return 0;
  return int(std::ceil(layoutFootprint(*m_kernel, m_axes, width, line(), m_kept).size.height()));
}

void FootprintView::placeHandles() {
  const bool isDrawn = !m_layout.cards.empty();
  for (EdgeHandle *handle : m_handles) {
    const bool isAcross = handle->along() == Qt::Horizontal;
    const bool isThere = isDrawn && (isAcross || m_axes.down.has_value());
    handle->setVisible(isThere);
    if (!isThere) continue;
    const QRectF &box = m_layout.cards.front().box;
    const double gap = EdgeHandle::kThickness / 2. + kHandleGap;
    handle->putAt(isAcross ? QPointF(box.right() + gap, box.center().y())
                           : QPointF(box.center().x(), box.bottom() + gap));
  }
}

double FootprintView::sizeAt(Qt::Orientation along, QPointF place) const {
  if (m_layout.cards.empty()) return 0;
  const FootprintCard &card = m_layout.cards.front();
  const double gap = EdgeHandle::kThickness / 2. + kHandleGap;
  return along == Qt::Horizontal ? (place.x() - gap - card.box.left()) / card.pixelsAcross
                                 : (place.y() - gap - card.box.top()) / card.pixelsDown;
}

std::optional<int> FootprintView::entryAt(QPointF place) const {
  for (const FootprintCard &card : m_layout.cards)
    if (card.frame.contains(place)) return int(card.entry);
  return std::nullopt;
}

QString FootprintView::toolTipAt(QPointF place) const {
  const std::optional<int> at = entryAt(place);
  if (!at || !m_kernel) return {};
  const footprint::Entry &entry = m_kernel->entries[static_cast<std::size_t>(*at)];
  const footprint::LevelBox &box = entry.at(m_axes.level);
  QStringList lines{tr("%1: %2").arg(QString::fromStdString(entry.name), extentText(box))};
  if (const QString halo = haloText(entry, box); !halo.isEmpty()) lines << tr("Halo: %1").arg(halo);
  lines << (box.shared() < footprint::kManyShared
                ? tr("%1 shared with neighbouring tiles").arg(sharedText(box))
                : tr("Each point is needed by %1").arg(sharedText(box)));
  if (entry.redundancy) lines << tr("%1 computed redundantly").arg(percentText(*entry.redundancy));
  for (std::size_t d = 0; d < entry.dims.size(); ++d)
    if (!entry.chosenBy[d].empty())
      lines << tr("%1: the whole range, because the index has no closer bounds: %2")
                   .arg(QString::fromStdString(entry.dims[d]),
                        QString::fromStdString(entry.chosenBy[d]));
  return lines.join(QLatin1Char('\n'));
}

bool FootprintView::event(QEvent *event) {
  if (showToolTip(*this, *event, [this](QPoint at) { return toolTipAt(at); })) return true;
  if (event->type() == QEvent::FontChange) relayout();
  return QWidget::event(event);
}

void FootprintView::paintEvent(QPaintEvent *) {
  if (!m_kernel) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintFootprint(painter, *m_kernel, m_layout, m_axes, {palette(), m_colour, m_current});
  if (!m_layout.cards.empty()) paintStops(painter);
}

void FootprintView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  relayout();
}

void FootprintView::mousePressEvent(QMouseEvent *event) {
  if (const auto entry = entryAt(event->position()); entry && event->button() == Qt::LeftButton)
    emit clicked(*entry);
}

void FootprintView::mouseDoubleClickEvent(QMouseEvent *event) {
  if (const auto entry = entryAt(event->position()); entry && event->button() == Qt::LeftButton)
    emit doubleClicked(*entry);
}

} // namespace tessera::views
