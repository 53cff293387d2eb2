// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/window/window_docks.h"

#include <QObject>

#include <vector>

class QMainWindow;
class QSettings;

namespace tessera::views {

class DagPanel;
class Tour;
class WindowTools;
struct TourStep;

// The tour of the window: which widgets it points at, and when it starts by itself.
class WindowTour : public QObject {
  Q_OBJECT
public:
  WindowTour(QMainWindow &window, DagPanel &dag, WindowDocks &docks, WindowTools &tools,
             QSettings &settings);

  void start();
  // Starts the tour when the first DAG is shown, unless the user has seen it.
  void offer();

private:
  std::vector<TourStep> steps();

  QMainWindow &m_window;
  DagPanel &m_dag;
  WindowDocks &m_docks;
  WindowTools &m_tools;
  QSettings &m_settings;
  Tour *m_tour = nullptr; // null while no tour is shown
  WindowDocks::Shown m_before;
};

} // namespace tessera::views
