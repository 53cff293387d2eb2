// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"

#include <QObject>

class QAction;
class QMenu;

namespace tessera::views {

class WindowActions;
class Workspace;

// What the Search menu offers for scheduling: to start a search, to stop it, and what to search
// with.
class ScheduleMenu : public QObject {
  Q_OBJECT
public:
  ScheduleMenu(QMenu &menu, WindowActions &actions, Workspace &workspace);

  QAction &start() { return *m_start; }
  QAction &stop() { return *m_stop; }

signals:
  void searchWanted(tessera::views::DocumentFlow::Around around);
  void machinesWanted();   // the list of them
  void algorithmsWanted(); // the same

private:
  void update();

  Workspace &m_workspace;
  QAction *m_start = nullptr, *m_around = nullptr, *m_stop = nullptr;
};

} // namespace tessera::views
