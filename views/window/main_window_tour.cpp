// SPDX-License-Identifier: GPL-3.0-or-later
// The tour through MainWindow: where it points, and when it comes by itself.
#include "views/candidates/candidate_panel.h"
#include "views/dag/dag_panel.h"
#include "views/decisions/decision_panel.h"
#include "views/roofline/roofline_panel.h"
#include "views/tour/tour.h"
#include "views/window/main_window.h"

#include <QAction>
#include <QDockWidget>
#include <QMenuBar>
#include <QSettings>
#include <QToolBar>

namespace tessera::views {

namespace {
const QString kSeen = QStringLiteral("tour/seen");
} // namespace

void MainWindow::startTour() {
  if (m_tour || !m_flow.document()) return;
  const auto dockOf = [](QWidget *panel) {
    return [panel]() -> QWidget * {
      auto *dock = qobject_cast<QDockWidget *>(panel->parentWidget());
      if (!dock) return nullptr;
      dock->show();
      dock->raise();
      return dock;
    };
  };
  std::vector<TourStep> steps{
      {tr("The pipeline"),
       tr("Each box is a func, each line what it reads. Click one, and all panels speak of it. The "
          "wheel zooms, a drag moves, F shows all."),
       [this] { return static_cast<QWidget *>(m_dag); }},
      {tr("Schedule it"),
       tr("Ctrl+R searches for a fast schedule, for the GPU and with the algorithm beside the "
          "button. Its kernels get colours and numbers in the DAG, in the order of their "
          "launches."),
       [this] {
         return findChild<QToolBar *>(QStringLiteral("tools"))->widgetForAction(m_startSearch);
       }},
      {tr("Decide"),
       tr("What is decided of each stage. Return changes a cell and shows what each value would "
          "cost; Space freezes it. Ctrl+Shift+R searches again around what is frozen."),
       dockOf(m_decisions)},
      {tr("Compare"),
       tr("Every search leaves its best here. Return loads a candidate, A and B pin two; schedules "
          "of files and of hand stand beside them."),
       dockOf(m_candidates)},
      {tr("Understand"),
       tr("How far each kernel is from what the GPU can do. Occupancy, code and the pipeline's "
          "sizes are the tabs beside it."),
       dockOf(m_roofline)},
      {tr("Find everything"),
       tr("Ctrl+K finds actions, stages, candidates and docks by a few letters. This tour is in "
          "the Help menu."),
       [this] { return static_cast<QWidget *>(menuBar()); }}};
  m_tour = new Tour(std::move(steps), this);
  connect(m_tour, &Tour::finished, this, [this] {
    m_settings.setValue(kSeen, true);
    m_tour->deleteLater();
    m_tour = nullptr;
    m_dag->setFocus();
  });
  m_tour->start();
}

void MainWindow::offerTour() {
  if (m_settings.value(kSeen).toBool()) return;
  connect(
      m_dag, &DagPanel::laidOut, this,
      [this] {
        if (!m_settings.value(kSeen).toBool()) startTour();
      },
      Qt::SingleShotConnection);
}

} // namespace tessera::views
