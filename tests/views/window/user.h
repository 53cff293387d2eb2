// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/window/main_window.h"

#include <QString>

#include <functional>

class QAbstractItemView;
class QComboBox;
class QTableView;

namespace tessera::views::test {

// Somebody at the window who has a mouse and a keyboard, and nothing else: keys go to whatever has
// the focus, clicks to what is visible. What returns false could not be done within patience.
class User {
public:
  explicit User(MainWindow &window) : m_window(window) {}

  QWidget *focused() const; // what a key comes to
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
  void type(const QString &text);
  [[nodiscard]] bool click(QWidget *widget);  // in its middle
  [[nodiscard]] bool press(const char *tool); // the button of an action in the tool bar
  [[nodiscard]] bool click(QAbstractItemView &view, const QModelIndex &index);
  // By the palette, which finds it by what is typed.
  [[nodiscard]] bool find(const QString &typed, const QString &title);
  // In the list that a click drops down.
  [[nodiscard]] bool choose(QComboBox &box, const QString &item);
  // In the dialog for files that is open, or about to be.
  [[nodiscard]] bool chooseFile(const QString &path);
  // Key after key to the cell of a row, which is found by the text in another column.
  [[nodiscard]] bool goTo(QTableView &table, int textColumn, const QString &text, int column);
  [[nodiscard]] bool waitFor(const std::function<bool()> &isSo, int milliseconds = 60'000);

  // Of the whole screen, as NAME.png in the folder of TESSERA_PICTURES; without it none is made.
  void look(const QString &name);

private:
  MainWindow &m_window;
};

} // namespace tessera::views::test
