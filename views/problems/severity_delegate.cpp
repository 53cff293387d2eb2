// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/problems/severity_delegate.h"

#include "views/tables/problem_model.h"
#include "views/theme/icons.h"
#include "views/theme/theme.h"

#include <utility>

namespace tessera::views {

SeverityDelegate::SeverityDelegate(int column, int role, QObject *parent)
    : QStyledItemDelegate(parent), m_column(column), m_role(role) {}

// Rows are as high as in other tables, with or without an icon.
QSize SeverityDelegate::sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const {
  const QSize size = QStyledItemDelegate::sizeHint(option, index);
  return size.expandedTo({0, option.fontMetrics.height() + 8});
}

void SeverityDelegate::initStyleOption(QStyleOptionViewItem *option,
                                       const QModelIndex &index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const QVariant severity = index.data(m_role);
  if (index.column() != m_column || !severity.isValid()) return;
  const Colors colors(option->palette);
  const auto [name, color] = [&]() -> std::pair<const char *, QColor> {
    switch (Problem::Severity(severity.toInt())) {
    case Problem::Severity::Error:
      return {"error", colors.error};
    case Problem::Severity::Warning:
      return {"warning", colors.warning};
    case Problem::Severity::Remark:
      break;
    }
    return {"remark", colors.producer};
  }();
  option->features |= QStyleOptionViewItem::HasDecoration;
  option->decorationSize = {16, 16};
  option->icon = iconPixmap(QString::fromLatin1(name), color, 16, 2);
}

} // namespace tessera::views
