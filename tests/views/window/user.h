// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/window/main_window.h"

#include <QString>

#include <functional>

class QAbstractItemView;
class QComboBox;
class QTableView;

namespace tessera::views::test {

// A user at the window who has only a mouse and a keyboard. Keys go to the focused widget, clicks
// to what is visible. A function returns false if its action did not become possible in time.
class User {
public:
  explicit User(MainWindow &window) : m_window(window) {}

  QWidget *focused() const; // the widget that gets keys
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
  void type(const QString &text);
  [[nodiscard]] bool click(QWidget *widget);  // clicks its middle
  [[nodiscard]] bool press(const char *tool); // presses the button of an action in the tool bar
  [[nodiscard]] bool click(QAbstractItemView &view, const QModelIndex &index);
  // Types into the palette and runs the entry with this title.
  [[nodiscard]] bool find(const QString &typed, const QString &title);
  // Opens the list with a click and chooses an item.
  [[nodiscard]] bool choose(QComboBox &box, const QString &item);
  // Chooses a file in the file dialog that is open or about to open.
  [[nodiscard]] bool chooseFile(const QString &path);
  // Moves by keys to a cell of the row that has `text` in `textColumn`.
  [[nodiscard]] bool goTo(QTableView &table, int textColumn, const QString &text, int column);
  [[nodiscard]] bool waitFor(const std::function<bool()> &isSo, int milliseconds = 60'000);

  // Saves a picture of the whole screen as NAME.png in the folder of TESSERA_PICTURES, if that is
  // set.
  void look(const QString &name);

private:
  MainWindow &m_window;
};

} // namespace tessera::views::test
