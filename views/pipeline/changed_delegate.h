// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tessera::views {

// Draws values in bold that were changed by hand. A role of the model says which ones.
class ChangedDelegate : public QStyledItemDelegate {
public:
  ChangedDelegate(int column, int role, QObject *parent)
      : QStyledItemDelegate(parent), m_column(column), m_role(role) {}

  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() == m_column && index.data(m_role).toBool()) option->font.setBold(true);
  }

private:
  int m_column = 0, m_role = 0;
};

} // namespace tessera::views
