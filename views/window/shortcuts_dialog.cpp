// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/shortcuts_dialog.h"

#include "views/theme/close_box.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMainWindow>
#include <QMenuBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace tessera::views {

namespace {

using Rows = std::vector<std::pair<QString, QString>>;

void collect(const QMenu &menu, Rows &rows) {
  for (const QAction *action : menu.actions()) {
    if (action->menu()) collect(*action->menu(), rows);
    if (action->shortcut().isEmpty()) continue;
    rows.emplace_back(action->text().remove('&').remove(QChar(0x2026)),
                      action->shortcut().toString(QKeySequence::NativeText));
  }
}

} // namespace

ShortcutsDialog::ShortcutsDialog(const QWidget &window, QWidget *parent) : QDialog(parent) {
  setWindowTitle(tr("Keyboard Shortcuts"));
  setAccessibleName(windowTitle());
  Rows rows;
  if (const auto *main = qobject_cast<const QMainWindow *>(&window))
    for (const QAction *action : main->menuBar()->actions())
      if (action->menu()) collect(*action->menu(), rows);
  for (auto &&row :
       Rows{{tr("Cancel the running job"), tr("Esc")},
            {tr("DAG: pan"), tr("Arrow keys, Space while dragging, Page Up, Page Down")},
            {tr("DAG: walk along edges"), tr("Alt+arrow keys")},
            {tr("DAG: zoom"), tr("+, −, wheel")},
            {tr("DAG: fit"), tr("F")},
            {tr("DAG: add to the selection"), tr("Ctrl+click")},
            {tr("Charts: zoom"), tr("+, −, wheel")},
            {tr("Charts: pan"), tr("Shift+arrow keys, Shift while dragging, middle button")},
            {tr("Charts: back and forward"), tr("Backspace, Shift+Backspace")},
            {tr("Charts: show all"), tr("Esc")}})
    rows.push_back(std::move(row));

  auto *table = new QTableWidget(int(rows.size()), 2, this);
  table->setAccessibleName(windowTitle());
  table->setHorizontalHeaderLabels({tr("What"), tr("Keys")});
  table->horizontalHeader()->setStretchLastSection(true);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->verticalHeader()->hide();
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setColumnWidth(0, 240);
  for (int row = 0; row < int(rows.size()); ++row) {
    table->setItem(row, 0, new QTableWidgetItem(rows[std::size_t(row)].first));
    table->setItem(row, 1, new QTableWidgetItem(rows[std::size_t(row)].second));
  }
  auto *column = new QVBoxLayout(this);
  column->addWidget(table);
  column->addWidget(closeBox(*this));
  resize(560, 620);
}

} // namespace tessera::views
