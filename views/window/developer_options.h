// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include <memory>

class QCommandLineParser;
class QSettings;

namespace tessera::views {

class MainWindow;

// Options that --help does not list. Scripts use them to measure the explorer and to take
// screenshots.
struct DeveloperOptions {
  QString screenshot;    // grab the window once it has settled, then quit
  QString select;        // a stage to select first
  QString before;        // algorithm of a search that runs before `schedule`
  bool schedule = false; // search for a schedule before the picture
  QString trigger;       // names of actions to trigger, separated by commas
  QString dock;          // a dock to bring to the front
  QString code;          // compile, and show this tab of the code dock: "PTX"
  QString tab;           // a tab of `dock` to bring to the front
  QString act;           // name of an action to trigger after the dock is shown
  QString type;          // text to type into the widget that then has the focus
  QSize dockSize;        // grab only the dock, at this size
  QString appearance;    // "light" or "dark"
  QSize size;
  bool reportStartup = false; // print how long it took until the first window was painted

  // The user's settings. For a screenshot, empty settings that are thrown away.
  std::unique_ptr<QSettings> settings() const;
};

void addDeveloperOptions(QCommandLineParser &parser);
DeveloperOptions developerOptions(const QCommandLineParser &parser);

// Call before the window is shown.
void watch(MainWindow &window, const DeveloperOptions &options);

} // namespace tessera::views
