// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

namespace tessera::open {
struct OpenRequest;
}

namespace tessera::views {

class HostPage;
class MachinePage;
class PipelinePanel;
class ToolPage;
class Workspace;

// A dock with one tab each for sizes, inputs, the generator, GPUs, hosts and tools.
class PipelineDock : public QDockWidget {
  Q_OBJECT
public:
  PipelineDock(Workspace &workspace, QWidget *parent);

  PipelinePanel &panel() { return *m_panel; }
  MachinePage &machinePage() { return *m_machinePage; }
  void showHosts(); // brings the tab to the front and gives it the focus
  void showTools();

signals:
  void openWanted(const tessera::open::OpenRequest &request);

private:
  void showPage(QWidget &page);

  PipelinePanel *m_panel = nullptr;
  MachinePage *m_machinePage = nullptr;
  HostPage *m_hostPage = nullptr;
  ToolPage *m_toolPage = nullptr;
};

} // namespace tessera::views
