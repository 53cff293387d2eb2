// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/log_model.h"

#include <QDockWidget>

class QAction;
class QTabWidget;

namespace tessera::views {

class LogPanel;
class Workspace;

// The problems of the pipeline and the log, as the tabs of one dock.
class ProblemDock : public QDockWidget {
  Q_OBJECT
public:
  ProblemDock(Workspace &workspace, QWidget *parent);

  QAction &openLogFolder(); // also for a menu

signals:
  void told(const QString &message);
  void placeTold(const QString &text); // where the log on disk is
  // The candidate that a line of the log is about.
  void candidateChosen(quint64 candidate);
  // The file that a line of the log is about, which is not open.
  void fileWanted(const QString &path);

private:
  void showCounts();
  void showTarget(const LogTarget &target);

  Workspace &m_workspace;
  LogPanel *m_log = nullptr;
  QTabWidget *m_tabs = nullptr;
};

} // namespace tessera::views
