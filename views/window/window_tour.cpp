// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/window_tour.h"

#include "views/window/window_docks.h"
#include "views/window/window_tools.h"
#include "views/candidates/candidate_panel.h"
#include "views/dag/dag_panel.h"
#include "views/decisions/decision_panel.h"
#include "views/roofline/roofline_panel.h"
#include "views/tour/tour.h"

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
  return {{tr("The pipeline"),
           tr("Each box is a func, each line a read. Click a box to show its func in all panels. "
              "Zoom with the wheel, drag to move, press F to show everything."),
           [this] { return static_cast<QWidget *>(&m_dag); }},
          {tr("Schedule it"),
           tr("Press Ctrl+R to search for a fast schedule, for the GPU and with the algorithm "
              "chosen beside the button. In the DAG, its kernels get colours, and numbers in the "
              "order of their launches."),
           [this] { return m_tools.searchButton(); }},
          {tr("Decide"),
           tr("This table shows the decisions about each stage. Press Return to change a cell and "
              "see what each value would cost, Space to freeze it. Press Ctrl+Shift+R to search "
              "again and keep what is frozen."),
           dockOf(m_docks.decisions())},
          {tr("Compare"),
           tr("Every search adds its best schedule here, and so does every import. Press Return to "
              "load the selected candidate, A or B to pin it for comparison."),
           dockOf(m_docks.candidates())},
          {tr("Understand"),
           tr("The roofline shows how far each kernel is from what the GPU can do. Occupancy, code "
              "and the pipeline's sizes are in the tabs beside it."),
           dockOf(m_docks.roofline())},
          {tr("Find everything"),
           tr("Press Ctrl+K to find actions, stages, candidates and docks by a few letters. This "
              "tour is in the Help menu."),
           [this] { return static_cast<QWidget *>(m_window.menuBar()); },
           [](const QWidget &bar) {
             const auto &menus = static_cast<const QMenuBar &>(bar);
             return menus.actionGeometry(menus.actions().last()); // the Help menu
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
