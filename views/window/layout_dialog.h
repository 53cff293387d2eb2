// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/settings/named_layouts.h"

#include <QDialog>

class QLabel;
class QListView;
class QPushButton;

namespace tessera::views {

// The named layouts in a list: Return switches to one, F2 renames it, Delete deletes it.
class LayoutDialog : public QDialog {
  Q_OBJECT
public:
  LayoutDialog(NamedLayouts &layouts, QWidget *parent = nullptr);

signals:
  void layoutWanted(int row);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void refresh();
  void rename();
  void remove();
  void switchTo();

  NamedLayouts &m_layouts;
  QListView *m_list = nullptr;
  QLabel *m_note = nullptr;
  QPushButton *m_switch = nullptr, *m_rename = nullptr, *m_remove = nullptr;
};

} // namespace tessera::views
