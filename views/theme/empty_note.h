// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class QTableView;

namespace tessera::views {

// A note in the middle of a table without rows that says why it is empty. It hides the column
// titles.
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
