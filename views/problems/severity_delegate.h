// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tessera::views {

// A severity as an icon, whose shape says it as well as its colour, before the text of one column;
// where there is none, there is no icon. The models say it in words to who cannot see either.
class SeverityDelegate : public QStyledItemDelegate {
public:
  // `role`: of an int of Problem::Severity, invalid where there is none.
  SeverityDelegate(int column, int role, QObject *parent);

  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
  int m_column, m_role;
};

} // namespace tessera::views
