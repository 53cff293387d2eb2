// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/settings/named_layouts.h"

#include <QMenu>

class QMainWindow;

namespace tessera::views {

// View › Layouts: the named ones to switch to, one more to save, all of them to manage.
class LayoutMenu : public QMenu {
  Q_OBJECT
public:
  LayoutMenu(QMainWindow &window, QSettings &settings);

  NamedLayouts &layouts() { return m_layouts; }

signals:
  void told(const QString &what); // done, or why it cannot be

private:
  void fill();
  void askForName();
  void manage();
  void switchTo(int row);

  QMainWindow &m_window;
  NamedLayouts m_layouts;
};

} // namespace tessera::views
