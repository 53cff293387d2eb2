// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stages/stage_delegate.h"

#include "views/tables/stage_table_model.h"
#include "views/theme/kind_mark.h"

#include <QApplication>
#include <QPainter>

namespace tessera::views {

void StageDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const {
  QStyleOptionViewItem view = option;
  initStyleOption(&view, index);
  if (index.column() != StageTableModel::Name)
    return QStyledItemDelegate::paint(painter, option, index);
  const QStyle *style = view.widget ? view.widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &view, painter, view.widget);
  const QRect mark(view.rect.left() + 6, view.rect.center().y() - 5, 18, 12);
  paintKindMark(*painter, mark, StageKind(index.data(StageTableModel::KindRole).toInt()),
                index.data(StageTableModel::OutputRole).toBool(), view.palette);
  view.rect.setLeft(mark.right() + 4);
  view.backgroundBrush = {};
  const bool selected = view.state & QStyle::State_Selected;
  painter->setPen(
      view.palette.color(view.state & QStyle::State_Active ? QPalette::Active : QPalette::Inactive,
                         selected ? QPalette::HighlightedText : QPalette::Text));
  painter->setFont(view.font);
  const QRect text = view.rect.adjusted(4, 0, -4, 0);
  painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                    view.fontMetrics.elidedText(view.text, Qt::ElideMiddle, text.width()));
}

QSize StageDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  if (index.column() == StageTableModel::Name) size.rwidth() += 30;
  return size;
}

} // namespace tessera::views
