// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include <memory>

class QCommandLineParser;
class QSettings;

namespace tessera::views {

class MainWindow;

// Options that help does not list: for the scripts that measure the explorer and take its pictures.
struct DeveloperOptions {
  QString screenshot;    // grab the window once it has settled, then quit
  QString select;        // a stage to select first
  QString before;        // an algorithm to search with before that
  bool schedule = false; // search for a schedule first
  QString trigger;       // names of actions, with commas
  QString dock;          // a dock to bring to the front first
  QString code;          // compile, and show this tab of the code dock: "PTX"
  QString tab;           // and a tab in it
  QString act;           // an action to trigger then, by its name
  QString type;          // what to type into what has the focus then
  QSize dockSize;        // the picture is of that dock alone, of this size
  QString appearance;    // "light" or "dark"
  QSize size;
  bool reportStartup = false; // print when the first window was painted

  // The user's; for a picture, ones that begin empty and are forgotten.
  std::unique_ptr<QSettings> settings() const;
};

void addDeveloperOptions(QCommandLineParser &parser);
DeveloperOptions developerOptions(const QCommandLineParser &parser);

// Before the window is shown.
void watch(MainWindow &window, const DeveloperOptions &options);

} // namespace tessera::views
