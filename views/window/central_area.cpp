// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/central_area.h"

#include "views/window/note_bar.h"
#include "views/dag/dag_editor.h"
#include "views/open/open_page.h"
#include "views/start/start_page.h"
#include "views/theme/icons.h"
#include "views/theme/theme.h"
#include "views/workspace/workspace.h"

#include <QStackedWidget>
#include <QVBoxLayout>

namespace tessera::views {

namespace {

QVBoxLayout *tightColumn(QWidget *widget) {
  auto *column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  return column;
}

} // namespace

CentralArea::CentralArea(Workspace &workspace, const QString &sampleFolder,
                         const DagLayouter::Graphviz &graphviz, QWidget *parent)
    : QWidget(parent), m_workspace(workspace) {
  m_start = new StartPage(findSamples(sampleFolder, resourceText(QStringLiteral("samples.json"))),
                          workspace.recentFiles(), this);
  m_openPage = new OpenPage(workspace.opening(), workspace.bridge(), this);
  buildDagPage(graphviz);
  m_pages = new QStackedWidget(this);
  for (QWidget *page :
       {static_cast<QWidget *>(m_start), static_cast<QWidget *>(m_openPage), m_dagPage})
    m_pages->addWidget(page);
  m_recovery = new NoteBar(this);
  m_recovery->setObjectName(QStringLiteral("recoveryBar"));
  QVBoxLayout *rows = tightColumn(this);
  rows->addWidget(m_recovery);
  rows->addWidget(m_pages, 1);
}

void CentralArea::buildDagPage(const DagLayouter::Graphviz &graphviz) {
  m_dagPage = new QWidget(this);
  m_note = new NoteBar(m_dagPage);
  m_measureNote = new NoteBar(m_dagPage);
  m_measureNote->setObjectName(QStringLiteral("measureNote"));
  m_dag = new DagPanel(m_workspace.selection(), m_workspace.bridge(), graphviz, m_dagPage);
  m_dagEditor = new DagEditor(*m_dag, m_workspace.documents(), m_workspace.schedule(),
                              m_workspace.bridge(), this);
  QVBoxLayout *column = tightColumn(m_dagPage);
  column->addWidget(m_note);
  column->addWidget(m_measureNote);
  column->addWidget(m_dag, 1);
}

void CentralArea::showRightPage() {
  const OpenFlow &opening = m_workspace.opening();
  const bool hasDocument = opening.document() != nullptr;
  const bool busyBehind = opening.state() == OpenFlow::State::Working && hasDocument;
  if (opening.state() != OpenFlow::State::Idle && !busyBehind)
    m_pages->setCurrentWidget(m_openPage);
  else
    m_pages->setCurrentWidget(hasDocument ? m_dagPage : static_cast<QWidget *>(m_start));
}

} // namespace tessera::views
