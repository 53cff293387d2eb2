// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/log_model.h"

#include <QDockWidget>

class QAction;
class QPushButton;
class QTabWidget;

namespace tessera::open {
struct OpenRequest;
}

namespace tessera::views {

class LogPanel;
class TracePanel;
class Workspace;

// A dock with two tabs: the problems of the pipeline and the log.
class ProblemDock : public QDockWidget {
  Q_OBJECT
public:
  ProblemDock(Workspace &workspace, QWidget *parent);

  QAction &openLogFolder(); // the Help menu offers this action as well

signals:
  void told(const QString &message);
  void placeTold(const QString &text); // says where the log on disk is
  // The user has chosen a log line about this candidate.
  void candidateChosen(quint64 candidate);
  // The user has chosen a log line about this file, which is not open.
  void fileWanted(const QString &path);
  // The user wants to open the pipeline with sizes that fit.
  void openWanted(const tessera::open::OpenRequest &request);

private:
  QWidget *buildProblems();
  void showFit();
  void showCounts();
  void showTarget(const LogTarget &target);

  Workspace &m_workspace;
  LogPanel *m_log = nullptr;
  TracePanel *m_trace = nullptr;
  QTabWidget *m_tabs = nullptr;
  QPushButton *m_fit = nullptr;
};

} // namespace tessera::views
