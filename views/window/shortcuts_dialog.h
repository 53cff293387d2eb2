// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace tessera::views {

// Lists all keyboard shortcuts: those of the menus, read from their actions, and those of the DAG.
class ShortcutsDialog : public QDialog {
  Q_OBJECT
public:
  ShortcutsDialog(const QWidget &window, QWidget *parent = nullptr);
};

} // namespace tessera::views
