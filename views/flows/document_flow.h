// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/document/document.h"
#include "engine/document/journal.h"
#include "engine/tune/others.h"
#include "engine/document/size_history.h"
#include "views/flows/document_service.h"
#include "views/flows/open_flow.h"
#include "views/flows/schedule_flow.h"

#include <QByteArray>
#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::views {

// A document that comes with a pipeline: read from its file or a journal, or kept as another size
// of what is open.
struct LoadedDocument {
  document::Document document;
  open::OpenedPipeline opened;
  QString path;
  QByteArray layout;
  QStringList lost;
  bool isUnsaved = false;
  QString journal;                            // that it was recovered from
  std::optional<document::SizeHistory> sizes; // none: those of the document that is open
};
using LoadedDocumentPtr = std::shared_ptr<LoadedDocument>;

// The document on the GUI thread: what the user does to it, undo and redo, its file, its journal.
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
  // As it was opened: the files that a compiler reads. Null: nothing is open.
  const OpenFlow::DocumentPtr &opened() const { return m_opened; }
  const QString &path() const { return m_path; } // empty: never saved
  bool isModified() const { return m_unsaved != Unsaved::Nothing; }
  // Something would be lost that a search does not bring back.
  bool hasWork() const;
  const QStringList &lost() const { return m_lost; } // of a damaged file
  bool isRecovered() const { return m_isRecovered; } // from the journal of a program that died
  // What had no place when the pipeline became another one: rebuilt, of another size.
  const QStringList &notCarried() const { return m_notCarried; }
  const DocumentService &service() const { return m_service; }

  QString machine() const; // that schedules are for
  void setTarget(const QString &machine, const QString &algorithm);
  void retarget(const QString &machine); // what is current is predicted for it, too

  // Null: closed. Without a document that was read with it, a new one begins. The same file again,
  // at another size or rebuilt: the document is carried over, and another size is a step back to
  // the document as it was.
  void setOpened(const OpenFlow::DocumentPtr &opened, LoadedDocumentPtr loaded = nullptr);
  bool isCarriedTo(const open::OpenRequest &request) const; // nothing would be lost
  void forgetSizes(); // the file of the pipeline is another one now

  // A search, afresh or around the frozen decisions of what is current. Its best is a step of the
  // history and a candidate.
  enum class Around { Nothing, Decisions };
  void search(const QString &algorithm, const QString &machine, Around around);
  bool hasFrozen() const; // something to search around

  // Refused operations change nothing and are said by told().
  void apply(const document::Operation &operation);
  void edit(const QString &name, schedule::Schedule schedule);
  void choose(const document::Choice &choice);
  void setFrozen(const std::vector<schedule::DecisionKey> &decisions, bool frozen,
                 const QString &of);
  void load(std::uint64_t candidate);
  void keepCurrent(); // as a candidate of the user's
  // The candidate with the decisions that are shown, added where there is none; 0: nothing is.
  std::uint64_t keepShown();
  // What the user says of a candidate; each a step that can be undone.
  void rename(std::uint64_t candidate, const QString &name);
  void setNote(std::uint64_t candidate, const QString &note);
  void pin(std::uint64_t candidate, document::Pin pin); // taken from whoever has it
  void setQuarantined(std::uint64_t candidate, bool quarantined);
  void remove(std::uint64_t candidate);
  void importSchedule(const QString &word); // "manual" or a file, as a candidate
  // A candidate that somebody else made; false: one with these decisions is there already.
  bool addOther(const tune::Other &other, const FoundSchedule &found);
  void undo();
  void redo();
  QString undoName() const; // empty: nothing
  QString redoName() const;

  void openFile(const QString &path);
  // `then` is called once it is saved, and not where it cannot be.
  void save(const QString &path, const QByteArray &layout, std::function<void()> then = {});
  // As C++, Python or JSON, by the name's end.
  void exportSchedule(const QString &path);

  // Journals of programs that ended without a word.
  void lookForRecoverable();
  const std::vector<document::Recoverable> &recoverable() const { return m_recoverable; }
  void recover(const document::Recoverable &journal);
  void forget(const document::Recoverable &journal);

signals:
  // A document, which is to come back to setOpened() with its pipeline.
  void loaded(const tessera::views::LoadedDocumentPtr &document);
  void changed();        // the document, its path or whether it is modified
  void currentChanged(); // another schedule is current, or none, or its marks
  void saved(const QString &path);
  void exported(const QString &path); // the schedule
  void layoutRead(const QByteArray &layout);
  void told(const QString &note);                             // what could not be done, and why
  void importFailed(const QString &word, const QString &why); // its worker died
  void foundNothingElse(); // by a search that has ended: what is current stays
  void recoverableFound();

private:
  // What would be lost of the document if it were closed now, the least first.
  enum class Unsaved {
    Nothing,
    Repeatable, // a search brings it back
    Work        // only the user can
  };

  void readOnThread(const QString &title, std::function<Result<LoadedDocumentPtr>()> reader);
  void relabel(std::uint64_t candidate, const QString &what,
               const std::function<void(document::CandidateLabel &)> &change);
  // Every operation says what it adds to what is unsaved.
  void perform(const document::Operation &operation, Unsaved adds);
  void showCurrent();
  void takeFound(const SearchResult &result);
  void addDefault();
  struct Origin {
    document::CandidateOrigin kind{};
    QString from;    // the algorithm, the word of who made it
    QString machine; // that it was predicted for
  };
  void addFound(const QString &name, const Origin &origin, const FoundSchedule &found,
                Unsaved adds);
  void keepLoaded(LoadedDocument loaded, const OpenFlow::DocumentPtr &opened);
  // What was open before, its path, and whether this is only another size of it.
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
  QString m_recoveredFrom;      // the journal that the new one replaces
  std::uint64_t m_revision = 0; // operations so far
  std::vector<document::Recoverable> m_recoverable;
};

} // namespace tessera::views
