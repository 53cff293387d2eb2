// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_flow.h"

#include <QObject>

class QAction;
class QMenu;

namespace tessera::views {

class WindowActions;
class Workspace;

// The entries of the Search menu for scheduling: start a search, stop it, and choose GPU and
// algorithm.
class ScheduleMenu : public QObject {
  Q_OBJECT
public:
  ScheduleMenu(QMenu &menu, WindowActions &actions, Workspace &workspace);

  QAction &start() { return *m_start; }
  QAction &around() { return *m_around; }
  QAction &stop() { return *m_stop; }

signals:
  void searchWanted(tessera::views::DocumentFlow::Around around);
  void machinesWanted();   // the user wants the list of GPUs
  void algorithmsWanted(); // the user wants the list of algorithms

private:
  void update();

  Workspace &m_workspace;
  QAction *m_start = nullptr, *m_around = nullptr, *m_stop = nullptr;
};

} // namespace tessera::views
