// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/main_window.h"

#include "views/candidates/candidate_panel.h"
#include "views/code/code_panel.h"
#include "views/dag/dag_editor.h"
#include "views/decisions/decision_panel.h"
#include "views/details/details_panel.h"
#include "views/measurements/measurement_panel.h"
#include "views/models/counted_text.h"
#include "views/models/prediction_formula.h"
#include "views/occupancy/occupancy_panel.h"
#include "views/open/open_page.h"
#include "views/plot/plot_view.h"
#include "views/roofline/roofline_panel.h"
#include "views/stages/stage_panel.h"
#include "views/palette/command_palette.h"
#include "views/start/start_page.h"
#include "views/theme/icons.h"
#include "views/window/ability_button.h"
#include "views/window/action_reason.h"
#include "views/window/job_indicator.h"
#include "views/window/note_bar.h"
#include "views/window/window_settings.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace tessera::views {

namespace {
// An open, a layout, a plain layout, a search, a measurement and two compilations side by side.
constexpr int kThreads = 7;
const QString kAutoReload = QStringLiteral("autoReload");
} // namespace

MainWindow::MainWindow(WindowServices services, QSettings &settings, QWidget *parent)
    : QMainWindow(parent), m_settings(settings), m_services(std::move(services)),
      m_bridge(kThreads), m_flow(m_services.open, m_bridge),
      m_schedule(m_services.schedule, m_bridge),
      m_documents(m_services.document, m_flow, m_schedule, m_bridge),
      m_predictions(m_schedule, m_documents, m_bridge), m_pinned(m_schedule, m_documents, m_bridge),
      m_kernels(m_services.kernels, m_bridge, m_selection),
      m_machines(m_services.machines, m_bridge), m_hosts(m_services.measure, m_bridge, settings),
      m_compile(CompileFlow::Of::Shown, m_services.kernels, m_bridge, m_kernels, m_ladder,
                m_compiled),
      m_compileCompared(CompileFlow::Of::Compared, m_services.kernels, m_bridge, m_kernels,
                        m_ladder, m_compiled),
      m_measure(m_services.measure, m_bridge, m_documents, m_schedule, m_hosts, m_ladder),
      m_abilities(m_services.tools, toolChoices(settings), m_bridge, m_measure, m_ladder),
      m_others(m_services.others, m_bridge, m_documents, m_schedule), m_logWriter(m_log),
      m_recent(settings) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowTitle(QStringLiteral("Tessera"));
  setWindowIcon(applicationIcon());
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);

  m_start = new StartPage(
      findSamples(m_services.sampleFolder, resourceText(QStringLiteral("samples.json"))), m_recent,
      this);
  m_openPage = new OpenPage(m_flow, m_bridge, this);
  m_dagPage = new QWidget(this);
  m_note = new NoteBar(m_dagPage);
  m_measureNote = new NoteBar(m_dagPage);
  m_measureNote->setObjectName(QStringLiteral("measureNote"));
  m_dag = new DagPanel(m_selection, m_bridge, m_services.graphviz, m_dagPage);
  m_dagEditor = new DagEditor(*m_dag, m_documents, m_schedule, m_bridge, this);
  auto *column = new QVBoxLayout(m_dagPage);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_note);
  column->addWidget(m_measureNote);
  column->addWidget(m_dag, 1);
  m_pages = new QStackedWidget(this);
  for (QWidget *page :
       {static_cast<QWidget *>(m_start), static_cast<QWidget *>(m_openPage), m_dagPage})
    m_pages->addWidget(page);
  m_recovery = new NoteBar(this);
  m_recovery->setObjectName(QStringLiteral("recoveryBar"));
  auto *central = new QWidget(this);
  auto *rows = new QVBoxLayout(central);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  rows->addWidget(m_recovery);
  rows->addWidget(m_pages, 1);
  setCentralWidget(central);

  m_stages = new StagePanel(m_selection, this);
  m_details = new DetailsPanel(m_selection, this);
  addDock(QStringLiteral("stages"), tr("Stages"), m_stages, Qt::RightDockWidgetArea);
  m_detailsDock =
      addDock(QStringLiteral("details"), tr("Details"), m_details, Qt::RightDockWidgetArea);
  m_occupancy = new OccupancyPanel(m_kernels, this);
  m_kernelDocks << addDock(QStringLiteral("occupancy"), tr("Occupancy"), m_occupancy,
                           Qt::RightDockWidgetArea);
  m_roofline = new RooflinePanel(m_kernels, m_bridge, this);
  m_kernelDocks << addDock(QStringLiteral("roofline"), tr("Roofline"), m_roofline,
                           Qt::RightDockWidgetArea);
  m_code = new CodePanel(m_kernels, m_compile, m_compileCompared, m_selection, m_bridge,
                         m_services.kernels.version, this);
  m_kernelDocks << addDock(QStringLiteral("code"), tr("Code"), m_code, Qt::RightDockWidgetArea);
  m_decisions = new DecisionPanel(m_documents, m_schedule, m_selection, m_bridge, this);
  m_documentDocks << addDock(QStringLiteral("decisions"), tr("Decisions"), m_decisions,
                             Qt::BottomDockWidgetArea);
  m_candidates = new CandidatePanel(m_documents, m_schedule, m_measure, m_predictions, this);
  m_documentDocks << addDock(QStringLiteral("candidates"), tr("Candidates"), m_candidates,
                             Qt::BottomDockWidgetArea);
  m_measurements =
      new MeasurementPanel(m_documents, m_schedule, m_selection, m_measure, m_bridge, this);
  m_documentDocks << addDock(QStringLiteral("measurements"), tr("Measurements"), m_measurements,
                             Qt::BottomDockWidgetArea);
  buildProblemDock();
  m_measured = new QLabel(this);
  m_measured->setObjectName(QStringLiteral("measured"));
  m_measured->setAccessibleName(tr("Measured time"));
  buildPipelineDock();
  m_palette = new CommandPalette(this);
  buildActions();

  m_facts = new QLabel(this);
  m_facts->setAccessibleName(tr("About the open pipeline"));
  m_facts->setContentsMargins(8, 0, 8, 0);
  m_predicted = new QLabel(this);
  m_predicted->setObjectName(QStringLiteral("predicted"));
  m_predicted->setAccessibleName(tr("Predicted time"));
  m_predicted->setToolTip(predictionFormula());
  m_predicted->setContentsMargins(0, 0, 8, 0); // as wide a gap to what was measured
  m_jobs = new JobIndicator(m_bridge, this);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setAccessibleName(tr("Status"));
  statusBar()->addWidget(m_facts);
  statusBar()->addWidget(m_predicted);
  statusBar()->addWidget(m_measured);
  statusBar()->addPermanentWidget(m_jobs);
  m_ability = new AbilityButton(m_abilities, this);
  connect(m_ability, &AbilityButton::remedyWanted, this, &MainWindow::remedy);
  statusBar()->addPermanentWidget(m_ability);

  connect(m_start, &StartPage::openWanted, this, &MainWindow::askForFile);
  connect(m_start, &StartPage::fileWanted, this, &MainWindow::openFile);
  connect(m_openPage, &OpenPage::openWanted, this, &MainWindow::askForFile);
  connect(&m_flow, &OpenFlow::stateChanged, this, &MainWindow::stateChanged);
  connect(&m_flow, &OpenFlow::documentChanged, this, &MainWindow::documentChanged);
  connectDocument();
  connect(&m_flow, &OpenFlow::changedOnDisk, this, [this] {
    const QString file =
        QFileInfo(QString::fromStdString(m_flow.document()->request.path)).fileName();
    if (m_settings.value(kAutoReload).toBool()) return m_flow.reload();
    m_note->offer(tr("%1 has changed on disk.").arg(file), tr("&Reload"), tr("&Always"));
  });
  connect(m_note, &NoteBar::accepted, &m_flow, &OpenFlow::reload);
  connect(m_note, &NoteBar::acceptedForGood, this, [this] {
    m_settings.setValue(kAutoReload, true);
    m_flow.reload();
  });
  connect(m_dag, &DagPanel::layoutFailed, this, [this](const QString &message) {
    m_note->offerRetry(tr("Graphviz gave no layout, so a plain one is shown: %1").arg(message),
                       [this] { m_dag->layOut(); });
  });
  connect(m_occupancy, &OccupancyPanel::assemblerWanted, &m_compile, &CompileFlow::start);
  connect(&m_compile, &CompileFlow::changed, this, [this] {
    if (m_compile.state() == CompileFlow::State::Failed &&
        !m_code->isVisible()) // which says it too
      m_note->offerRetry(QString::fromStdString(m_compile.error()->message),
                         [this] { m_compile.start(); });
  });
  const auto tellSaved = [this](const QString &message, bool isError) {
    isError ? m_note->tell(message) : statusBar()->showMessage(message, 6000);
  };
  connect(m_roofline, &RooflinePanel::told, this, tellSaved);
  for (PlotView *chart : findChildren<PlotView *>())
    connect(chart, &PlotView::told, this, tellSaved);

  if (m_services.warmUp)
    m_bridge.run<Done>(
        QStringLiteral("warmUp"), {},
        [warmUp = m_services.warmUp](const job::JobContext &) -> Status {
          return warmUp(), Done{};
        },
        this,
        [this](const Status &) {
          m_log.add({LogLine::Kind::Worker,
                     {},
                     tr("Workers were started ahead of the first file"),
                     {},
                     {},
                     {}});
        });
  m_machines.load();
  restoreDefaultLayout();
  m_hasOwnLayout = restoreWindow(*this, m_settings);
  const auto rescue = [this] { rescueAll(*this); };
  connect(qApp, &QGuiApplication::screenRemoved, this, rescue, Qt::QueuedConnection);
  connect(qApp, &QGuiApplication::primaryScreenChanged, this, rescue, Qt::QueuedConnection);
  stateChanged();
  // All docks at once wanted more height than a small screen has; those that wait for a pipeline
  // want none.
  layout()->activate();
  restorePlace(*this, m_settings);
  m_documents.lookForRecoverable();
}

MainWindow::~MainWindow() {
  // Deliveries must find no half-destroyed window.
  m_bridge.cancelAll();
}

QDockWidget *MainWindow::addDock(const QString &name, const QString &title, QWidget *panel,
                                 Qt::DockWidgetArea area) {
  auto *dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setAccessibleName(title);
  dock->setWidget(panel);
  addDockWidget(area, dock);
  m_docks << dock;
  return dock;
}

void MainWindow::restoreDefaultLayout() {
  for (QDockWidget *dock : m_docks) {
    dock->setFloating(false);
    removeDockWidget(dock);
    const bool isBelow = dock == m_problemDock || m_documentDocks.contains(dock);
    addDockWidget(isBelow ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea, dock);
    dock->show();
  }
  for (QDockWidget *dock : m_kernelDocks)
    tabifyDockWidget(m_detailsDock, dock);
  m_detailsDock->raise();
  const QList<QDockWidget *> tabs = m_documentDocks.mid(1) + QList{m_problemDock};
  for (QDockWidget *dock : tabs)
    tabifyDockWidget(m_documentDocks.front(), dock);
  m_documentDocks.front()->raise();
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  shareRoom();
}

// Charts are below the stages, and want more of the height.
void MainWindow::shareRoom() {
  resizeDocks(m_docks.mid(0, 2), {560, 560}, Qt::Horizontal);
  resizeDocks(m_docks.mid(0, 2), {340, 560}, Qt::Vertical);
  resizeDocks({m_documentDocks.front()}, {290}, Qt::Vertical);
}

void MainWindow::openFile(const QString &path) {
  if (path.endsWith(QLatin1String(session::kDocumentEnding.data())))
    return whenSaved([this, path] {
      m_lastDirectory = QFileInfo(path).path();
      m_documents.openFile(QFileInfo(path).absoluteFilePath());
    });
  session::OpenRequest request;
  request.path = QFileInfo(path).absoluteFilePath().toStdString();
  openRequest(request);
}

void MainWindow::openRequest(const session::OpenRequest &request) {
  const auto open = [this, request] {
    m_lastDirectory = QFileInfo(QString::fromStdString(request.path)).path();
    m_flow.open(request);
  };
  m_documents.isCarriedTo(request) ? open() : whenSaved(open);
}

void MainWindow::stateChanged() {
  const OpenFlow::State state = m_flow.state();
  const bool failed = state == OpenFlow::State::Failed || state == OpenFlow::State::AskEstimates;
  m_problemModel.setError(QFileInfo(QString::fromStdString(m_flow.request().path)).fileName(),
                          failed ? m_flow.error() : std::nullopt);
  showRightPage();
}

// What was open stays in view while another file is being read; only a question or an error takes
// its place, and goes back to it.
void MainWindow::showRightPage() {
  const OpenFlow::State state = m_flow.state();
  const bool hasDocument = m_flow.document() != nullptr;
  const bool busyBehind = state == OpenFlow::State::Working && hasDocument;
  if (state != OpenFlow::State::Idle && !busyBehind)
    m_pages->setCurrentWidget(m_openPage);
  else
    m_pages->setCurrentWidget(hasDocument ? m_dagPage : static_cast<QWidget *>(m_start));
  // Empty panels around the start page would say nothing.
  for (QDockWidget *dock : m_docks) {
    const bool shown = !dock->isHidden();
    const QVariant wanted = dock->property("wanted");
    const bool mayShow = hasDocument || (state != OpenFlow::State::Idle && dock == m_problemDock &&
                                         m_problemModel.rowCount() > 0);
    if (mayShow && wanted.isValid()) {
      dock->setVisible(wanted.toBool());
      dock->setProperty("wanted", {});
    } else if (!mayShow && !wanted.isValid()) {
      dock->setProperty("wanted", shown);
      dock->hide();
    }
    enable(*dock->toggleViewAction(), mayShow ? QString() : tr("No pipeline is open"));
  }
  // Docks that were hidden so far have no sizes yet, but those that a window before left.
  if (hasDocument && !m_hasOwnLayout) {
    m_hasOwnLayout = true;
    QTimer::singleShot(0, this, &MainWindow::shareRoom);
  }
  for (QAction *action : m_documentActions)
    enable(*action, hasDocument ? QString() : tr("No pipeline is open"));
  updateStatus();
}

void MainWindow::documentChanged() {
  const auto &document = m_flow.document();
  m_selection.reset();
  m_note->hide();
  m_measureNote->hide();
  const pipeline::PipelinePtr pipeline = document ? document->opened.pipeline : nullptr;
  m_schedule.setPipeline(pipeline); // first: what it found belongs to the one before
  for (CompileFlow *flow : {&m_compile, &m_compileCompared})
    flow->setFile(document ? std::optional(document->opened.file) : std::nullopt);
  m_dag->setPipeline(pipeline);
  m_stages->setPipeline(pipeline);
  m_details->setPipeline(pipeline);
  m_problemModel.setPipeline(pipeline);
  m_documents.setOpened(document);
  if (document)
    m_recent.add(m_documents.path().isEmpty() ? QString::fromStdString(document->request.path)
                                              : m_documents.path());
  fillSizeMenu();
  updateTitle();
  if (pipeline) m_dag->setFocus();
}

void MainWindow::updateStatus() {
  const auto &document = m_flow.document();
  if (!document) return m_facts->setText(tr("Open a pipeline, or drop one here"));
  const pipeline::Pipeline &pipeline = *document->opened.pipeline;
  m_facts->setText(tr("%1   ·   %2   ·   %3")
                       .arg(QString::fromStdString(pipeline.name()),
                            stagesText(qint64(pipeline.stages().size())),
                            edgesText(qint64(pipeline.edges().size()))));
}

void MainWindow::closeEvent(QCloseEvent *event) {
  if (!m_mayClose && m_documents.hasWork()) {
    event->ignore();
    return whenSaved([this] {
      m_mayClose = true;
      close();
    });
  }
  for (QDockWidget *dock : m_docks) // what is hidden for want of a pipeline is not closed
    if (dock->property("wanted").isValid()) dock->setVisible(dock->property("wanted").toBool());
  saveWindow(*this, m_settings);
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

// QMainWindow makes the tabs of docks by itself, and gives them no name.
void MainWindow::childEvent(QChildEvent *event) {
  QMainWindow::childEvent(event);
  if (auto *tabs = qobject_cast<QTabBar *>(event->child()); tabs && event->polished())
    tabs->setAccessibleName(tr("Docks in tabs"));
}

void MainWindow::changeEvent(QEvent *event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) refreshIcons();
}

} // namespace tessera::views
