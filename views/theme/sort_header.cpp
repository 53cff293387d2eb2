// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/sort_header.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QtMath>

namespace tessera::views {

namespace {
// kPadding equals the padding of the cells, so that a title is aligned with their text.
constexpr int kPadding = 3, kGap = 5;
constexpr int kSpare = 6; // extra width of a section beyond its title
constexpr QSize kArrow{8, 4};

Qt::Alignment alignmentOf(const QHeaderView &header, int section) {
  const QVariant wish =
      header.model()->headerData(section, header.orientation(), Qt::TextAlignmentRole);
  return wish.isValid() ? Qt::Alignment(wish.toInt()) : header.defaultAlignment();
}

QString titleOf(const QHeaderView &header, int section) {
  return header.model()->headerData(section, header.orientation()).toString();
}

// Rounded up, because a title that is too narrow by less than a pixel would be elided.
int widthOf(const QHeaderView &header, int section) {
  return qCeil(QFontMetricsF(header.font()).horizontalAdvance(titleOf(header, section))) + 1;
}
} // namespace

SortHeader::SortHeader(QWidget *parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setHighlightSections(false);
  setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

bool SortHeader::isSorted(int section) const {
  return isSortIndicatorShown() && sortIndicatorSection() == section;
}

SortHeader::Parts SortHeader::partsIn(const QRect &rect, int section) const {
  const QRect room = rect.adjusted(kPadding, 0, -kPadding, 0);
  if (!isSorted(section)) return {room, {}};
  const int beside = kArrow.width() + kGap;
  const int text = qMin(widthOf(*this, section),
                        room.width() - beside + kPadding - 1); // no padding beyond the arrow
  const bool isRight = alignmentOf(*this, section) & Qt::AlignRight;
  const QRect title(isRight ? room.right() + 1 - text : room.left(), room.top(), text,
                    room.height());
  const int x = isRight ? title.left() - beside : title.right() + 1 + kGap;
  return {title, {QPoint(x, room.center().y() - kArrow.height() / 2), kArrow}};
}

SortHeader::Parts SortHeader::partsOf(int section) const {
  return partsIn({sectionViewportPosition(section), 0, sectionSize(section), height()}, section);
}

QSize SortHeader::sectionSizeFromContents(int section) const {
  // The table is being destroyed.
  if (!model()) return QHeaderView::sectionSizeFromContents(section);
  // The width always includes the arrow, so that sorting does not move columns.
  const int title = widthOf(*this, section);
  return {title + kArrow.width() + kGap + 2 * (kPadding + kSpare / 2),
          fontMetrics().height() + 2 * kPadding};
}

// The style would shade the room beside the last section.
void SortHeader::paintEvent(QPaintEvent *event) {
  QHeaderView::paintEvent(event);
  QRect rest = viewport()->rect();
  rest.setLeft(length() - offset());
  if (!rest.isValid()) return;
  QPainter painter(viewport());
  painter.fillRect(rest, palette().base());
  painter.setPen(palette().color(QPalette::Midlight));
  painter.drawLine(rest.bottomLeft(), rest.bottomRight());
}

void SortHeader::paintSection(QPainter *painter, const QRect &rect, int section) const {
  if (!model() || !rect.isValid()) return;
  const QPalette &colors = palette();
  painter->save();
  painter->fillRect(rect, colors.base());
  painter->setPen(colors.color(QPalette::Midlight));
  painter->drawLine(rect.bottomLeft(), rect.bottomRight());
  const Parts parts = partsIn(rect, section);
  const QColor ink = colors.color(QPalette::Shadow);
  painter->setPen(ink);
  const QString title =
      fontMetrics().elidedText(titleOf(*this, section), Qt::ElideRight, parts.title.width());
  painter->drawText(
      parts.title, int(alignmentOf(*this, section) | Qt::AlignVCenter) | Qt::TextSingleLine, title);
  if (parts.arrow.isValid()) {
    const bool isDown = sortIndicatorOrder() == Qt::AscendingOrder;
    const QRectF box(parts.arrow);
    const qreal base = isDown ? box.top() : box.bottom(), tip = isDown ? box.bottom() : box.top();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(ink);
    const QPointF corners[] = {{box.left(), base}, {box.right(), base}, {box.center().x(), tip}};
    painter->drawPolygon(corners, 3);
  }
  painter->restore();
}

} // namespace tessera::views
