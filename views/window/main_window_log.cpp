// SPDX-License-Identifier: GPL-3.0-or-later
// Problems and the log in MainWindow: their dock, and where a line of the log leads.
#include "views/candidates/candidate_panel.h"
#include "views/dag/dag_panel.h"
#include "views/problems/log_panel.h"
#include "views/problems/problem_panel.h"
#include "views/window/main_window.h"
#include "views/window/note_bar.h"

#include <QDockWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QTreeView>

namespace tessera::views {

void MainWindow::buildProblemDock() {
  m_logWriter.follow(m_flow);
  m_logWriter.follow(m_documents);
  m_logWriter.follow(m_schedule, m_documents);
  m_logWriter.follow(m_compile);
  m_logWriter.follow(m_compileCompared);
  m_logWriter.follow(m_measure, m_documents);
  m_logWriter.follow(m_others);
  m_logWriter.follow(m_hosts);
  m_logWriter.follow(m_ladder);
  m_problems = new ProblemPanel(m_problemModel, m_selection, this);
  m_bridge.setRecord(m_services.record);
  m_logPanel = new LogPanel(m_log, m_bridge, this);
  m_logPanel->setRecord(m_services.record);
  auto *tabs = new QTabWidget(this);
  tabs->setObjectName(QStringLiteral("problemTabs"));
  tabs->setAccessibleName(tr("Problems and log"));
  tabs->setDocumentMode(true);
  tabs->addTab(m_problems, tr("Problems"));
  tabs->addTab(m_logPanel, tr("Log"));
  m_problemDock =
      addDock(QStringLiteral("problems"), tr("Problems and Log"), tabs, Qt::BottomDockWidgetArea);
  connect(&m_problemModel, &QAbstractItemModel::modelReset, this, [this, tabs] {
    const QString counts = m_problemModel.countsText();
    m_problemDock->setWindowTitle(counts.isEmpty() ? tr("Problems and Log")
                                                   : tr("Problems (%1) and Log").arg(counts));
    tabs->setTabText(0, counts.isEmpty() ? tr("Problems") : tr("Problems (%1)").arg(counts));
  });
  connect(m_logPanel, &LogPanel::told, m_note, &NoteBar::tell);
  connect(m_logPanel, &LogPanel::placeTold, this,
          [this](const QString &text) { statusBar()->showMessage(text, 15'000); });
  connect(m_logPanel, &LogPanel::targetChosen, this, &MainWindow::showTarget);
  connect(m_logPanel, &LogPanel::targetActivated, this, [this](const LogTarget &target) {
    showTarget(target);
    if (!target.path.isEmpty() && !isOpen(target.path)) openFile(target.path);
  });
}

bool MainWindow::isOpen(const QString &path) const {
  const auto &document = m_flow.document();
  return document &&
         (m_documents.path() == path || QString::fromStdString(document->request.path) == path);
}

// What is of a pipeline that is not open any more is nowhere.
void MainWindow::showTarget(const LogTarget &target) {
  const auto &document = m_flow.document();
  if (!document || target.of.lock() != document->opened.pipeline) return;
  if (target.subject) m_selection.select(*target.subject);
  if (target.candidate && m_candidates->choose(target.candidate)) {
    auto *dock = qobject_cast<QDockWidget *>(m_candidates->parentWidget());
    dock->show();
    dock->raise();
  }
}

} // namespace tessera::views
