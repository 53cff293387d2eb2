// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace tessera::views {

class BlockPanel;
class CandidatePanel;
class CodePanel;
class DecisionPanel;
class DetailsPanel;
class DockPainting;
class FootprintPanel;
class MeasurementPanel;
class OccupancyPanel;
class PipelineDock;
class ProblemDock;
class RooflinePanel;
class StagePanel;
class Workspace;

// The docks of the window with their panels: their first places, and which of them may be visible
// while no pipeline is open.
class WindowDocks : public QObject {
  Q_OBJECT
public:
  WindowDocks(QMainWindow &window, Workspace &workspace);

  // In the order of their shortcuts Ctrl+2, Ctrl+3 …
  const QList<QDockWidget *> &all() const { return m_all; }
  StagePanel &stages() { return *m_stages; }
  DetailsPanel &details() { return *m_details; }
  OccupancyPanel &occupancy() { return *m_occupancy; }
  FootprintPanel &footprint() { return *m_footprint; }
  BlockPanel &block() { return *m_block; }
  RooflinePanel &roofline() { return *m_roofline; }
  CodePanel &code() { return *m_code; }
  DecisionPanel &decisions() { return *m_decisions; }
  CandidatePanel &candidates() { return *m_candidates; }
  MeasurementPanel &measurements() { return *m_measurements; }
  PipelineDock &pipeline() { return *m_pipeline; }
  ProblemDock &problems() { return *m_problems; }

  // Shows the dock that contains `panel` and raises its tab. Null: no dock contains it.
  static QDockWidget *show(const QWidget &panel);

  // Which docks are shown, and which of them are in front of their tabs.
  struct Shown {
    QList<QDockWidget *> open, inFront;
  };
  Shown shown() const;
  void restoreShown(const Shown &shown);

  void restoreDefaults();   // also shows all docks
  void setHasOwnLayout();   // the docks keep their present sizes when a pipeline is opened
  void showThoseThatMay();  // hides the docks that need a pipeline until one is open
  void forgetWhoWaits();    // forgets which docks were hidden for lack of a pipeline
  void showThoseThatWait(); // call before saving the layout: the user did not close these docks

private:
  QDockWidget *add(const QString &name, const QString &title, QWidget *panel,
                   Qt::DockWidgetArea area);
  void add(const QString &name, QDockWidget &dock, Qt::DockWidgetArea area);
  void buildKernelDocks();
  void buildDocumentDocks();
  void showIfItMay(QDockWidget &dock, bool may);
  void shareRoom();
  void paintInTurns();

  QMainWindow &m_window;
  Workspace &m_workspace;
  StagePanel *m_stages = nullptr;
  DetailsPanel *m_details = nullptr;
  OccupancyPanel *m_occupancy = nullptr;
  FootprintPanel *m_footprint = nullptr;
  RooflinePanel *m_roofline = nullptr;
  BlockPanel *m_block = nullptr;
  CodePanel *m_code = nullptr;
  DecisionPanel *m_decisions = nullptr;
  CandidatePanel *m_candidates = nullptr;
  MeasurementPanel *m_measurements = nullptr;
  PipelineDock *m_pipeline = nullptr;
  ProblemDock *m_problems = nullptr;
  QList<QDockWidget *> m_all;
  // The tabs of the default layout. Docks that need height are at the right, below the stages:
  // charts and texts about one stage or kernel, and forms. Docks that need width are below the DAG:
  // tables with a row for each stage or candidate.
  QList<QDockWidget *> m_right, m_below;
  bool m_hasOwnLayout = false;
  DockPainting *m_painting = nullptr;
};

} // namespace tessera::views
