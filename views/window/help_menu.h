// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <utility>
#include <vector>

class QAction;
class QMainWindow;
class QMenu;

namespace tessera::views {

class WindowActions;

// The Help menu.
class HelpMenu : public QObject {
  Q_OBJECT
public:
  using Versions = std::vector<std::pair<QString, QString>>; // pairs of name and version
  // `openLogFolder` is the Log dock's action; the menu offers it as well.
  HelpMenu(QMenu &menu, WindowActions &actions, QAction &openLogFolder, QMainWindow &window,
           Versions versions);

signals:
  void paletteWanted();
  void abilitiesWanted(); // the user wants to show or hide the card
  void tourWanted();

private:
  void showShortcuts();
  void showAbout();

  QMainWindow &m_window;
  Versions m_versions;
};

} // namespace tessera::views
