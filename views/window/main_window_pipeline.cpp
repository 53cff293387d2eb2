// SPDX-License-Identifier: GPL-3.0-or-later
// The Pipeline dock in MainWindow: other sizes and parameters, another GPU, what would be if.
#include "views/pipeline/host_page.h"
#include "views/pipeline/input_page.h"
#include "views/pipeline/machine_page.h"
#include "views/pipeline/parameter_page.h"
#include "views/pipeline/pipeline_panel.h"
#include "views/pipeline/size_page.h"
#include "views/pipeline/tool_page.h"
#include "views/window/main_window.h"
#include "views/window/note_bar.h"

#include <QComboBox>
#include <QDockWidget>
#include <QSettings>

namespace tessera::views {

void MainWindow::buildPipelineDock() {
  m_pipeline = new PipelinePanel(m_flow, this);
  auto *sizes = new SizePage(m_flow, m_documents, m_settings, m_pipeline);
  auto *parameters = new ParameterPage(m_flow, m_pipeline);
  m_machinePage = new MachinePage(m_machines, m_schedule, m_bridge, m_pipeline);
  m_hostPage = new HostPage(m_hosts, m_pipeline);
  m_toolPage = new ToolPage(m_services.tools, m_bridge, m_settings, m_pipeline);
  m_pipeline->addPage(sizes, tr("Sizes"));
  auto *inputs = new InputPage(m_documents, m_bridge, m_pipeline);
  m_pipeline->addPage(inputs, tr("Inputs"));
  m_pipeline->addPage(parameters, tr("Generator"));
  m_pipeline->addPage(m_machinePage, tr("GPU"));
  m_pipeline->addPage(m_hostPage, tr("Hosts"));
  m_pipeline->addPage(m_toolPage, tr("Tools"));
  m_pipelineDock =
      addDock(QStringLiteral("pipeline"), tr("Pipeline"), m_pipeline, Qt::RightDockWidgetArea);
  m_kernelDocks << m_pipelineDock;
  connect(sizes, &SizePage::openWanted, this, &MainWindow::openRequest);
  connect(inputs, &InputPage::openWanted, this, &MainWindow::openRequest);
  connect(parameters, &ParameterPage::openWanted, this, &MainWindow::openRequest);
  connect(m_machinePage, &MachinePage::machineWanted, this, &MainWindow::chooseMachine);
  connect(&m_machines, &MachineFlow::listChanged, this, &MainWindow::fillMachines);
  connect(&m_machines, &MachineFlow::changed, this, [this](const QString &name) {
    m_schedule.forgetMachine(name);
    m_kernels.forgetMachine(name);
    m_predictions.forgetMachine(name);
    m_pinned.forgetMachine(name);
    chooseMachine(name);
  });
  connect(&m_machines, &MachineFlow::discarded, this,
          [this](const QString &, const QString &original) { chooseMachine(original); });
  connect(&m_machines, &MachineFlow::told, m_note, &NoteBar::tell);
}

// In the tool bar, and as what is shown is predicted for.
void MainWindow::chooseMachine(const QString &name) {
  m_machine->setCurrentIndex(m_machine->findText(name));
  m_settings.setValue(QStringLiteral("schedule/machine"), name);
  m_documents.retarget(name);
}

// The tool bar's list knows what there was when the program was started.
void MainWindow::fillMachines() {
  const QString current = m_machine->currentText();
  for (int i = m_machine->count() - 1; i >= 0; --i)
    if (!m_machines.find(m_machine->itemText(i))) m_machine->removeItem(i);
  for (const machine::Machine &machine : m_machines.machines()) {
    const QString name = QString::fromStdString(machine.name);
    if (m_machine->findText(name) >= 0) continue;
    m_machine->addItem(name);
    m_machine->setItemData(m_machine->count() - 1, QString::fromStdString(machine.title),
                           Qt::ToolTipRole);
  }
  if (m_machine->findText(current) >= 0) m_machine->setCurrentText(current);
  m_machinePage->setMachine(m_machine->currentText());
}

} // namespace tessera::views
