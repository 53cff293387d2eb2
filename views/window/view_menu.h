// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QDockWidget;
class QMainWindow;
class QMenu;
class QSettings;

namespace tessera::views {

class DagPanel;
class WindowActions;
class WindowDocks;

// The View menu: zoom and search of the DAG, the docks, their layouts, and light or dark colours.
class ViewMenu : public QObject {
  Q_OBJECT
public:
  ViewMenu(QMenu &menu, WindowActions &actions, QMainWindow &window, DagPanel &dag,
           WindowDocks &docks, QSettings &settings, bool systemIsDark);

signals:
  void told(const QString &what);

private:
  void addZoom(QMenu &menu);
  void addFinding(QMenu &menu);
  void rememberDirection(QSettings &settings); // direction of the DAG
  void addDocks(QMenu &menu);
  void addGoTo(QMenu &menu, int number, QDockWidget &dock);
  void addLayouts(QMenu &menu, QSettings &settings);
  void addAppearance(QMenu &menu, QSettings &settings, bool systemIsDark);

  WindowActions &m_actions;
  QMainWindow &m_window;
  DagPanel &m_dag;
  WindowDocks &m_docks;
};

} // namespace tessera::views
