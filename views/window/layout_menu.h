// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/settings/named_layouts.h"

#include <QMenu>

class QMainWindow;

namespace tessera::views {

// View › Layouts: switches to a named layout, saves the current one, and opens the list to manage
// them.
class LayoutMenu : public QMenu {
  Q_OBJECT
public:
  LayoutMenu(QMainWindow &window, QSettings &settings);

  NamedLayouts &layouts() { return m_layouts; }

signals:
  void told(const QString &what); // what was done, or why it cannot be done

private:
  void fill();
  void askForName();
  void manage();
  void switchTo(int row);

  QMainWindow &m_window;
  NamedLayouts m_layouts;
};

} // namespace tessera::views
