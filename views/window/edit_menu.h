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

// What the Edit menu offers: undo and redo by name, and the decisions of the active stage.
class EditMenu : public QObject {
  Q_OBJECT
public:
  EditMenu(QMenu &menu, WindowActions &actions, Workspace &workspace, DagPanel &dag,
           DecisionPanel &decisions);

private:
  void update();

  Workspace &m_workspace;
  QAction *m_undo = nullptr, *m_redo = nullptr, *m_change = nullptr, *m_freeze = nullptr;
};

} // namespace tessera::views
