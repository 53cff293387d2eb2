// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/window_docks.h"

#include "views/window/action_reason.h"
#include "views/window/dock_painting.h"
#include "views/window/pipeline_dock.h"
#include "views/window/problem_dock.h"
#include "views/block/block_panel.h"
#include "views/candidates/candidate_panel.h"
#include "views/code/code_panel.h"
#include "views/decisions/decision_panel.h"
#include "views/details/details_panel.h"
#include "views/footprint/footprint_panel.h"
#include "views/measurements/measurement_panel.h"
#include "views/occupancy/occupancy_panel.h"
#include "views/roofline/roofline_panel.h"
#include "views/stages/stage_panel.h"
#include "views/workspace/workspace.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QTimer>

namespace tessera::views {

namespace {
// A property of a dock that is hidden until a pipeline is open: whether it should be visible then.
// Other docks do not have it.
const char *const kWanted = "wanted";
} // namespace

WindowDocks::WindowDocks(QMainWindow &window, Workspace &workspace)
    : QObject(&window), m_window(window), m_workspace(workspace) {
  m_stages = new StagePanel(workspace.selection(), &window);
  m_details = new DetailsPanel(workspace.selection(), &window);
  add(QStringLiteral("stages"), tr("Stages"), m_stages, Qt::RightDockWidgetArea);
  m_right << add(QStringLiteral("details"), tr("Details"), m_details, Qt::RightDockWidgetArea);
  buildKernelDocks();
  buildDocumentDocks();
  m_problems = new ProblemDock(workspace, &window);
  add(QStringLiteral("problems"), *m_problems, Qt::BottomDockWidgetArea);
  m_below << m_problems;
  m_pipeline = new PipelineDock(workspace, &window);
  add(QStringLiteral("pipeline"), *m_pipeline, Qt::RightDockWidgetArea);
  m_right << m_pipeline;
  // These two are last, so that the shortcuts of the others stay as they are.
  m_footprint = new FootprintPanel(workspace.kernels(), workspace.documents(), workspace.schedule(),
                                   workspace.selection(), workspace.bridge(), &window);
  m_right.insert(1, add(QStringLiteral("footprint"), tr("Footprint"), m_footprint,
                        Qt::RightDockWidgetArea)); // beside the details
  m_block = new BlockPanel(workspace.kernels(), workspace.documents(), workspace.schedule(),
                           workspace.selection(), workspace.bridge(), &window);
  m_right << add(QStringLiteral("block"), tr("Thread block"), m_block, Qt::RightDockWidgetArea);
  paintInTurns();
}

// What changes all docks at once is painted dock by dock.
void WindowDocks::paintInTurns() {
  m_painting = new DockPainting(this);
  const auto hold = [this] { m_painting->hold(m_all); };
  connect(&m_workspace.opening(), &OpenFlow::documentChanged, m_painting, hold);
  connect(&m_workspace.schedule(), &ScheduleFlow::shownChanged, m_painting, hold);
  connect(&m_workspace.kernels(), &ShownKernels::changed, m_painting, hold);
}

void WindowDocks::buildKernelDocks() {
  Workspace &workspace = m_workspace;
  ShownKernels &kernels = workspace.kernels();
  m_occupancy = new OccupancyPanel(kernels, &m_window);
  m_right << add(QStringLiteral("occupancy"), tr("Occupancy"), m_occupancy,
                 Qt::RightDockWidgetArea);
  m_roofline = new RooflinePanel(kernels, workspace.bridge(), &m_window);
  m_right << add(QStringLiteral("roofline"), tr("Roofline"), m_roofline, Qt::RightDockWidgetArea);
  m_code = new CodePanel(kernels, workspace.compiling(), workspace.compilingCompared(),
                         workspace.selection(), workspace.bridge(),
                         workspace.services().kernels.version, &m_window);
  m_right << add(QStringLiteral("code"), tr("Code"), m_code, Qt::RightDockWidgetArea);
}

void WindowDocks::buildDocumentDocks() {
  Workspace &workspace = m_workspace;
  DocumentFlow &documents = workspace.documents();
  ScheduleFlow &schedule = workspace.schedule();
  m_decisions =
      new DecisionPanel(documents, schedule, workspace.selection(), workspace.bridge(), &m_window);
  m_below << add(QStringLiteral("decisions"), tr("Decisions"), m_decisions,
                 Qt::BottomDockWidgetArea);
  m_candidates = new CandidatePanel(documents, schedule, workspace.measuring(),
                                    workspace.predictions(), &m_window);
  m_below << add(QStringLiteral("candidates"), tr("Candidates"), m_candidates,
                 Qt::BottomDockWidgetArea);
  m_measurements = new MeasurementPanel(documents, schedule, workspace.selection(),
                                        workspace.measuring(), workspace.bridge(), &m_window);
  m_below << add(QStringLiteral("measurements"), tr("Measurements"), m_measurements,
                 Qt::BottomDockWidgetArea);
}

QDockWidget *WindowDocks::add(const QString &name, const QString &title, QWidget *panel,
                              Qt::DockWidgetArea area) {
  auto *dock = new QDockWidget(title, &m_window);
  dock->setWidget(panel);
  add(name, *dock, area);
  return dock;
}

void WindowDocks::add(const QString &name, QDockWidget &dock, Qt::DockWidgetArea area) {
  dock.setObjectName(name);
  dock.setAccessibleName(dock.windowTitle());
  m_window.addDockWidget(area, &dock);
  m_all << &dock;
}

QDockWidget *WindowDocks::show(const QWidget &panel) {
  auto *dock = qobject_cast<QDockWidget *>(panel.parentWidget());
  if (!dock) return nullptr;
  dock->show();
  dock->raise();
  return dock;
}

WindowDocks::Shown WindowDocks::shown() const {
  Shown shown;
  for (QDockWidget *dock : m_all) {
    if (!dock->isHidden()) shown.open << dock;
    if (!dock->visibleRegion().isEmpty()) shown.inFront << dock;
  }
  return shown;
}

void WindowDocks::restoreShown(const Shown &shown) {
  for (QDockWidget *dock : m_all)
    if (!dock->property(kWanted).isValid()) dock->setVisible(shown.open.contains(dock));
  for (QDockWidget *dock : shown.inFront)
    dock->raise();
}

// The docks stay hidden until each is a tab. Without tabs they would be stacked and need more
// height than a screen has, and the window would grow for them.
void WindowDocks::restoreDefaults() {
  for (QDockWidget *dock : m_all) {
    dock->hide();
    dock->setFloating(false);
    m_window.removeDockWidget(dock);
  }
  m_window.addDockWidget(Qt::RightDockWidgetArea, m_all.front());
  m_window.addDockWidget(Qt::RightDockWidgetArea, m_right.front());
  m_window.addDockWidget(Qt::BottomDockWidgetArea, m_below.front());
  for (const QList<QDockWidget *> &tabs : {m_right, m_below})
    for (QDockWidget *dock : tabs.mid(1))
      m_window.tabifyDockWidget(tabs.front(), dock);
  m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  for (QDockWidget *dock : m_all)
    dock->show();
  for (const QList<QDockWidget *> &tabs : {m_right, m_below})
    tabs.front()->raise();
  shareRoom();
}

// The sizes are fractions of the window's, so that each screen has enough room for the charts with
// their tables and for the names in the DAG.
void WindowDocks::shareRoom() {
  constexpr double kRight = 0.38, kStages = 0.29, kBelow = 0.39;
  constexpr int kBars = 90; // height of menu, tools and status
  const int height = m_window.height() - kBars, stages = int(height * kStages);
  const int width = qBound(420, int(m_window.width() * kRight), 780);
  const QList<QDockWidget *> right{m_all.front(), m_right.front()};
  m_window.resizeDocks(right, {width, width}, Qt::Horizontal);
  m_window.resizeDocks(right, {stages, height - stages}, Qt::Vertical);
  m_window.resizeDocks({m_below.front()}, {int(height * kBelow)}, Qt::Vertical);
}

void WindowDocks::setHasOwnLayout() { m_hasOwnLayout = true; }

// Docks are hidden while the start page is shown, because they would be empty. The problems of a
// file that could not be opened are shown even without a pipeline.
void WindowDocks::showThoseThatMay() {
  const bool hasDocument = m_workspace.opening().document() != nullptr;
  const bool hasProblems = m_workspace.opening().state() != OpenFlow::State::Idle &&
                           m_workspace.problems().rowCount() > 0;
  for (QDockWidget *dock : m_all)
    showIfItMay(*dock, hasDocument || (hasProblems && dock == m_problems));
  // Docks that were hidden until now have no sizes of their own, unless a saved layout has set
  // them.
  if (!hasDocument || m_hasOwnLayout) return;
  m_hasOwnLayout = true;
  QTimer::singleShot(0, this, &WindowDocks::shareRoom);
}

void WindowDocks::showIfItMay(QDockWidget &dock, bool may) {
  const bool shown = !dock.isHidden();
  const QVariant wanted = dock.property(kWanted);
  if (may && wanted.isValid()) {
    dock.setVisible(wanted.toBool());
    dock.setProperty(kWanted, {});
  } else if (!may && !wanted.isValid()) {
    dock.setProperty(kWanted, shown);
    dock.hide();
  }
  enable(*dock.toggleViewAction(), may ? QString() : tr("No pipeline is open"));
}

void WindowDocks::forgetWhoWaits() {
  for (QDockWidget *dock : m_all)
    dock->setProperty(kWanted, {});
}

void WindowDocks::showThoseThatWait() {
  for (QDockWidget *dock : m_all)
    if (dock->property(kWanted).isValid()) dock->setVisible(dock->property(kWanted).toBool());
}

} // namespace tessera::views
