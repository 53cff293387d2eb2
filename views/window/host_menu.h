// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace tessera::views {

class Workspace;

// Search › Measure On: the hosts to choose from, and whether to read hardware counters as well.
class HostMenu : public QMenu {
  Q_OBJECT
public:
  HostMenu(Workspace &workspace, QWidget *parent);

signals:
  void hostsWanted(); // the user wants the page where hosts are edited

private:
  void buildCounts();
  void fill();
  void nameHosts();

  Workspace &m_workspace;
  QAction *m_counts = nullptr;
};

} // namespace tessera::views
