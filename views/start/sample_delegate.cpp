// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/sample_delegate.h"

#include "views/tables/sample_list_model.h"
#include "views/text/counted_text.h"
#include "views/theme/theme.h"

#include <QPainter>
#include <QTextLayout>

namespace tessera::views {

void SampleDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                           const QModelIndex &index) const {
  const Colors colors(option.palette);
  const bool hovered = option.state & QStyle::State_MouseOver;
  const bool focused =
      (option.state & QStyle::State_Selected) && (option.state & QStyle::State_HasFocus);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QRectF card = QRectF(option.rect).adjusted(6.5, 6.5, -6.5, -6.5);
  painter->setPen(QPen(focused || hovered ? colors.accent : colors.line, focused ? 2 : 1));
  painter->setBrush(hovered || focused ? mix(colors.canvas, colors.accent, 0.05) : colors.canvas);
  painter->drawRoundedRect(card, 8, 8);

  const QRectF inner = card.adjusted(14, 11, -14, -10);
  QFont titleFont = option.font;
  titleFont.setWeight(QFont::DemiBold);
  titleFont.setPointSizeF(titleFont.pointSizeF() * 1.1);
  painter->setFont(titleFont);
  painter->setPen(colors.text);
  painter->drawText(inner, Qt::AlignLeft | Qt::AlignTop, index.data().toString());
  painter->setFont(option.font);
  painter->setPen(colors.faintText);
  if (const int stages = index.data(SampleListModel::CountRole).toInt(); stages > 0)
    painter->drawText(inner, Qt::AlignRight | Qt::AlignTop, stagesText(stages));
  const double top = QFontMetricsF(titleFont).height() + 5;
  painter->drawText(inner.adjusted(0, top, 0, 4), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                    index.data(SampleListModel::DescriptionRole).toString());
  painter->restore();
}

QSize SampleDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const {
  return {kWidth, kHeight};
}

} // namespace tessera::views
