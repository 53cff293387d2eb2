// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/candidates/candidate_delegate.h"

#include "views/tables/candidate_model.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace tessera::views {

void CandidateDelegate::initStyleOption(QStyleOptionViewItem *option,
                                        const QModelIndex &index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const Colors colors(option->palette);
  const bool isCurrent = index.data(CandidateModel::CurrentRole).toBool();
  if (isCurrent && index.column() == CandidateModel::Name) option->font.setBold(true);
  if (index.column() == CandidateModel::Origin)
    option->palette.setColor(QPalette::Text, colors.faintText);
  if (index.data(CandidateModel::QuarantinedRole).toBool())
    option->palette.setColor(QPalette::Text, colors.warning);
  if (index.column() == CandidateModel::Measured &&
      index.data(CandidateModel::StaleRole).toBool()) {
    option->font.setItalic(true);
    option->palette.setColor(QPalette::Text, colors.faintText);
  }
  if (index.column() == CandidateModel::Checked) {
    const bool isStale = index.data(CandidateModel::CheckStaleRole).toBool();
    option->font.setItalic(isStale);
    option->palette.setColor(QPalette::Text, index.data(CandidateModel::WrongRole).toBool()
                                                 ? colors.error
                                                 : colors.faintText);
  }
  if (index.column() == CandidateModel::Predicted &&
      index.data(CandidateModel::ElsewhereRole).toBool()) {
    option->font.setItalic(true);
    option->palette.setColor(QPalette::Text, colors.faintText);
  }
  if (index.column() != CandidateModel::Relative) return;
  const QString text = index.data().toString();
  option->palette.setColor(QPalette::Text, text.startsWith(QChar(0x2212)) ? colors.success
                                           : text.startsWith('+')         ? colors.error
                                                                          : colors.faintText);
}

void CandidateDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                              const QModelIndex &index) const {
  if (index.column() != CandidateModel::Pin || index.data().toString().isEmpty())
    return QStyledItemDelegate::paint(painter, option, index);
  QStyleOptionViewItem view = option;
  initStyleOption(&view, index);
  const QStyle *style = view.widget ? view.widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &view, painter, view.widget);
  const Colors colors(view.palette);
  const bool isA = index.data(CandidateModel::PinRole).toInt() == int(document::Pin::A);
  const QColor color = isA ? colors.producer : colors.consumer;
  QRect badge(0, 0, 20, 16);
  badge.moveCenter(view.rect.center());
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(color);
  painter->drawRoundedRect(badge, 4, 4);
  QFont bold = view.font;
  bold.setBold(true);
  painter->setFont(bold);
  painter->setPen(colors.onTop(color));
  painter->drawText(badge, Qt::AlignCenter, index.data().toString());
  painter->restore();
}

} // namespace tessera::views
