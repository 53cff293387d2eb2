// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/host_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace tessera::views {

// The page of hosts to measure on: this computer, or others through ssh. Testing a host shows which
// GPU it has.
class HostPage : public QWidget {
  Q_OBJECT
public:
  explicit HostPage(HostModel &hosts, QWidget *parent = nullptr);

private:
  void buildTable();
  void connectWishes();
  QString current() const; // the host of the selected row
  void add();
  void choose();
  void refresh();
  bool eventFilter(QObject *watched, QEvent *event) override;

  HostModel &m_hosts;
  QTableView *m_table = nullptr;
  QLineEdit *m_line = nullptr;
  QLabel *m_note = nullptr, *m_state = nullptr;
  QPushButton *m_add = nullptr, *m_choose = nullptr, *m_test = nullptr, *m_remove = nullptr;
};

} // namespace tessera::views
