// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QStatusBar;

namespace tessera::views {

class CentralArea;
class FileDialogs;
class NoteBar;
struct SearchOutcome;
class WindowDocks;
class Workspace;

// Shows the messages of flows and panels: errors and questions in a note above the DAG, finished
// actions in the status bar.
class WindowNotes : public QObject {
  Q_OBJECT
public:
  WindowNotes(QStatusBar &bar, Workspace &workspace, CentralArea &central, WindowDocks &docks,
              FileDialogs &files);

  void tell(const QString &what);                      // shows it in the note
  void mention(const QString &what, int milliseconds); // shows it in the status bar
  void hide();                                         // hides the notes about the pipeline
  void hideMeasuring();
  // Offers to open the pipeline with sizes that fit, if its estimates contradict it.
  void offerFittingSizes();
  // Offers the schedule that was taken off the pipeline when it was opened.
  void offerOwnSchedule();

private:
  void followOpening();
  void followDocument();
  void followRecovery();
  void followSchedule();
  void tellSearched(const SearchOutcome &outcome);
  void followMeasuring();
  void followPanels();
  void offerRecovery();
  void tellFailedMeasurements();

  QStatusBar &m_bar;
  Workspace &m_workspace;
  CentralArea &m_central;
  WindowDocks &m_docks;
  FileDialogs &m_files;
  NoteBar &m_note, &m_measureNote, &m_recovery;
};

} // namespace tessera::views
