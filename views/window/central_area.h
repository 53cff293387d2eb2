// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_layouter.h"

#include <QWidget>

class QStackedWidget;

namespace tessera::views {

class DagEditor;
class DagPanel;
class NoteBar;
class OpenPage;
class StartPage;
class Workspace;

// The middle of the window: the start page, a question or an error while a file is opened, or the
// DAG below its notes. The note about documents that can be recovered is above all of these.
class CentralArea : public QWidget {
  Q_OBJECT
public:
  CentralArea(Workspace &workspace, const QString &sampleFolder,
              const DagLayouter::Graphviz &graphviz, QWidget *parent);

  StartPage &start() { return *m_start; }
  OpenPage &openPage() { return *m_openPage; }
  NoteBar &note() { return *m_note; }
  NoteBar &measureNote() { return *m_measureNote; }
  NoteBar &recovery() { return *m_recovery; }
  DagPanel &dag() { return *m_dag; }
  DagEditor &dagEditor() { return *m_dagEditor; }

  // The open pipeline stays visible while another file is being read. Only a question or an error
  // replaces it; dismissing that shows the pipeline again.
  void showRightPage();

private:
  void buildDagPage(const DagLayouter::Graphviz &graphviz);

  Workspace &m_workspace;
  QStackedWidget *m_pages = nullptr;
  StartPage *m_start = nullptr;
  OpenPage *m_openPage = nullptr;
  QWidget *m_dagPage = nullptr;
  NoteBar *m_note = nullptr, *m_measureNote = nullptr, *m_recovery = nullptr;
  DagPanel *m_dag = nullptr;
  DagEditor *m_dagEditor = nullptr;
};

} // namespace tessera::views
