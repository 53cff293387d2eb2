// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/problem_dock.h"

#include "views/problems/log_panel.h"
#include "views/problems/problem_panel.h"
#include "views/workspace/workspace.h"

#include <QTabWidget>
#include <QTreeView>

namespace tessera::views {

ProblemDock::ProblemDock(Workspace &workspace, QWidget *parent)
    : QDockWidget(tr("Problems and Log"), parent), m_workspace(workspace) {
  auto *problems = new ProblemPanel(workspace.problems(), workspace.selection(), this);
  m_log = new LogPanel(workspace.log(), workspace.bridge(), this);
  m_log->setRecord(workspace.services().record);
  m_tabs = new QTabWidget(this);
  m_tabs->setObjectName(QStringLiteral("problemTabs"));
  m_tabs->setAccessibleName(tr("Problems and log"));
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(problems, tr("Problems"));
  m_tabs->addTab(m_log, tr("Log"));
  setWidget(m_tabs);
  connect(&workspace.problems(), &QAbstractItemModel::modelReset, this, &ProblemDock::showCounts);
  connect(m_log, &LogPanel::told, this, &ProblemDock::told);
  connect(m_log, &LogPanel::placeTold, this, &ProblemDock::placeTold);
  connect(m_log, &LogPanel::targetChosen, this, &ProblemDock::showTarget);
  connect(m_log, &LogPanel::targetActivated, this, [this](const LogTarget &target) {
    showTarget(target);
    if (!target.path.isEmpty() && !m_workspace.isOpen(target.path)) emit fileWanted(target.path);
  });
}

QAction &ProblemDock::openLogFolder() { return m_log->openFolderAction(); }

void ProblemDock::showCounts() {
  const QString counts = m_workspace.problems().countsText();
  setWindowTitle(counts.isEmpty() ? tr("Problems and Log")
                                  : tr("Problems (%1) and Log").arg(counts));
  m_tabs->setTabText(0, counts.isEmpty() ? tr("Problems") : tr("Problems (%1)").arg(counts));
}

// A line about a pipeline that is no longer open selects nothing.
void ProblemDock::showTarget(const LogTarget &target) {
  const auto &document = m_workspace.opening().document();
  if (!document || target.of.lock() != document->opened.pipeline) return;
  if (target.subject) m_workspace.selection().select(*target.subject);
  if (target.candidate) emit candidateChosen(target.candidate);
}

} // namespace tessera::views
