// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/problem_dock.h"

#include "views/problems/log_panel.h"
#include "views/problems/problem_panel.h"
#include "views/problems/trace_panel.h"
#include "views/settings/own_sizes.h"
#include "views/workspace/workspace.h"

#include <QPushButton>
#include <QTabWidget>
#include <QTreeView>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace tessera::views {

ProblemDock::ProblemDock(Workspace &workspace, QWidget *parent)
    : QDockWidget(tr("Problems and Log"), parent), m_workspace(workspace) {
  m_log = new LogPanel(workspace.log(), workspace.bridge(), this);
  m_log->setRecord(workspace.services().record);
  m_tabs = new QTabWidget(this);
  m_tabs->setObjectName(QStringLiteral("problemTabs"));
  m_tabs->setAccessibleName(tr("Problems and log"));
  m_tabs->setDocumentMode(true);
  m_tabs->addTab(buildProblems(), tr("Problems"));
  m_tabs->addTab(m_log, tr("Log"));
  m_trace = new TracePanel(workspace.schedule(), workspace.selection(), this);
  m_tabs->addTab(m_trace, tr("Search"));
  setWidget(m_tabs);
  connect(&workspace.problems(), &QAbstractItemModel::modelReset, this, &ProblemDock::showCounts);
  connect(&workspace.opening(), &OpenFlow::documentChanged, this, &ProblemDock::showFit);
  connect(m_log, &LogPanel::told, this, &ProblemDock::told);
  connect(m_trace, &TracePanel::told, this, &ProblemDock::told);
  connect(m_log, &LogPanel::placeTold, this, &ProblemDock::placeTold);
  connect(m_log, &LogPanel::targetChosen, this, &ProblemDock::showTarget);
  connect(m_log, &LogPanel::targetActivated, this, [this](const LogTarget &target) {
    showTarget(target);
    if (!target.path.isEmpty() && !m_workspace.isOpen(target.path)) emit fileWanted(target.path);
  });
}

QWidget *ProblemDock::buildProblems() {
  auto *page = new QWidget(this);
  m_fit = new QPushButton(tr("Fit the Estimates"), page);
  m_fit->setObjectName(QStringLiteral("fitEstimates"));
  m_fit->setAccessibleName(tr("Fit the Estimates"));
  m_fit->hide();
  connect(m_fit, &QPushButton::clicked, this, [this] {
    if (const auto request = m_workspace.fittingRequest()) emit openWanted(*request);
  });
  auto *column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(new ProblemPanel(m_workspace.problems(), m_workspace.selection(), page), 1);
  auto *row = new QHBoxLayout;
  row->setContentsMargins(8, 0, 8, 0);
  row->addWidget(m_fit);
  row->addStretch(1);
  column->addLayout(row);
  return page;
}

// The button is there only while it can help.
void ProblemDock::showFit() {
  const auto request = m_workspace.fittingRequest();
  m_fit->setVisible(request.has_value());
  if (!request) return;
  QStringList sizes;
  for (const auto &fit : open::fittingEstimates(*m_workspace.opening().document()->opened.pipeline))
    sizes << estimateText(fit);
  m_fit->setToolTip(tr("Open the pipeline with %1").arg(sizes.join(tr(", "))));
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
