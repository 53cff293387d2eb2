// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/log_model.h"

#include <QDockWidget>

class QTabWidget;

namespace tessera::views {

class Workspace;

// The problems of the pipeline and the log, as the tabs of one dock.
class ProblemDock : public QDockWidget {
  Q_OBJECT
public:
  ProblemDock(Workspace &workspace, QWidget *parent);

signals:
  void told(const QString &message);
  // The candidate that a line of the log is about.
  void candidateChosen(quint64 candidate);
  // The file that a line of the log is about, which is not open.
  void fileWanted(const QString &path);

private:
  void showCounts();
  void showTarget(const LogTarget &target);

  Workspace &m_workspace;
  QTabWidget *m_tabs = nullptr;
};

} // namespace tessera::views
