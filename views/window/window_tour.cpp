// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/window_tour.h"

#include "views/candidates/candidate_panel.h"
#include "views/dag/dag_panel.h"
#include "views/decisions/decision_panel.h"
#include "views/roofline/roofline_panel.h"
#include "views/tour/tour.h"
#include "views/window/window_docks.h"
#include "views/window/window_tools.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenuBar>
#include <QSettings>

namespace tessera::views {

namespace {
const QString kSeen = QStringLiteral("tour/seen");
} // namespace

WindowTour::WindowTour(QMainWindow &window, DagPanel &dag, WindowDocks &docks, WindowTools &tools,
                       QSettings &settings)
    : QObject(&window), m_window(window), m_dag(dag), m_docks(docks), m_tools(tools),
      m_settings(settings) {}

std::vector<TourStep> WindowTour::steps() {
  const auto dockOf = [](const QWidget &panel) {
    return [&panel]() -> QWidget * { return WindowDocks::show(panel); };
  };
  return {
      {tr("The pipeline"),
       tr("Each box is a func, each line a read. Click a box, and all panels show that func. The "
          "wheel zooms, dragging moves, F shows all."),
       [this] { return static_cast<QWidget *>(&m_dag); }},
      {tr("Schedule it"),
       tr("Ctrl+R searches for a fast schedule, for the GPU and with the algorithm beside the "
          "button. Its kernels get colours and numbers in the DAG, in the order of their "
          "launches."),
       [this] { return m_tools.searchButton(); }},
      {tr("Decide"),
       tr("The decisions about each stage. Return changes a cell and shows what each value would "
          "cost; Space freezes it. Ctrl+Shift+R searches again and keeps what is frozen."),
       dockOf(m_docks.decisions())},
      {tr("Compare"),
       tr("Every search adds its best schedule here. Return loads a candidate, A and B pin two; "
          "imported and hand-written schedules are listed too."),
       dockOf(m_docks.candidates())},
      {tr("Understand"),
       tr("How far each kernel is from what the GPU can do. Occupancy and code are in the "
          "tabs beside it."),
       dockOf(m_docks.roofline())},
      {tr("Find everything"),
       tr("Ctrl+K finds actions, stages, candidates and docks by a few letters. This tour is in "
          "the Help menu."),
       [this] { return static_cast<QWidget *>(m_window.menuBar()); },
       [](const QWidget &bar) {
         const auto &menus = static_cast<const QMenuBar &>(bar);
         return menus.actionGeometry(menus.actions().last()); // Help
       }}};
}

void WindowTour::start() {
  if (m_tour) return;
  m_before = m_docks.shown();
  m_tour = new Tour(steps(), &m_window);
  connect(m_tour, &Tour::finished, this, [this] {
    m_settings.setValue(kSeen, true);
    m_tour->deleteLater();
    m_tour = nullptr;
    // The tour brought docks to the front that are empty before the first schedule.
    m_docks.restoreShown(m_before);
    m_dag.setFocus();
  });
  m_tour->start();
}

void WindowTour::offer() {
  if (m_settings.value(kSeen).toBool()) return;
  connect(
      &m_dag, &DagPanel::laidOut, this,
      [this] {
        if (!m_settings.value(kSeen).toBool()) start();
      },
      Qt::SingleShotConnection);
}

} // namespace tessera::views
