// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_layouter.h"
#include "views/workspace/workspace.h"

#include <QMainWindow>

#include <utility>
#include <vector>

class QSettings;

namespace tessera::views {

class CandidatePanel;
class CentralArea;
class CodePanel;
class CommandPalette;
class DagEditor;
class DagPanel;
class DecisionPanel;
class FileDialogs;
class MeasureMenu;
class MeasurementPanel;
class FootprintPanel;
class OccupancyPanel;
class PipelinePanel;
class RooflinePanel;
class ScheduleMenu;
class StagePanel;
class StatusLine;
class WindowActions;
class WindowDocks;
class WindowNotes;
class WindowTools;
class WindowTour;

// The parts that the window gets from outside: the engine as functions, and paths.
struct WindowServices : WorkspaceServices {
  DagLayouter::Graphviz graphviz;
  QString sampleFolder;
  std::vector<std::pair<QString, QString>> versions; // pairs of name and version for the About box
  bool systemIsDark = false;
};

// Shows a workspace. The window creates its parts and connects them with one another: the middle
// (CentralArea), the docks, one class for each menu, the tool bar, the status line and the notes.
class MainWindow : public QMainWindow {
  Q_OBJECT
public:
  MainWindow(const WindowServices &services, QSettings &settings, QWidget *parent = nullptr);
  ~MainWindow() override;

  void openFile(const QString &path);
  void openRequest(const open::OpenRequest &request);
  // Starts the tour when the first DAG is shown, unless the user has seen it.
  void offerTour();

  OpenFlow &flow() { return m_workspace.opening(); }
  DocumentFlow &documents() { return m_workspace.documents(); }
  ScheduleFlow &schedule() { return m_workspace.schedule(); }
  MeasureFlow &measuring() { return m_workspace.measuring(); }
  HostModel &hosts() { return m_workspace.hosts(); }
  CrashLadder &ladder() { return m_workspace.ladder(); }
  Selection &selection() { return m_workspace.selection(); }
  Bridge &bridge() { return m_workspace.bridge(); }
  ShownKernels &kernels() { return m_workspace.kernels(); }
  LogModel &log() { return m_workspace.log(); }
  DagPanel &dag();
  DagEditor &dagEditor();
  StagePanel &stages();
  DecisionPanel &decisions();
  CandidatePanel &candidates();
  FootprintPanel &footprint();
  OccupancyPanel &occupancy();
  RooflinePanel &roofline();
  CodePanel &code();
  MeasurementPanel &measurements();
  PipelinePanel &pipeline();

protected:
  void closeEvent(QCloseEvent *event) override;
  void dragEnterEvent(QDragEnterEvent *event) override;
  void dropEvent(QDropEvent *event) override;
  void childEvent(QChildEvent *event) override;

private:
  void buildFrame();
  void buildMenus(const WindowServices &services);
  void connectWorkspace();
  void connectSchedule();
  void connectPanels();
  void connectDecisions();
  void restore();

  void showPipeline();
  void showState();
  void showSchedule();
  void showLayout(const QByteArray &layout);
  void showTitle();
  void askForOthers();
  void remedy(Ability::Remedy remedy);

  Workspace m_workspace;
  WindowActions *m_actions = nullptr;
  CentralArea *m_central = nullptr;
  WindowDocks *m_docks = nullptr;
  FileDialogs *m_files = nullptr;
  ScheduleMenu *m_scheduleMenu = nullptr;
  MeasureMenu *m_measureMenu = nullptr;
  WindowTools *m_tools = nullptr;
  StatusLine *m_status = nullptr;
  WindowNotes *m_notes = nullptr;
  WindowTour *m_tour = nullptr;
  CommandPalette *m_palette = nullptr;
  bool m_mayClose = false; // the user has answered the question about unsaved work
};

} // namespace tessera::views
