// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class QTableView;

namespace tessera::views {

// Says in the middle of a table that has no rows why it has none, in place of its titles.
class EmptyNote : public QLabel {
  Q_OBJECT
public:
  explicit EmptyNote(QTableView &table, const QString &text = {});

private:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void refresh();

  QTableView &m_table;
};

} // namespace tessera::views
