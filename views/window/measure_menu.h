// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QMenu;

namespace tessera::views {

class HostMenu;
class WindowActions;
class Workspace;

// The entries of the Search menu for measuring and verifying. A disabled entry says why it is
// disabled.
class MeasureMenu : public QObject {
  Q_OBJECT
public:
  MeasureMenu(QMenu &menu, WindowActions &actions, Workspace &workspace);

  QAction &measure() { return *m_measure; }
  QAction &verify() { return *m_verify; }
  HostMenu &hosts() { return *m_hosts; }

signals:
  void othersWanted(); // the user wants schedules made by other schedulers

private:
  void update();

  Workspace &m_workspace;
  HostMenu *m_hosts = nullptr;
  QAction *m_measure = nullptr, *m_measureAll = nullptr, *m_verify = nullptr, *m_stop = nullptr,
          *m_lookForGpu = nullptr;
};

} // namespace tessera::views
