// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/main_window.h"

#include "views/window/ability_button.h"
#include "views/window/central_area.h"
#include "views/window/edit_menu.h"
#include "views/window/file_dialogs.h"
#include "views/window/file_menu.h"
#include "views/window/help_menu.h"
#include "views/window/host_menu.h"
#include "views/window/measure_menu.h"
#include "views/window/palette_entries.h"
#include "views/window/pipeline_dock.h"
#include "views/window/problem_dock.h"
#include "views/window/schedule_menu.h"
#include "views/window/status_line.h"
#include "views/window/view_menu.h"
#include "views/window/window_actions.h"
#include "views/window/window_docks.h"
#include "views/window/window_notes.h"
#include "views/window/window_settings.h"
#include "views/window/window_tools.h"
#include "views/window/window_tour.h"
#include "views/candidates/candidate_panel.h"
#include "views/candidates/others_dialog.h"
#include "views/dag/dag_editor.h"
#include "views/decisions/decision_panel.h"
#include "views/details/details_panel.h"
#include "views/measurements/measurement_panel.h"
#include "views/occupancy/occupancy_panel.h"
#include "views/open/open_page.h"
#include "views/palette/command_palette.h"
#include "views/pipeline/machine_page.h"
#include "views/stages/stage_panel.h"
#include "views/start/start_page.h"
#include "views/theme/icons.h"
#include "views/theme/narrow_tabs.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QLayout>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>

#include <utility>

namespace tessera::views {

MainWindow::MainWindow(const WindowServices &services, QSettings &settings, QWidget *parent)
    : QMainWindow(parent), m_workspace(services, settings) {
  buildFrame();
  m_actions = new WindowActions(*this);
  m_central = new CentralArea(m_workspace, services.sampleFolder, services.graphviz, this);
  setCentralWidget(m_central);
  m_docks = new WindowDocks(*this, m_workspace);
  m_files = new FileDialogs(*this, m_workspace, m_central->dag(), services.sampleFolder);
  m_notes = new WindowNotes(*statusBar(), m_workspace, *m_central, *m_docks, *m_files);
  m_palette = new CommandPalette(this);
  buildMenus(services);
  m_tools = new WindowTools(m_workspace, *m_actions, *m_scheduleMenu, *m_measureMenu, this);
  addToolBar(m_tools);
  m_status = new StatusLine(*statusBar(), m_workspace, this);
  m_tour = new WindowTour(*this, m_central->dag(), *m_docks, *m_tools, settings);
  connectWorkspace();
  connectSchedule();
  connectPanels();
  connectDecisions();
  restore();
  m_workspace.start();
}

MainWindow::~MainWindow() {
  // A job that ends while the window is being destroyed must not deliver to any of its parts.
  m_workspace.bridge().cancelAll();
}

void MainWindow::buildFrame() {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowTitle(QStringLiteral("Tessera"));
  setWindowIcon(applicationIcon());
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
}

void MainWindow::buildMenus(const WindowServices &services) {
  menuBar()->setAccessibleName(tr("Menu"));
  auto *file = new FileMenu(*menuBar()->addMenu(tr("&File")), *m_actions, m_workspace, *m_files);
  connect(file, &FileMenu::quitWanted, this, &MainWindow::close);
  new EditMenu(*menuBar()->addMenu(tr("&Edit")), *m_actions, m_workspace, m_central->dag(),
               m_docks->decisions());
  auto *view = new ViewMenu(*menuBar()->addMenu(tr("&View")), *m_actions, *this, m_central->dag(),
                            *m_docks, m_workspace.settings(), services.systemIsDark);
  connect(view, &ViewMenu::told, this,
          [this](const QString &what) { m_notes->mention(what, 6000); });
  QMenu &search = *menuBar()->addMenu(tr("&Search"));
  search.setToolTipsVisible(true);
  m_scheduleMenu = new ScheduleMenu(search, *m_actions, m_workspace);
  search.addSeparator();
  m_measureMenu = new MeasureMenu(search, *m_actions, m_workspace);
  auto *help = new HelpMenu(*menuBar()->addMenu(tr("&Help")), *m_actions,
                            m_docks->problems().openLogFolder(), *this, services.versions);
  connect(help, &HelpMenu::paletteWanted, this, [this] { m_palette->open(paletteEntries(*this)); });
  connect(help, &HelpMenu::abilitiesWanted, this, [this] { m_status->abilities().toggle(); });
  connect(help, &HelpMenu::tourWanted, this, [this] {
    if (flow().document()) m_tour->start();
  });
}

void MainWindow::connectWorkspace() {
  connect(&flow(), &OpenFlow::documentChanged, this, &MainWindow::showPipeline);
  connect(&flow(), &OpenFlow::stateChanged, this, &MainWindow::showState);
  connect(&documents(), &DocumentFlow::changed, this, &MainWindow::showTitle);
  connect(&documents(), &DocumentFlow::layoutRead, this, &MainWindow::showLayout);
  connect(&measuring(), &MeasureFlow::measured, this,
          [this](quint64 id) { measurements().choose(id); });
  connect(&measuring(), &MeasureFlow::verified, this, [this](quint64 id, const QString &) {
    measurements().choose(id, MeasurementModel::Kind::Verified);
  });
  const auto explainEmpty = [this] {
    const QString whyNot = measuring().whyNotMeasureShown();
    measurements().setWhyEmpty(
        whyNot.isEmpty() ? tr("Nothing has been measured yet.\nPress Ctrl+M to measure the current "
                              "schedule, or Ctrl+Shift+M to verify its outputs without a GPU.")
                         : tr("Nothing has been measured yet.\n%1").arg(whyNot));
  };
  connect(&measuring(), &MeasureFlow::changed, this, explainEmpty);
  explainEmpty();
}

void MainWindow::connectSchedule() {
  connect(m_scheduleMenu, &ScheduleMenu::searchWanted, m_tools, &WindowTools::search);
  connect(m_scheduleMenu, &ScheduleMenu::machinesWanted, m_tools, &WindowTools::openMachines);
  connect(m_scheduleMenu, &ScheduleMenu::algorithmsWanted, m_tools, &WindowTools::openAlgorithms);
  MachinePage &machines = m_docks->pipeline().machinePage();
  connect(m_tools, &WindowTools::machineShown, &machines, &MachinePage::setMachine);
  machines.setMachine(m_tools->machine());
  connect(&schedule(), &ScheduleFlow::shownChanged, this, &MainWindow::showSchedule);
  connect(&schedule(), &ScheduleFlow::stateChanged, this, [this] {
    if (!schedule().isRunning()) dag().settle();
  });
  ShownKernels &kernels = m_workspace.kernels();
  connect(&kernels, &ShownKernels::changed, this, [this, &kernels] {
    std::vector<std::optional<double>> seconds;
    for (int i = 0; kernels.measurement() && i < kernels.count(); ++i)
      seconds.push_back(kernels.measured(i));
    // The schedule is set before the times, because these belong to its kernels.
    stages().showSchedule(schedule().shown());
    stages().showMeasured(std::move(seconds));
    const std::vector<ComparedSchedule> compared = kernels.compared();
    if (compared.empty()) return stages().setCompared(nullptr, {});
    stages().setCompared(compared.front().schedule, compared.front().title);
  });
  connect(&occupancy(), &OccupancyPanel::assemblerWanted, &m_workspace.compiling(),
          &CompileFlow::start);
}

void MainWindow::connectPanels() {
  connect(&m_central->start(), &StartPage::openWanted, m_files, &FileDialogs::askForFile);
  connect(&m_central->start(), &StartPage::fileWanted, this, &MainWindow::openFile);
  connect(&m_central->openPage(), &OpenPage::openWanted, m_files, &FileDialogs::askForFile);
  connect(&m_docks->pipeline(), &PipelineDock::openWanted, this, &MainWindow::openRequest);
  connect(&m_docks->problems(), &ProblemDock::fileWanted, this, &MainWindow::openFile);
  connect(&m_docks->problems(), &ProblemDock::openWanted, this, &MainWindow::openRequest);
  connect(&m_docks->problems(), &ProblemDock::candidateChosen, this, [this](quint64 candidate) {
    if (candidates().choose(candidate)) WindowDocks::show(candidates());
  });
  connect(&m_measureMenu->hosts(), &HostMenu::hostsWanted, &m_docks->pipeline(),
          &PipelineDock::showHosts);
  connect(m_measureMenu, &MeasureMenu::othersWanted, this, &MainWindow::askForOthers);
  connect(&candidates(), &CandidatePanel::othersWanted, this, &MainWindow::askForOthers);
  connect(&m_status->abilities(), &AbilityButton::remedyWanted, this, &MainWindow::remedy);
}

void MainWindow::connectDecisions() {
  connect(&candidates(), &CandidatePanel::comparisonWanted, this, [this](std::uint64_t candidate) {
    decisions().compareWith(candidate);
    WindowDocks::show(decisions());
  });
  connect(&decisions(), &DecisionPanel::searchWanted, &m_scheduleMenu->start(), &QAction::trigger);
  const auto choose = [this](Subject subject, QRect where) {
    if (schedule().shown()) decisions().chooseFor(subject, where);
  };
  connect(&dag(), &DagPanel::choicesWanted, this, choose);
  connect(&dagEditor(), &DagEditor::choicesWanted, this, choose);
  connect(&dagEditor(), &DagEditor::freezeWanted, &decisions(), &DecisionPanel::freezeStage);
}

void MainWindow::restore() {
  QSettings &settings = m_workspace.settings();
  m_docks->restoreDefaults();
  if (restoreWindow(*this, settings)) m_docks->setHasOwnLayout();
  const auto rescue = [this] { rescueAll(*this); };
  connect(qApp, &QGuiApplication::screenRemoved, this, rescue, Qt::QueuedConnection);
  connect(qApp, &QGuiApplication::primaryScreenChanged, this, rescue, Qt::QueuedConnection);
  showState();
  // Lays out the window now, without the docks that are hidden until a pipeline is open. All docks
  // together would need more height than a small screen has.
  layout()->activate();
  restorePlace(*this, settings);
}

void MainWindow::openFile(const QString &path) { m_files->open(path); }

void MainWindow::openRequest(const open::OpenRequest &request) { m_files->open(request); }

void MainWindow::offerTour() { m_tour->offer(); }

DagPanel &MainWindow::dag() { return m_central->dag(); }

DagEditor &MainWindow::dagEditor() { return m_central->dagEditor(); }

StagePanel &MainWindow::stages() { return m_docks->stages(); }

DecisionPanel &MainWindow::decisions() { return m_docks->decisions(); }

CandidatePanel &MainWindow::candidates() { return m_docks->candidates(); }

FootprintPanel &MainWindow::footprint() { return m_docks->footprint(); }

OccupancyPanel &MainWindow::occupancy() { return m_docks->occupancy(); }

RooflinePanel &MainWindow::roofline() { return m_docks->roofline(); }

CodePanel &MainWindow::code() { return m_docks->code(); }

MeasurementPanel &MainWindow::measurements() { return m_docks->measurements(); }

PipelinePanel &MainWindow::pipeline() { return m_docks->pipeline().panel(); }

void MainWindow::showPipeline() {
  const auto &document = flow().document();
  const pipeline::PipelinePtr pipeline = document ? document->opened.pipeline : nullptr;
  m_notes->hide();
  dag().setPipeline(pipeline);
  stages().setPipeline(pipeline);
  m_docks->details().setPipeline(pipeline);
  showTitle();
  m_notes->offerOwnSchedule();
  m_notes->offerFittingSizes(); // matters more, and takes the place of the other
  if (pipeline) dag().setFocus();
}

void MainWindow::showState() {
  m_central->showRightPage();
  m_docks->showThoseThatMay();
  m_actions->setHasPipeline(flow().document() != nullptr);
  m_status->showFacts();
}

void MainWindow::showSchedule() {
  const ShownSchedulePtr &shown = schedule().shown();
  dag().showSchedule(shown, schedule().isRunning() ? DagPanel::Stage::Provisional
                                                   : DagPanel::Stage::Settled);
  stages().showSchedule(shown);
  m_docks->details().showSchedule(shown);
}

void MainWindow::showLayout(const QByteArray &layout) {
  const document::Document::Parts &parts = documents().document().parts();
  m_tools->choose(QString::fromStdString(parts.machine), QString::fromStdString(parts.algorithm));
  // Delayed until the docks that the start page hides are shown again.
  QTimer::singleShot(0, this, [this, layout] {
    restoreLayout(*this, layout);
    if (documents().lost().isEmpty()) return;
    m_notes->tell(tr("The document is damaged, and these parts of it are lost: %1. The file stays "
                     "as it is; save what is left under another name.")
                      .arg(documents().lost().join(QStringLiteral(", "))));
  });
}

void MainWindow::showTitle() {
  const auto &document = flow().document();
  QString title = QStringLiteral("Tessera");
  if (document && !documents().path().isEmpty()) {
    title = tr("%1[*] — Tessera").arg(QFileInfo(documents().path()).fileName());
  } else if (document) {
    const QString name = QString::fromStdString(document->opened.pipeline->name());
    const std::string &size = document->request.size;
    title = size.empty() || size == open::kOwnSize
                ? tr("%1[*] — Tessera").arg(name)
                : tr("%1, %2[*] — Tessera").arg(name, QString::fromStdString(size));
  }
  setWindowTitle(title);
  setWindowModified(document && documents().isModified());
}

void MainWindow::askForOthers() {
  if (auto *open = findChild<OthersDialog *>()) return open->raise();
  auto *dialog = new OthersDialog(m_workspace.others(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

// Performs what the user chose on the card of abilities.
void MainWindow::remedy(Ability::Remedy remedy) {
  switch (remedy) {
  case Ability::Remedy::None:
    return;
  case Ability::Remedy::LookForGpu:
    return measuring().lookForGpu();
  case Ability::Remedy::ClimbBack:
    // The note says what was switched off after crashes. climb() switches it on again.
    m_notes->hideMeasuring();
    return ladder().climb();
  case Ability::Remedy::ShowTools:
    return m_docks->pipeline().showTools();
  }
}

void MainWindow::closeEvent(QCloseEvent *event) {
  if (!m_mayClose && documents().hasWork()) {
    event->ignore();
    return m_files->whenSaved([this] {
      m_mayClose = true;
      close();
    });
  }
  m_docks->showThoseThatWait();
  saveWindow(*this, m_workspace.settings());
  QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
  for (const QUrl &url : event->mimeData()->urls())
    if (url.isLocalFile()) return event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
  for (const QUrl &url : event->mimeData()->urls()) {
    if (!url.isLocalFile()) continue;
    event->acceptProposedAction();
    return openFile(url.toLocalFile());
  }
}

// QMainWindow creates the tab bars of docks by itself and gives them no accessible name.
void MainWindow::childEvent(QChildEvent *event) {
  QMainWindow::childEvent(event);
  auto *tabs = qobject_cast<QTabBar *>(event->child());
  if (!tabs || !event->polished()) return;
  tabs->setAccessibleName(tr("Tabbed panels"));
  makeNarrow(*tabs);
}

} // namespace tessera::views
