// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/pipeline_dock.h"

#include "views/pipeline/host_page.h"
#include "views/pipeline/input_page.h"
#include "views/pipeline/machine_page.h"
#include "views/pipeline/parameter_page.h"
#include "views/pipeline/pipeline_panel.h"
#include "views/pipeline/size_page.h"
#include "views/pipeline/tool_page.h"
#include "views/workspace/workspace.h"

#include <QTabWidget>

namespace tessera::views {

PipelineDock::PipelineDock(Workspace &workspace, QWidget *parent)
    : QDockWidget(tr("Pipeline"), parent) {
  OpenFlow &opening = workspace.opening();
  m_panel = new PipelinePanel(opening, this);
  auto *sizes = new SizePage(opening, workspace.documents(), workspace.settings(), m_panel);
  auto *parameters = new ParameterPage(opening, m_panel);
  m_machinePage =
      new MachinePage(workspace.machines(), workspace.schedule(), workspace.bridge(), m_panel);
  m_hostPage = new HostPage(workspace.hosts(), m_panel);
  m_toolPage =
      new ToolPage(workspace.services().tools, workspace.bridge(), workspace.settings(), m_panel);
  auto *inputs = new InputPage(workspace.documents(), workspace.bridge(), m_panel);
  m_panel->addPage(sizes, tr("Sizes"));
  m_panel->addPage(inputs, tr("Inputs"));
  m_panel->addPage(parameters, tr("Generator"));
  m_panel->addPage(m_machinePage, tr("GPU"));
  m_panel->addPage(m_hostPage, tr("Hosts"));
  m_panel->addPage(m_toolPage, tr("Tools"));
  setWidget(m_panel);
  connect(sizes, &SizePage::openWanted, this, &PipelineDock::openWanted);
  connect(inputs, &InputPage::openWanted, this, &PipelineDock::openWanted);
  connect(parameters, &ParameterPage::openWanted, this, &PipelineDock::openWanted);
  connect(m_machinePage, &MachinePage::machineWanted, &workspace, &Workspace::chooseMachine);
}

void PipelineDock::showPage(QWidget &page) {
  show();
  raise();
  m_panel->tabs().setCurrentWidget(&page);
}

void PipelineDock::showHosts() {
  showPage(*m_hostPage);
  m_hostPage->setFocus();
}

void PipelineDock::showTools() { showPage(*m_toolPage); }

} // namespace tessera::views
