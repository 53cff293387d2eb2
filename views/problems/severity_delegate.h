// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tessera::views {

// Draws a severity as an icon before the text of one column; shape and colour of the icon both show
// the severity. Without a severity there is no icon. The models give the severity as text to screen
// readers.
class SeverityDelegate : public QStyledItemDelegate {
public:
  // `role` holds an int of Problem::Severity; it is invalid if there is no severity.
  SeverityDelegate(int column, int role, QObject *parent);

  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
  int m_column, m_role;
};

} // namespace tessera::views
