// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <vector>

class QMainWindow;
class QSettings;

namespace tessera::views {

class DagPanel;
class Tour;
class WindowDocks;
class WindowTools;
struct TourStep;

// The tour through the window: where it points, and when it comes by itself.
class WindowTour : public QObject {
  Q_OBJECT
public:
  WindowTour(QMainWindow &window, DagPanel &dag, WindowDocks &docks, WindowTools &tools,
             QSettings &settings);

  void start();
  void offer(); // with the first pipeline, to whoever has not seen it

private:
  std::vector<TourStep> steps();

  QMainWindow &m_window;
  DagPanel &m_dag;
  WindowDocks &m_docks;
  WindowTools &m_tools;
  QSettings &m_settings;
  Tour *m_tour = nullptr; // while it is shown
};

} // namespace tessera::views
