// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/flows/document_service.h"
#include "views/flows/open_flow.h"
#include "views/flows/schedule_flow.h"
#include "engine/document/document.h"
#include "engine/document/journal.h"
#include "engine/document/size_history.h"
#include "engine/tune/others.h"

#include <QByteArray>
#include <QObject>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// A document that comes with its pipeline: read from its file or a journal, or the same document at
// another size.
struct LoadedDocument {
  document::Document document;
  open::OpenedPipeline opened;
  QString path;
  QByteArray layout;
  QStringList lost;
  bool isUnsaved = false;
  QString journal;                            // the journal from which it was recovered
  std::optional<document::SizeHistory> sizes; // none: the history of sizes stays as it is
};
using LoadedDocumentPtr = std::shared_ptr<LoadedDocument>;

// What has become of the result of a search.
struct SearchOutcome {
  SearchResult result;
  bool isTaken = false;        // the result is the current schedule now
  std::uint64_t candidate = 0; // the candidate that keeps it; 0: none
  QStringList kept;            // the frozen decisions, in words
};

// The document on the GUI thread: the user's operations, undo and redo, its file and its journal.
//
//   a pipeline was opened ─────────────────────▶ setOpened(opened) ───────────┐
//   openFile(), recover() ─ a thread reads ─┐                                 ├▶ changed(),
//   undo(), redo() to another size ─────────┴▶ loaded() ─ setOpened(opened,   ┘  currentChanged()
//                                                                   loaded)
//   apply(), undo(), redo(), ScheduleFlow::found() ─▶ the document, its journal,
//                                                     ScheduleFlow::show()
class DocumentFlow : public QObject {
  Q_OBJECT
public:
  DocumentFlow(DocumentService service, ScheduleFlow &schedule, Bridge &bridge,
               QObject *parent = nullptr);
  ~DocumentFlow() override;

  bool hasDocument() const { return m_document.has_value(); }
  const document::Document &document() const { return *m_document; }
  // The opened pipeline with the files that a compiler reads. Null: nothing is open.
  const OpenFlow::DocumentPtr &opened() const { return m_opened; }
  const QString &path() const { return m_path; } // empty: never saved
  bool isModified() const { return m_unsaved != Unsaved::Nothing; }
  // The document contains something that the user should be asked about before it is lost. Any
  // schedule counts, even one from a search: searching again may take minutes and find another one.
  bool hasWork() const;
  const QStringList &lost() const { return m_lost; } // parts that a damaged file has lost
  // The document comes from the journal of a program that crashed.
  bool isRecovered() const { return m_isRecovered; }
  // Parts of the document that could not be carried over when the pipeline was rebuilt or opened at
  // another size.
  const QStringList &notCarried() const { return m_notCarried; }
  const DocumentService &service() const { return m_service; }

  QString machine() const; // the machine that schedules are made for
  void setTarget(const QString &machine, const QString &algorithm);
  // Also predicts the current schedule for it. A search that runs begins anew for it.
  void retarget(const QString &machine);
  void restartSearch(); // the running one, for the machine and the schedule as they are now

  // Null: closed. If no document was read with the pipeline, a new one begins. If the same file is
  // opened again, rebuilt or at another size, the document is carried over; in the case of another
  // size, undo returns to the document as it was.
  void setOpened(const OpenFlow::DocumentPtr &opened, LoadedDocumentPtr loaded = nullptr);
  bool isCarriedTo(const open::OpenRequest &request) const; // the document would be carried over
  void forgetSizes();                                       // the pipeline's file has changed

  // Starts a search. Frozen decisions are kept. All others begin with their defaults (Nothing), or
  // with those of the current schedule (Decisions). The result becomes a candidate, and a step of
  // the history if it is faster than the current schedule. searchEnded() says what happened.
  enum class Around { Nothing, Decisions };
  void search(const QString &algorithm, const QString &machine, Around around);
  int frozenCount() const; // decisions of the current schedule that every search keeps
  bool hasFrozen() const { return frozenCount() > 0; }

  // A refused operation changes nothing; told() says why it was refused.
  void apply(const document::Operation &operation);
  void edit(const QString &name, schedule::Schedule schedule);
  void choose(const document::Choice &choice);
  void setFrozen(const std::vector<schedule::DecisionKey> &decisions, bool frozen,
                 const QString &of);
  void load(std::uint64_t candidate);
  void keepCurrent(); // adds the shown schedule as the user's candidate
  // Returns the candidate with the shown decisions and adds it if there is none; 0: no schedule is
  // shown, or a search is running.
  std::uint64_t keepShown();
  // The user's labels of a candidate. Each change is a step that can be undone.
  void rename(std::uint64_t candidate, const QString &name);
  void setNote(std::uint64_t candidate, const QString &note);
  // Another candidate that has this pin loses it.
  void pin(std::uint64_t candidate, document::Pin pin);
  void setQuarantined(std::uint64_t candidate, bool quarantined);
  void remove(std::uint64_t candidate);
  // Adds a candidate; `word` is "manual" or a file. It becomes the current schedule if there is
  // none.
  void importSchedule(const QString &word);
  // Adds a schedule made by another scheduler. False: a candidate with the same decisions exists.
  bool addOther(const tune::Other &other, const FoundSchedule &found);
  void undo();
  void redo();
  QString undoName() const; // empty: there is nothing to undo
  QString redoName() const;

  void openFile(const QString &path);
  // `then` is called after the document was saved. It is not called if saving fails.
  void save(const QString &path, const QByteArray &layout, std::function<void()> then = {});
  // The file name's ending chooses C++, Python or JSON.
  void exportSchedule(const QString &path);

  // Looks for the journals of programs that ended unexpectedly.
  void lookForRecoverable();
  const std::vector<document::Recoverable> &recoverable() const { return m_recoverable; }
  void recover(const document::Recoverable &journal);
  void forget(const document::Recoverable &journal);

signals:
  // A document was read. The receiver passes it to setOpened() with its pipeline.
  void loaded(const tessera::views::LoadedDocumentPtr &document);
  void changed();        // the document, its path or its modified state
  void currentChanged(); // the current schedule or its marks have changed
  void saved(const QString &path);
  void exported(const QString &path); // a schedule was exported
  void layoutRead(const QByteArray &layout);
  void told(const QString &note);                             // what could not be done, and why
  void importFailed(const QString &word, const QString &why); // the worker that imports `word` died
  void searchEnded(const tessera::views::SearchOutcome &outcome);
  void searchRestarted(const QString &machine); // another machine was chosen while it ran
  void recoverableFound();

private:
  // What closing the document now would lose, from least to most.
  enum class Unsaved {
    Nothing,
    Repeatable, // a click or a search can bring it back
    Work        // only the user can make it again
  };

  void readOnThread(const QString &title, std::function<Result<LoadedDocumentPtr>()> reader);
  void relabel(std::uint64_t candidate, const QString &what,
               const std::function<void(document::CandidateLabel &)> &change);
  // `adds`: what the operation adds to the unsaved state.
  void perform(const document::Operation &operation, Unsaved adds);
  void showCurrent();
  void takeFound(const SearchResult &result);
  void addDefault();
  struct Origin {
    document::CandidateOrigin kind{};
    QString from;    // the name of the search algorithm or of the other scheduler
    QString machine; // the machine that it was predicted for
  };
  void addFound(const QString &name, const Origin &origin, const FoundSchedule &found,
                Unsaved adds);
  void keepLoaded(LoadedDocument loaded, const OpenFlow::DocumentPtr &opened);
  // The document that was open before, its path, and whether the new one only differs in size.
  struct Before {
    std::optional<document::Document> document;
    QString path;
    bool isAnotherSize = false;
  };
  void begin(const OpenFlow::DocumentPtr &opened, Before before);
  void startNew(const OpenFlow::DocumentPtr &opened);
  void readSize(document::SizeHistory::Entry entry);
  document::SizeHistory::Entry openEntry() const;
  document::JournalBase journalBase() const;
  void carryOver(document::Document before, const QString &path,
                 const OpenFlow::DocumentPtr &opened);
  void readSource(const OpenFlow::DocumentPtr &opened);
  void beginJournal();
  void endJournal();
  void checkJournal();
  void tell(const Error &error);

  DocumentService m_service;
  ScheduleFlow &m_schedule;
  Bridge &m_bridge;
  std::optional<document::Document> m_document;
  OpenFlow::DocumentPtr m_opened;
  QString m_path;
  QStringList m_lost, m_notCarried;
  Unsaved m_unsaved = Unsaved::Nothing;
  bool m_isRecovered = false;
  document::SizeHistory m_sizes;
  std::shared_ptr<document::Journal> m_journal;
  bool m_journalFailed = false;
  quint64 m_endedJournals = 0;
  QString m_recoveredFrom;      // path of the journal that the new journal will replace
  std::uint64_t m_revision = 0; // grows with each operation and each new document
  std::vector<document::Recoverable> m_recoverable;
};

} // namespace tessera::views
