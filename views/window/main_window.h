// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dag/dag_layouter.h"
#include "views/models/abilities.h"
#include "views/models/candidate_predictions.h"
#include "views/models/compile_flow.h"
#include "views/models/document_flow.h"
#include "views/models/host_model.h"
#include "views/models/log_writer.h"
#include "views/models/machine_flow.h"
#include "views/models/measure_flow.h"
#include "views/models/open_flow.h"
#include "views/models/other_flow.h"
#include "views/models/pinned_schedules.h"
#include "views/models/problem_model.h"
#include "views/models/recent_files.h"
#include "views/models/sample_list_model.h"
#include "views/models/schedule_flow.h"
#include "views/models/selection.h"
#include "views/models/shown_kernels.h"
#include "views/models/tool_service.h"
#include "views/theme/theme.h"

#include <QMainWindow>

#include <vector>

class QComboBox;
class QLabel;
class QMenu;
class QSettings;
class QStackedWidget;
class QToolBar;

namespace tessera::views {

class AbilityButton;
class CandidatePanel;
class CodePanel;
class CommandPalette;
class DagEditor;
class DagPanel;
class DecisionPanel;
class DetailsPanel;
class JobIndicator;
class LayoutMenu;
class LogPanel;
class HostPage;
class MachinePage;
class MeasurementPanel;
class NoteBar;
class OccupancyPanel;
class OpenPage;
class PipelinePanel;
class ProblemPanel;
class RooflinePanel;
class StagePanel;
class StartPage;
class ToolPage;
class Tour;

// What the window needs from outside: the engine as functions, and where things are.
struct WindowServices {
  OpenService open;
  ScheduleService schedule;
  DocumentService document;
  KernelService kernels;
  MeasureService measure;
  OtherService others;
  MachineService machines;
  ToolService tools;
  DagLayouter::Graphviz graphviz;
  record::Record record;        // the log on disk
  std::function<void()> warmUp; // starts the workers ahead of the first file; on any thread
  QString sampleFolder;
  std::vector<std::pair<QString, QString>> versions; // for the About box: name, version
  bool systemIsDark = false;
};

// Wires panels, models and the open flow together; has no idea of its own.
class MainWindow : public QMainWindow {
  Q_OBJECT
public:
  MainWindow(WindowServices services, QSettings &settings, QWidget *parent = nullptr);
  ~MainWindow() override;

  void openFile(const QString &path);
  void openRequest(const session::OpenRequest &request);
  void offerTour(); // with the first pipeline, to who has not seen it

  OpenFlow &flow() { return m_flow; }
  DocumentFlow &documents() { return m_documents; }
  ScheduleFlow &schedule() { return m_schedule; }
  MeasureFlow &measuring() { return m_measure; }
  HostModel &hosts() { return m_hosts; }
  CrashLadder &ladder() { return m_ladder; }
  Selection &selection() { return m_selection; }
  Bridge &bridge() { return m_bridge; }
  DagPanel &dag() { return *m_dag; }
  DagEditor &dagEditor() { return *m_dagEditor; }
  StagePanel &stages() { return *m_stages; }
  DecisionPanel &decisions() { return *m_decisions; }
  CandidatePanel &candidates() { return *m_candidates; }
  OccupancyPanel &occupancy() { return *m_occupancy; }
  RooflinePanel &roofline() { return *m_roofline; }
  CodePanel &code() { return *m_code; }
  MeasurementPanel &measurements() { return *m_measurements; }
  LogModel &log() { return m_log; }
  PipelinePanel &pipeline() { return *m_pipeline; }

protected:
  void closeEvent(QCloseEvent *event) override;
  void dragEnterEvent(QDragEnterEvent *event) override;
  void dropEvent(QDropEvent *event) override;
  void changeEvent(QEvent *event) override;
  void childEvent(QChildEvent *event) override;

private:
  // main_window_actions.cpp
  void buildActions();
  void buildFileMenu();
  void buildViewMenu();
  void buildHelpMenu();
  void buildToolBar();
  void addNamedTool(QToolBar &bar, QAction &action);
  void refreshIcons();
  QAction *addAction(QMenu &menu, const QString &text, const QString &iconName,
                     const QList<QKeySequence> &keys, const std::function<void()> &run);
  void fillRecentMenu();
  void fillSizeMenu();
  void setAppearance(Appearance appearance);
  void askForFile();
  void exportDagTo(const QString &suffix);

  // main_window_document.cpp
  void addDocumentActions(QMenu &menu);
  void buildEditMenu();
  void connectDocument();
  void updateDocumentActions();
  void updateTitle();
  void whenSaved(std::function<void()> then);
  void save(std::function<void()> then = {});
  void askWhereToSave(std::function<void()> then = {});
  void askWhereToExport();
  void offerRecovery();

  // main_window_schedule.cpp
  void buildScheduleMenu();
  void addSearchTools(QToolBar &bar);
  void startSearch(DocumentFlow::Around around);
  void updateSearchActions();
  void scheduleChanged();

  // main_window_measure.cpp
  void addMeasureActions(QMenu &menu);
  void addMeasureTools(QToolBar &bar);
  void updateMeasureActions();
  void updateMeasured();
  void fillHosts();
  void nameHosts();
  void chooseHost(const QString &host);
  void showHosts();
  void askForOthers();
  void remedy(Ability::Remedy remedy);

  // main_window_pipeline.cpp
  void buildPipelineDock();
  void chooseMachine(const QString &name);
  void fillMachines();

  // main_window_log.cpp
  void buildProblemDock();
  void showTarget(const LogTarget &target);
  bool isOpen(const QString &path) const;

  // main_window_tour.cpp
  void startTour();

  // main_window.cpp
  QDockWidget *addDock(const QString &name, const QString &title, QWidget *panel,
                       Qt::DockWidgetArea area);
  void restoreDefaultLayout();
  void shareRoom();
  void stateChanged();
  void documentChanged();
  void showRightPage();
  void updateStatus();

  QSettings &m_settings;
  WindowServices m_services;
  Bridge m_bridge;
  Selection m_selection;
  OpenFlow m_flow;
  ScheduleFlow m_schedule;
  DocumentFlow m_documents;
  CandidatePredictions m_predictions;
  PinnedSchedules m_pinned;
  ShownKernels m_kernels;
  MachineFlow m_machines;
  CrashLadder m_ladder;
  HostModel m_hosts;
  CompiledSchedules m_compiled;
  CompileFlow m_compile, m_compileCompared;
  MeasureFlow m_measure;
  Abilities m_abilities;
  OtherFlow m_others;
  LogModel m_log;
  LogWriter m_logWriter;
  RecentFiles m_recent;
  ProblemModel m_problemModel;
  QStackedWidget *m_pages = nullptr;
  StartPage *m_start = nullptr;
  OpenPage *m_openPage = nullptr;
  QWidget *m_dagPage = nullptr;
  NoteBar *m_note = nullptr, *m_recovery = nullptr, *m_measureNote = nullptr;
  DagPanel *m_dag = nullptr;
  DagEditor *m_dagEditor = nullptr;
  StagePanel *m_stages = nullptr;
  DetailsPanel *m_details = nullptr;
  DecisionPanel *m_decisions = nullptr;
  CandidatePanel *m_candidates = nullptr;
  ProblemPanel *m_problems = nullptr;
  LogPanel *m_logPanel = nullptr;
  OccupancyPanel *m_occupancy = nullptr;
  RooflinePanel *m_roofline = nullptr;
  CodePanel *m_code = nullptr;
  MeasurementPanel *m_measurements = nullptr;
  PipelinePanel *m_pipeline = nullptr;
  MachinePage *m_machinePage = nullptr;
  ToolPage *m_toolPage = nullptr;
  HostPage *m_hostPage = nullptr;
  CommandPalette *m_palette = nullptr;
  Tour *m_tour = nullptr; // while it is shown
  JobIndicator *m_jobs = nullptr;
  AbilityButton *m_ability = nullptr;
  QLabel *m_facts = nullptr;
  QLabel *m_predicted = nullptr;
  QLabel *m_measured = nullptr;
  QComboBox *m_machine = nullptr;
  QComboBox *m_algorithm = nullptr;
  QAction *m_startSearch = nullptr;
  QAction *m_searchAround = nullptr;
  QAction *m_stopSearch = nullptr;
  QAction *m_measureShown = nullptr, *m_measureAll = nullptr, *m_verify = nullptr,
          *m_stopMeasuring = nullptr, *m_lookForGpu = nullptr, *m_addOthers = nullptr,
          *m_counts = nullptr;
  QAction *m_undo = nullptr, *m_redo = nullptr;
  QAction *m_change = nullptr, *m_freeze = nullptr;
  QAction *m_save = nullptr, *m_exportSchedule = nullptr;
  bool m_mayClose = false; // what is unsaved was asked about
  QMenu *m_recentMenu = nullptr;
  QMenu *m_sizeMenu = nullptr;
  QMenu *m_hostMenu = nullptr;
  LayoutMenu *m_layouts = nullptr;
  QList<QDockWidget *> m_docks;
  QDockWidget *m_problemDock = nullptr;
  QDockWidget *m_detailsDock = nullptr, *m_pipelineDock = nullptr;
  QList<QDockWidget *> m_documentDocks; // tabs below the DAG, in the default layout
  QList<QDockWidget *> m_kernelDocks;   // tabs over the details, in the default layout
  QList<QAction *> m_documentActions;   // only while a pipeline is open
  QList<std::pair<QAction *, QString>> m_iconActions;
  QString m_lastDirectory;
  bool m_hasOwnLayout = false; // docks have sizes that are to stay
};

} // namespace tessera::views
