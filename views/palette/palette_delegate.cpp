// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette/palette_delegate.h"

#include "views/tables/palette_model.h"
#include "views/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace tessera::views {

namespace {

constexpr qreal kSide = 10, kMark = 20, kGap = 10;

// Draws the title with the matched letters highlighted. Returns where the title ends.
qreal drawTitle(QPainter &painter, const QRectF &rect, const QString &title,
                const QList<int> &matched, const QColor &plain, const QColor &typed) {
  QFont bold = painter.font();
  bold.setWeight(QFont::Bold);
  const QFont normal = painter.font();
  qreal x = rect.left();
  for (qsizetype from = 0; from < title.size() && x < rect.right();) {
    const bool isTyped = matched.contains(int(from));
    qsizetype to = from + 1;
    while (to < title.size() && matched.contains(int(to)) == isTyped)
      ++to;
    painter.setFont(isTyped ? bold : normal);
    painter.setPen(isTyped ? typed : plain);
    const QFontMetricsF metrics(painter.font());
    const QString run =
        metrics.elidedText(title.mid(from, to - from), Qt::ElideRight, rect.right() - x);
    painter.drawText(QRectF(x, rect.top(), rect.right() - x, rect.height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, run);
    x += metrics.horizontalAdvance(run);
    from = to;
  }
  painter.setFont(normal);
  return x;
}

void drawMark(QPainter &painter, const QRectF &row, const QColor &color) {
  const QPointF middle(row.left() + kSide + kMark / 2 - 4, row.center().y());
  painter.setPen(QPen(color, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPolyline(
      QPolygonF{middle + QPointF(-4, 0), middle + QPointF(-1, 3.2), middle + QPointF(4.5, -3.8)});
}

// Draws a shortcut in a frame that looks like a key of a keyboard. Returns where the frame begins.
qreal drawKeys(QPainter &painter, const QRectF &rect, const QString &keys, const QColor &text,
               const QColor &frame) {
  const qreal width = QFontMetricsF(painter.font()).horizontalAdvance(keys) + 14;
  const QRectF box(rect.right() - width, rect.center().y() - 10, width, 20);
  painter.setPen(frame);
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  painter.setPen(text);
  painter.drawText(box, Qt::AlignCenter, keys);
  return box.left();
}

} // namespace

void PaletteDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const {
  const Colors colors(option.palette);
  const QRectF row = option.rect;
  const QString keys = index.data(PaletteModel::KeysRole).toString();
  const QString whyNot = index.data(PaletteModel::WhyNotRole).toString();
  const bool isPossible = whyNot.isEmpty();
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (option.state & QStyle::State_Selected) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(mix(colors.canvas, colors.accent, colors.dark ? 0.3 : 0.16));
    painter->drawRoundedRect(row.adjusted(4, 1, -4, -1), 6, 6);
  }
  if (index.data(PaletteModel::CheckedRole).toBool())
    drawMark(*painter, row, isPossible ? colors.accent : colors.faintText);
  painter->setFont(option.font);
  QRectF rest = row.adjusted(kSide + kMark, 0, -kSide - 4, 0);
  if (isPossible && !keys.isEmpty())
    rest.setRight(drawKeys(*painter, rest, keys, colors.faintText, colors.line) - kGap);
  const QColor plain = isPossible ? colors.text : mix(colors.canvas, colors.text, 0.5);
  const qreal end = drawTitle(*painter, rest, index.data().toString(),
                              index.data(PaletteModel::MatchedRole).value<QList<int>>(), plain,
                              isPossible ? colors.accent : plain);
  painter->setPen(mix(colors.canvas, colors.text, isPossible ? 0.5 : 0.4));
  rest.setLeft(end + kGap);
  const QFontMetricsF metrics(option.font);
  const QString where = index.data(PaletteModel::WhereRole).toString();
  painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                    metrics.elidedText(where, Qt::ElideRight, std::max(0.0, rest.width())));
  rest.setLeft(rest.left() + metrics.horizontalAdvance(where) + kGap);
  if (!isPossible && rest.width() > 40) {
    QFont slanted = option.font;
    slanted.setItalic(true);
    painter->setFont(slanted);
    painter->setPen(colors.warning);
    painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                      QFontMetricsF(slanted).elidedText(whyNot, Qt::ElideRight, rest.width()));
  }
  painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const {
  return {200, option.fontMetrics.height() + 14};
}

} // namespace tessera::views
