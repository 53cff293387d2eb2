// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QMenu;

namespace tessera::views {

class DagPanel;
class DecisionPanel;
class WindowActions;
class Workspace;

// The Edit menu: undo and redo with the name of the step, and commands for the decisions of the
// active stage.
class EditMenu : public QObject {
  Q_OBJECT
public:
  EditMenu(QMenu &menu, WindowActions &actions, Workspace &workspace, DagPanel &dag,
           DecisionPanel &decisions);

private:
  void update();

  Workspace &m_workspace;
  DecisionPanel &m_decisions;
  QAction *m_undo = nullptr, *m_redo = nullptr, *m_change = nullptr, *m_freeze = nullptr;
};

} // namespace tessera::views
