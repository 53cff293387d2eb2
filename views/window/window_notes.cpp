// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/window/window_notes.h"

#include "views/window/central_area.h"
#include "views/window/file_dialogs.h"
#include "views/window/note_bar.h"
#include "views/window/problem_dock.h"
#include "views/window/window_docks.h"
#include "engine/tune/search_run.h"
#include "views/candidates/candidate_panel.h"
#include "views/code/code_panel.h"
#include "views/dag/dag_editor.h"
#include "views/dag/dag_panel.h"
#include "views/decisions/decision_panel.h"
#include "views/measurements/measurement_panel.h"
#include "views/occupancy/occupancy_panel.h"
#include "views/roofline/roofline_panel.h"
#include "views/text/error_text.h"
#include "views/text/from_std.h"
#include "views/text/measurement_text.h"
#include "views/workspace/workspace.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QStatusBar>

#include <chrono>

namespace tessera::views {

WindowNotes::WindowNotes(QStatusBar &bar, Workspace &workspace, CentralArea &central,
                         WindowDocks &docks, FileDialogs &files)
    : QObject(&bar), m_bar(bar), m_workspace(workspace), m_central(central), m_docks(docks),
      m_files(files), m_note(central.note()), m_measureNote(central.measureNote()),
      m_recovery(central.recovery()) {
  followOpening();
  followDocument();
  followRecovery();
  followSchedule();
  followMeasuring();
  followPanels();
}

void WindowNotes::tell(const QString &what) { m_note.tell(what); }

void WindowNotes::mention(const QString &what, int milliseconds) {
  m_bar.showMessage(what, milliseconds);
}

void WindowNotes::hide() {
  m_note.hide();
  hideMeasuring();
}

void WindowNotes::hideMeasuring() { m_measureNote.hide(); }

void WindowNotes::offerFittingSizes() {
  if (!m_workspace.fittingRequest()) return;
  const pipeline::Pipeline &opened = *m_workspace.opening().document()->opened.pipeline;
  const pipeline::Remark &first = opened.conflicts().found.front();
  m_note.ask(tr("The estimates contradict the pipeline, so no schedule can run. %1: %2")
                 .arg(QString::fromStdString(first.subject), QString::fromStdString(first.text)),
             tr("Fi&t the Estimates"), [this] {
               if (const auto request = m_workspace.fittingRequest()) m_files.open(*request);
             });
}

void WindowNotes::offerOwnSchedule() {
  const auto &document = m_workspace.opening().document();
  if (!document || !document->opened.isUnscheduled) return;
  m_note.ask(
      tr("%1 has a schedule of its own. It was opened without that schedule, so that it can have "
         "others.")
          .arg(QFileInfo(QString::fromStdString(document->request.path)).fileName()),
      tr("&Import Its Schedule"),
      [this] { m_workspace.documents().importSchedule(from(document::kManual)); });
}

void WindowNotes::followOpening() {
  OpenFlow &opening = m_workspace.opening();
  connect(&opening, &OpenFlow::changedOnDisk, this, [this, &opening] {
    if (m_workspace.reloadsByItself()) return;
    const QString path = QString::fromStdString(opening.document()->request.path);
    m_note.offer(tr("%1 has changed on disk.").arg(QFileInfo(path).fileName()), tr("&Reload"),
                 tr("&Always"));
  });
  connect(&m_note, &NoteBar::accepted, &opening, &OpenFlow::reload);
  connect(&m_note, &NoteBar::acceptedForGood, &m_workspace, &Workspace::reloadByItself);
}

void WindowNotes::followDocument() {
  DocumentFlow &documents = m_workspace.documents();
  connect(&documents, &DocumentFlow::told, this, [this](const QString &note) {
    if (m_workspace.opening().document())
      m_note.tell(note);
    else
      m_recovery.tell(note); // this note is visible over the start page
  });
  connect(&documents, &DocumentFlow::importFailed, this,
          [this, &documents](const QString &word, const QString &why) {
            m_note.offerRetry(why, [&documents, word] { documents.importSchedule(word); });
          });
  connect(&documents, &DocumentFlow::searchEnded, this, &WindowNotes::tellSearched);
  connect(&documents, &DocumentFlow::searchRestarted, this, [this](const QString &machine) {
    mention(tr("The search was restarted, for %1").arg(machine), 8000);
  });
  connect(&documents, &DocumentFlow::saved, this, [this](const QString &path) {
    mention(tr("Saved %1").arg(QFileInfo(path).fileName()), 4000);
  });
  const auto exported = [this](const QString &path) {
    mention(tr("Exported to %1").arg(QDir::toNativeSeparators(path)), 6000);
  };
  connect(&documents, &DocumentFlow::exported, this, exported);
  connect(&m_files, &FileDialogs::exported, this, exported);
  connect(&m_files, &FileDialogs::failed, &m_note, &NoteBar::tell);
}

// A found schedule that is slower than the user's is only a candidate. The note offers to make it
// the current schedule.
void WindowNotes::tellSearched(const SearchOutcome &outcome) {
  const SearchResult &result = outcome.result;
  const QString kept = outcome.kept.isEmpty() ? QString()
                       : outcome.kept.size() == 1
                           ? tr("Kept, because it is frozen: %1").arg(outcome.kept.front())
                           : tr("%n frozen decisions were kept", nullptr, int(outcome.kept.size()));
  if (outcome.isTaken) {
    if (!kept.isEmpty()) mention(kept, 8000);
    return;
  }
  mention(QStringList{tr("The search found nothing faster than the current schedule"), kept}.join(
              kept.isEmpty() ? QString() : QStringLiteral(". ")),
          8000);
  const double found = result.best->found.prediction.seconds,
               before = result.before->found.prediction.seconds;
  if (result.isStopped || tune::verdictOn(found, before) != tune::Verdict::Slower) return;
  const auto candidate = m_workspace.documents().document().candidate(outcome.candidate);
  if (!candidate) return;
  const QString name = QString::fromStdString(candidate->label.name);
  m_note.ask(
      tr("The search with %1 found a schedule of %2 ms. Yours takes %3 ms, so it stays; the "
         "other one is the candidate %4.")
          .arg(result.wish.algorithm, threeDigits(found * 1e3), threeDigits(before * 1e3), name),
      tr("&Use %1").arg(name),
      [this, id = outcome.candidate] { m_workspace.documents().load(id); });
}

void WindowNotes::followRecovery() {
  DocumentFlow &documents = m_workspace.documents();
  connect(&documents, &DocumentFlow::recoverableFound, this, &WindowNotes::offerRecovery);
  connect(&m_recovery, &NoteBar::accepted, this, [this, &documents] {
    if (!documents.recoverable().empty())
      m_files.whenSaved([&documents] { documents.recover(documents.recoverable().front()); });
  });
  connect(&m_recovery, &NoteBar::acceptedForGood, this, [&documents] {
    if (!documents.recoverable().empty()) documents.forget(documents.recoverable().front());
    documents.lookForRecoverable(); // there may be more recoverable documents
  });
}

void WindowNotes::offerRecovery() {
  const document::Recoverable &found = m_workspace.documents().recoverable().front();
  const QString name = found.path.empty()
                           ? QString::fromStdString(found.pipeline)
                           : QFileInfo(QString::fromStdString(found.path)).fileName();
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(found.changed.time_since_epoch()).count();
  const QString when =
      QLocale().toString(QDateTime::fromSecsSinceEpoch(seconds), QLocale::ShortFormat);
  m_recovery.offer(tr("Tessera ended unexpectedly. %1, last changed %2, can be opened as it was.")
                       .arg(name, when),
                   tr("&Recover"), tr("&Discard"));
}

void WindowNotes::followSchedule() {
  ScheduleFlow &schedule = m_workspace.schedule();
  connect(&schedule, &ScheduleFlow::notShown, this, [this, &schedule] {
    m_note.tell(tr("The cost model cannot predict this schedule: %1")
                    .arg(errorText(*schedule.error()))
                    .trimmed());
  });
  connect(&schedule, &ScheduleFlow::refused, this, [this, &schedule] {
    m_note.tell(tr("No schedule was found: %1").arg(errorText(*schedule.error())));
  });
  CompileFlow &compiling = m_workspace.compiling();
  connect(&compiling, &CompileFlow::changed, this, [this, &compiling] {
    if (compiling.state() == CompileFlow::State::Failed &&
        m_docks.code().visibleRegion().isEmpty()) // else the code dock shows the error itself
      m_note.offerRetry(QString::fromStdString(compiling.error()->message),
                        [&compiling] { compiling.start(); });
  });
  connect(&m_workspace.machines(), &MachineFlow::told, &m_note, &NoteBar::tell);
}

void WindowNotes::followMeasuring() {
  MeasureFlow &measuring = m_workspace.measuring();
  connect(&measuring, &MeasureFlow::failed, this, &WindowNotes::tellFailedMeasurements);
  connect(&m_measureNote, &NoteBar::accepted, &measuring, &MeasureFlow::retry);
  connect(&measuring, &MeasureFlow::verified, this,
          [this](quint64, const QString &text) { m_measureNote.tell(text); });
  connect(&measuring, &MeasureFlow::measured, this, [this, &measuring](quint64 id) {
    // The time of the shown schedule needs no message: the status bar shows it beside the
    // prediction.
    const auto candidate = m_workspace.documents().document().candidate(id);
    if (candidate && candidate != measuring.shownCandidate())
      mention(tr("%1: %2").arg(QString::fromStdString(candidate->label.name),
                               measuredText(*candidate->measurement)),
              6000);
  });
  connect(&measuring, &MeasureFlow::changed, this, [this, &measuring] {
    // The note is about the previous job, so it is hidden when another one runs.
    if (measuring.state() != MeasureFlow::State::Idle) m_measureNote.hide();
  });
}

void WindowNotes::tellFailedMeasurements() {
  const MeasureFlow &measuring = m_workspace.measuring();
  const QString off = m_workspace.ladder().mayMeasure() ? QString() : measuring.whyNotMeasure();
  if (off.isEmpty())
    m_measureNote.offer(measuring.failureText(), tr("&Retry"));
  else
    m_measureNote.tell(measuring.failureText() + '\n' + off);
}

void WindowNotes::followPanels() {
  DagPanel &dag = m_central.dag();
  connect(&dag, &DagPanel::layoutFailed, this, [this, &dag](const QString &message) {
    m_note.offerRetry(tr("Graphviz gave no layout, so a plain one is shown: %1").arg(message),
                      [&dag] { dag.layOut(); });
  });
  connect(&m_central.dagEditor(), &DagEditor::told, this,
          [this](const QString &what) { mention(what, 8000); });
  const auto tellSaved = [this](const QString &what, bool isError) {
    isError ? tell(what) : mention(what, 6000);
  };
  connect(&m_docks.roofline(), &RooflinePanel::told, this, tellSaved);
  connect(&m_docks.occupancy(), &OccupancyPanel::told, this, tellSaved);
  connect(&m_docks.candidates(), &CandidatePanel::told, this, tellSaved);
  connect(&m_docks.measurements(), &MeasurementPanel::chartTold, this, tellSaved);
  connect(&m_docks.decisions(), &DecisionPanel::told, &m_note, &NoteBar::tell);
  connect(&m_docks.measurements(), &MeasurementPanel::told, &m_note, &NoteBar::tell);
  connect(&m_docks.problems(), &ProblemDock::told, &m_note, &NoteBar::tell);
  connect(&m_docks.problems(), &ProblemDock::placeTold, this,
          [this](const QString &text) { mention(text, 15'000); });
}

} // namespace tessera::views
