// SPDX-License-Identifier: GPL-3.0-or-later
#include "user.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QScreen>
#include <QTableView>
#include <QTest>
#include <QToolBar>

namespace tessera::views::test {

QWidget *User::focused() const {
  QWidget *top = QApplication::activePopupWidget();
  if (!top) {
    // Makes the newest window active, because a virtual screen has no window manager that would do
    // it.
    top = &m_window;
    for (QWidget *widget : QApplication::topLevelWidgets())
      if (widget->isVisible() && qobject_cast<QDialog *>(widget)) top = widget;
    if (QApplication::activeWindow() != top) QApplication::setActiveWindow(top);
  }
  return top->focusWidget() ? top->focusWidget() : top;
}

void User::key(Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QTest::keyClick(focused(), key, modifiers);
}

void User::type(const QString &text) {
  for (const QChar letter : text) // focused() for each letter, because a letter may move the focus
    QTest::keyClick(focused(), letter.toLatin1());
}

bool User::click(QWidget *widget) {
  if (!widget || !waitFor([&] { return widget->isVisible() && widget->isEnabled(); })) return false;
  QTest::mouseClick(widget, Qt::LeftButton);
  return true;
}

bool User::press(const char *tool) {
  auto *action = m_window.findChild<QAction *>(QString::fromLatin1(tool));
  auto *bar = m_window.findChild<QToolBar *>(QStringLiteral("tools"));
  return action && click(bar->widgetForAction(action));
}

bool User::click(QAbstractItemView &view, const QModelIndex &index) {
  const QRect where = view.visualRect(index);
  if (!view.isVisible() || !view.viewport()->rect().contains(where.center())) return false;
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, where.center());
  return true;
}

bool User::find(const QString &typed, const QString &title) {
  key(Qt::Key_K, Qt::ControlModifier);
  auto *line = m_window.findChild<QLineEdit *>(QStringLiteral("paletteLine"));
  if (!waitFor([&] { return line->hasFocus(); })) return false;
  type(typed);
  const auto *list = m_window.findChild<QListView *>(QStringLiteral("paletteList"));
  if (list->currentIndex().data().toString() != title) return false;
  key(Qt::Key_Return);
  return true;
}

bool User::choose(QComboBox &box, const QString &item) {
  if (!click(&box) || !waitFor([&] { return box.view()->isVisible(); })) return false;
  key(Qt::Key_Home);
  for (int i = 0; box.view()->currentIndex().data().toString() != item; ++i) {
    if (i == box.count()) return false;
    key(Qt::Key_Down);
  }
  key(Qt::Key_Return);
  return waitFor([&] { return !box.view()->isVisible() && box.currentText() == item; });
}

bool User::chooseFile(const QString &path) {
  QFileDialog *dialog = nullptr;
  if (!waitFor([&] {
        dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
        return dialog && dialog->isVisible();
      }))
    return false;
  const QPointer<QFileDialog> shown(dialog);
  QTest::keyClick(focused(), Qt::Key_A, Qt::ControlModifier);
  type(path);
  key(Qt::Key_Return);
  return waitFor([&] { return !shown; });
}

bool User::goTo(QTableView &table, int textColumn, const QString &text, int column) {
  if (focused() != &table || !table.model()->rowCount()) return false;
  const auto row = [&] {
    return table.currentIndex().siblingAtColumn(textColumn).data().toString();
  };
  key(Qt::Key_Home, Qt::ControlModifier);
  for (int i = 0; row() != text; ++i) {
    if (i == table.model()->rowCount()) return false;
    key(Qt::Key_Down);
  }
  key(Qt::Key_Home);
  for (int i = 0; table.currentIndex().column() != column; ++i) {
    if (i == table.model()->columnCount()) return false;
    key(Qt::Key_Right);
  }
  return true;
}

bool User::waitFor(const std::function<bool()> &isSo, int milliseconds) {
  return QTest::qWaitFor(isSo, milliseconds);
}

void User::look(const QString &name) {
  const QString folder = qEnvironmentVariable("TESSERA_PICTURES");
  if (folder.isEmpty()) return;
  QTest::qWait(300); // lets painting finish before the picture
  m_window.screen()->grabWindow(0).save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

} // namespace tessera::views::test
