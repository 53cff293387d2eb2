// SPDX-License-Identifier: GPL-3.0-or-later
// The document without a screen: edits, undo, files and recovery, with a fake search.
#include "../test_pipelines.h"
#include "engine/document/pipeline_copy.h"
#include "engine/schedule/text/decision_text.h"
#include "views/workspace/workspace.h"

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace tessera;
using namespace tessera::views;
using document::CandidateOrigin;

class TestDocumentFlow : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup();

  void aNewPipelineIsADocument();
  void aSearchIsAStepAndACandidate();
  void choicesAreFrozenAndUndone();
  void freezingIsUndoneByName();
  void undoStopsASearchAndTakesItBack();
  void searchesAroundDecisions();
  void aSearchKeepsWhatIsFrozen();
  void aSlowerScheduleDoesNotTakeThePlaceOfAFasterOne();
  void savesAndOpensAgain();
  void aDamagedDocumentIsNotSavedOver();
  void recoversAfterACrash();
  void theSameFileAgainIsCarriedOver();
  void candidatesAreCarriedOverWithoutASchedule();
  void aSizeIsLeftAtOnce();
  void aFileThatChangedHasNoOtherSizes();
  void sizesAreSavedAndOpenedAgain();
  void sizesComeBackAfterACrash();
  void importsAndRefuses();
  void aDoubtedManualIsAddedWithItsDoubt();
  void keepsAndLoadsCandidates();
  void exportsByTheEnding();

private:
  void start();
  void open(const QString &name);
  void search() { m_documents->search("auto", "h200", DocumentFlow::Around::Nothing); }
  void searchAtTwoSizes();
  QByteArray journalOnceItHolds(const char *text);
  void crash(const QByteArray &journal);
  document::Choices choices(std::uint32_t stage);
  const schedule::Schedule &current() { return *m_documents->document().current(); }
  // True: the shown schedule is the document's current one.
  bool isShown() {
    const auto &shown = m_schedule->shown();
    const auto &document = m_documents->document().current();
    return shown && document && shown->found.schedule == *document &&
           shown->found.schedule.marks() == document->marks();
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<Workspace> m_workspace; // owns all flows below
  Bridge *m_bridge = nullptr;
  OpenFlow *m_open = nullptr;
  ScheduleFlow *m_schedule = nullptr;
  DocumentFlow *m_documents = nullptr;
  QStringList m_told;
  int m_manualCap = schedule::Settings().registerCap; // of the schedule that "manual" stands for
};

void TestDocumentFlow::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  start();
}

void TestDocumentFlow::start() {
  m_told.clear();
  m_manualCap = schedule::Settings().registerCap;
  DocumentService service;
  service.recoveryFolder = m_folder->filePath("recovery").toStdString();
  service.scratchFolder = m_folder->filePath("scratch").toStdString();
  service.version = "test";
  service.schedule = [this](const std::string &word, const open::OpenRequest &,
                            const open::OpenedPipeline &opened, std::stop_token,
                            const job::ProgressCallback &) -> Result<document::SourcedSchedule> {
    if (word == "manual") {
      document::SourcedSchedule manual{test::defaultFound(opened.pipeline).schedule,
                                       document::ScheduleSource::Manual};
      manual.schedule.set(schedule::Settings{.registerCap = m_manualCap, .promises = {}});
      return manual;
    }
    return Error{ErrorCode::InputRefused, "'" + word + "' is not a schedule.", {}};
  };
  WorkspaceServices services;
  services.open = test::cannedService();
  services.schedule = test::cannedScheduleService();
  services.document = service;
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  m_workspace = std::make_unique<Workspace>(services, *m_settings);
  m_bridge = &m_workspace->bridge();
  m_open = &m_workspace->opening();
  m_schedule = &m_workspace->schedule();
  m_documents = &m_workspace->documents();
  connect(m_documents, &DocumentFlow::told, this, [this](const QString &note) { m_told << note; });
}

void TestDocumentFlow::cleanup() { m_workspace.reset(); }

void TestDocumentFlow::open(const QString &name) {
  QFile file(m_folder->filePath(name));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("content of " + name.toUtf8());
  file.close();
  m_open->open(file.fileName());
  // Waits until the files are read, the default candidate is there, and no job is running.
  QTRY_VERIFY(m_documents->hasDocument() && !m_documents->document().candidates().empty());
  QTRY_VERIFY(m_bridge->running().empty());
}

document::Choices TestDocumentFlow::choices(std::uint32_t stage) {
  document::Choices all;
  const Status done = m_schedule->service().choices(
      current(), pipeline::StageId{stage}, "h200", {}, [&](document::Choices more) {
        std::move(more.begin(), more.end(), std::back_inserter(all));
      });
  return done ? all : document::Choices();
}

void TestDocumentFlow::aNewPipelineIsADocument() {
  open("blur.hlpipe");
  const document::Document &document = m_documents->document();
  QVERIFY(!document.current());
  QVERIFY(!m_documents->isModified());
  QCOMPARE(document.candidates().size(), std::size_t(1));
  QCOMPARE(document.candidates()[0]->origin, CandidateOrigin::Default);
  QCOMPARE(document.source().serialized, std::string("content of blur.hlpipe"));
  QCOMPARE(document.source().sha256.size(), std::size_t(64));
  m_open->close();
  QVERIFY(!m_documents->hasDocument());
}

void TestDocumentFlow::aSearchIsAStepAndACandidate() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  QCOMPARE(m_documents->undoName(), "Schedule with auto");
  QVERIFY(isShown());
  QVERIFY(m_documents->isModified());
  QVERIFY(m_documents->hasWork()); // no file has the schedule
  m_documents->undo();
  QVERIFY(!m_documents->document().current());
  QVERIFY(!m_documents->hasWork());
  QVERIFY(!m_schedule->shown());
  QCOMPARE(m_documents->redoName(), "Schedule with auto");
  m_documents->redo();
  QVERIFY(isShown()); // shown at once, because its prediction is known
}

void TestDocumentFlow::choicesAreFrozenAndUndone() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  const schedule::Schedule before = current();
  const document::Choices all = choices(0);
  QVERIFY(all.size() > 5);
  m_documents->choose(all.front());
  QVERIFY(!(current() == before));
  QCOMPARE(current().mark(all.front().decision), (schedule::Mark{schedule::Origin::User, true}));
  QVERIFY(m_documents->hasWork() && m_documents->hasFrozen());
  QTRY_VERIFY(isShown());
  QCOMPARE(m_schedule->shown()->found.prediction.seconds, all.front().seconds);
  QVERIFY2(m_documents->undoName().contains("blur_x"), qPrintable(m_documents->undoName()));
  m_documents->undo();
  QVERIFY(current() == before);
  QVERIFY(isShown());
}

void TestDocumentFlow::freezingIsUndoneByName() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  const auto keys =
      schedule::decisionsIn(current(), pipeline::StageId{0}, schedule::DecisionColumn::Tile);
  m_documents->setFrozen(keys, true, "the tile of blur_x");
  QCOMPARE(m_documents->undoName(), "Freeze the tile of blur_x");
  QVERIFY(current().mark(keys.front()).frozen && isShown());
  m_documents->setFrozen(keys, true, "the tile of blur_x"); // already frozen, so this is no step
  m_documents->undo();
  QVERIFY(!current().mark(keys.front()).frozen && isShown());
  QCOMPARE(m_documents->undoName(), "Schedule with auto");
}

void TestDocumentFlow::undoStopsASearchAndTakesItBack() {
  open("endless.hlpipe");
  search();
  QTRY_VERIFY(m_schedule->shown());
  QVERIFY(m_schedule->isRunning());
  m_documents->undo();
  QVERIFY(!m_schedule->isRunning());
  QVERIFY(!m_documents->document().current());
  QCOMPARE(m_documents->redoName(), "Schedule with auto");
}

void TestDocumentFlow::searchesAroundDecisions() {
  open("blur.hlpipe");
  QVERIFY(!m_documents->hasFrozen());
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  const document::Choice choice = choices(0).front();
  m_documents->choose(choice);
  m_documents->search("auto", "h200", DocumentFlow::Around::Decisions);
  QTRY_VERIFY(!m_schedule->isRunning());
  QVERIFY(current().mark(choice.decision).frozen);
  QVERIFY(current() == choice.after);
}

void TestDocumentFlow::aSearchKeepsWhatIsFrozen() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  const document::Choice choice = choices(0).front();
  m_documents->choose(choice);
  QCOMPARE(m_documents->frozenCount(), 1);
  std::vector<SearchOutcome> outcomes;
  connect(m_documents, &DocumentFlow::searchEnded, this,
          [&](const SearchOutcome &outcome) { outcomes.push_back(outcome); });
  search(); // not a search around decisions, but it keeps frozen ones, too
  QTRY_COMPARE(outcomes.size(), std::size_t(1));
  QVERIFY(current().mark(choice.decision).frozen);
  QVERIFY(current() == choice.after);
  QCOMPARE(outcomes[0].kept.size(), 1);
  QVERIFY2(outcomes[0].kept[0].contains("blur_x"), qPrintable(outcomes[0].kept[0]));
}

// The fake search finds the default schedule again, which is slower than the user's.
void TestDocumentFlow::aSlowerScheduleDoesNotTakeThePlaceOfAFasterOne() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  const double before = m_schedule->shown()->found.prediction.seconds;
  const document::Choices all = choices(0);
  const auto faster = std::ranges::min_element(all, {}, &document::Choice::seconds);
  QVERIFY(faster->seconds < before);
  m_documents->edit("mine", faster->after); // not frozen, so that the search forgets it
  QTRY_VERIFY(isShown());
  std::vector<SearchOutcome> outcomes;
  connect(m_documents, &DocumentFlow::searchEnded, this,
          [&](const SearchOutcome &outcome) { outcomes.push_back(outcome); });
  search();
  QTRY_COMPARE(outcomes.size(), std::size_t(1));
  QVERIFY(!outcomes[0].isTaken);
  QVERIFY(current() == faster->after);
  QVERIFY(isShown());
  QCOMPARE(m_documents->undoName(), "mine");
  QCOMPARE(outcomes[0].result.before->found.prediction.seconds, faster->seconds);
  // The schedule that was found is a candidate, so the user can load it.
  const auto other = m_documents->document().candidate(outcomes[0].candidate);
  QVERIFY(other);
  m_documents->load(outcomes[0].candidate);
  QVERIFY(current() == other->schedule);
}

void TestDocumentFlow::savesAndOpensAgain() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  m_documents->choose(choices(0).front());
  const schedule::Schedule edited = current();
  const QString path = m_folder->filePath("blur.tessera");
  QSignalSpy saved(m_documents, &DocumentFlow::saved);
  m_documents->save(path, "layout");
  QTRY_COMPARE(saved.size(), 1);
  QVERIFY(!m_documents->isModified());
  QCOMPARE(m_documents->path(), path);
  m_documents->undo();
  QVERIFY(m_documents->isModified() && m_documents->hasWork());

  QVERIFY(QFile::remove(m_folder->filePath("blur.hlpipe"))); // the document has a copy
  QSignalSpy layout(m_documents, &DocumentFlow::layoutRead);
  m_documents->openFile(path);
  QTRY_COMPARE(layout.size(), 1);
  QCOMPARE(layout[0][0].toByteArray(), QByteArray("layout"));
  QVERIFY(current() == edited);
  QVERIFY(current().marks() == edited.marks());
  QTRY_VERIFY(isShown());
  QVERIFY(!m_documents->isModified() && m_documents->lost().isEmpty());
  QCOMPARE(m_documents->document().candidates().size(),
           std::size_t(1)); // auto found the default schedule, so it added no candidate
  QFile unpacked(QString::fromStdString(m_open->document()->opened.file.pipeline));
  QVERIFY(unpacked.open(QIODevice::ReadOnly));
  QCOMPARE(unpacked.readAll(), QByteArray("content of blur.hlpipe"));
  m_documents->undo(); // the history was saved with the document
  QCOMPARE(m_documents->undoName(), "Schedule with auto");
  m_documents->openFile(m_folder->filePath("none.tessera"));
  QTRY_COMPARE(m_told.size(), 1);
  QVERIFY(m_told[0].contains("none.tessera"));
  QVERIFY(m_documents->hasDocument()); // the old document stays open
}

void TestDocumentFlow::aDamagedDocumentIsNotSavedOver() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  const QString path = m_folder->filePath("blur.tessera");
  m_documents->save(path, {});
  QTRY_COMPARE(m_documents->path(), path);
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadWrite));
  QByteArray bytes = file.readAll();
  bytes.replace("Schedule with auto", "Schedule with auta");
  file.seek(0);
  file.write(bytes);
  file.close();
  m_documents->openFile(path);
  QTRY_COMPARE(m_documents->lost(), QStringList{"history"});
  QVERIFY(m_documents->path().isEmpty());
  QVERIFY(m_documents->document().current());
}

// The journal that a crash would leave once it contains `text`.
QByteArray TestDocumentFlow::journalOnceItHolds(const char *text) {
  const QDir recovery(m_folder->filePath("recovery"));
  QByteArray left;
  const bool holds = QTest::qWaitFor([&] {
    const QStringList names = recovery.entryList({"*.journal"});
    if (names.size() != 1) return false;
    QFile journal(recovery.filePath(names.front()));
    left = journal.open(QIODevice::ReadOnly) ? journal.readAll() : QByteArray();
    return left.endsWith('\n') && left.contains(text);
  });
  return holds ? left : QByteArray();
}

// Leaves a journal whose lock is free, as a crash would. Then makes new flows, as after a restart
// of the program, which recover it.
void TestDocumentFlow::crash(const QByteArray &journal) {
  cleanup();
  const QDir recovery(m_folder->filePath("recovery"));
  QVERIFY(recovery.entryList({"*.journal"}).isEmpty()); // a normal end leaves none
  QFile crashed(recovery.filePath("crashed.journal"));
  QVERIFY(crashed.open(QIODevice::WriteOnly));
  crashed.write(journal);
  crashed.close();

  start();
  QSignalSpy found(m_documents, &DocumentFlow::recoverableFound);
  m_documents->lookForRecoverable();
  QTRY_COMPARE(found.size(), 1);
  QCOMPARE(m_documents->recoverable().size(), std::size_t(1));
  m_documents->recover(m_documents->recoverable().front());
  QTRY_VERIFY(m_documents->hasDocument());
  QTRY_VERIFY(!QFile::exists(crashed.fileName()));
  QCOMPARE(recovery.entryList({"*.journal"}).size(), 1); // the journal of the new document
}

void TestDocumentFlow::recoversAfterACrash() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  m_documents->choose(choices(0).front());
  const schedule::Schedule edited = current();
  // The choice of the user is frozen in the journal. The search result before it is an edit too,
  // but has nothing frozen.
  crash(journalOnceItHolds("\"frozen\":true"));
  QVERIFY(current() == edited);
  QVERIFY(m_documents->hasWork()); // no file contains the recovered edits yet
}

// Searches at the size in the pipeline's file, then makes a choice at a smaller size.
void TestDocumentFlow::searchAtTwoSizes() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  open::OpenRequest request = m_open->document()->request;
  request.estimates = {*open::parseEstimate("blur_y=0:32,0:32")};
  m_open->open(request);
  QTRY_COMPARE(m_documents->undoName(), "Size of blur_y");
  QTRY_VERIFY(m_bridge->running().empty());
  QVERIFY(m_documents->document().current());
  m_documents->choose(choices(0).front());
  QTRY_VERIFY(m_bridge->running().empty());
}

void TestDocumentFlow::sizesAreSavedAndOpenedAgain() {
  searchAtTwoSizes();
  const auto estimates = [&] { return m_open->document()->request.estimates.size(); };
  const QString edit = m_documents->undoName();
  const schedule::Schedule chosen = current();
  const QString path = m_folder->filePath("blur.tessera");
  m_documents->save(path, {});
  QTRY_COMPARE(m_documents->path(), path);
  m_open->close();
  m_documents->openFile(path);
  QTRY_VERIFY(m_documents->hasDocument());
  QCOMPARE(estimates(), std::size_t(1));
  QVERIFY(current() == chosen && m_documents->lost().isEmpty());
  QCOMPARE(m_documents->undoName(), edit);
  m_documents->undo();
  QCOMPARE(m_documents->undoName(), "Size of blur_y");
  m_documents->undo();
  QTRY_COMPARE(estimates(), std::size_t(0));
  QCOMPARE(m_documents->undoName(), "Schedule with auto");
  QTRY_VERIFY(isShown());
  QVERIFY(m_documents->hasWork()); // in the saved document, the other size is open
  QCOMPARE(m_documents->path(), path);
  // The step that was undone is saved as well, so that it can be redone.
  m_documents->save(path, {});
  QTRY_VERIFY(!m_documents->isModified());
  m_documents->openFile(path);
  QTRY_VERIFY(m_bridge->running().empty());
  QCOMPARE(estimates(), std::size_t(0));
  QCOMPARE(m_documents->redoName(), "Size of blur_y");
  m_documents->redo();
  QCOMPARE(estimates(), std::size_t(1));
  m_documents->redo();
  QVERIFY(current() == chosen);
  m_documents->undo();
  m_documents->undo();
  m_documents->edit("Another", current());
  QVERIFY(m_documents->redoName().isEmpty());
}

void TestDocumentFlow::sizesComeBackAfterACrash() {
  searchAtTwoSizes();
  const schedule::Schedule chosen = current();
  crash(journalOnceItHolds("\"frozen\":true"));
  QVERIFY(current() == chosen);
  m_documents->undo();
  m_documents->undo();
  QCOMPARE(m_documents->redoName(), "Size of blur_y");
  QVERIFY(m_open->document()->request.estimates.empty());
  QVERIFY(current() != chosen);
  // This journal also has the size that the undo has left, so that redo leads to it again.
  crash(journalOnceItHolds("\"left_at\\\":"));
  QCOMPARE(m_documents->redoName(), "Size of blur_y");
}

void TestDocumentFlow::theSameFileAgainIsCarriedOver() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  m_documents->choose(choices(0).front());
  const schedule::Schedule edited = current();
  QVERIFY(m_documents->isCarriedTo(m_open->document()->request));
  const pipeline::PipelinePtr before = m_documents->document().pipeline();
  m_open->reload();
  QTRY_VERIFY(m_documents->document().pipeline() != before);
  QTRY_VERIFY(m_documents->document().current());
  QVERIFY(current() == edited); // all decisions are carried over, because the pipelines are equal
  QVERIFY(current().marks() == edited.marks());
  QTRY_VERIFY(isShown());
  QVERIFY(m_documents->hasWork() && m_told.isEmpty());
  open("other.hlpipe"); // another file makes another document
  QVERIFY(!m_documents->document().current());
}

void TestDocumentFlow::candidatesAreCarriedOverWithoutASchedule() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  m_documents->choose(choices(0).front());
  QTRY_VERIFY(isShown());
  m_documents->keepCurrent();
  while (!m_documents->undoName().isEmpty())
    m_documents->undo();
  QVERIFY(!m_documents->document().current());
  QCOMPARE(m_documents->document().candidates().size(), std::size_t(2));
  m_open->reload();
  QTRY_VERIFY(m_bridge->running().empty());
  QTRY_COMPARE(m_documents->document().candidates().size(), std::size_t(2));
  QVERIFY(m_documents->undoName().isEmpty()); // reloading at the same size is no step
}

// Undo works while the decisions are still carried to the other size.
void TestDocumentFlow::aSizeIsLeftAtOnce() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  const schedule::Schedule searched = current();
  open::OpenRequest request = m_open->document()->request;
  request.estimates = {*open::parseEstimate("blur_y=0:32,0:32")};
  QSignalSpy opened(m_open, &OpenFlow::documentChanged);
  m_open->open(request);
  QVERIFY(opened.wait());
  QVERIFY(!m_documents->document().current());
  m_documents->undo();
  QVERIFY(current() == searched);
  QVERIFY(m_documents->redoName().isEmpty()); // the document at the other size was not complete
  QTRY_VERIFY(m_bridge->running().empty());
  QVERIFY(current() == searched);
  QCOMPARE(m_documents->undoName(), "Schedule with auto");
}

void TestDocumentFlow::aFileThatChangedHasNoOtherSizes() {
  open("blur.hlpipe");
  open::OpenRequest request = m_open->document()->request;
  request.estimates = {*open::parseEstimate("blur_y=0:32,0:32")};
  m_open->open(request);
  QTRY_COMPARE(m_documents->undoName(), "Size of blur_y");
  QTRY_VERIFY(m_bridge->running().empty());
  QFile file(m_folder->filePath("blur.hlpipe"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("another");
  file.close();
  QTRY_VERIFY(m_documents->undoName().isEmpty());
}

void TestDocumentFlow::importsAndRefuses() {
  open("blur.hlpipe");
  QVERIFY(!m_documents->document().current());
  m_documents->importSchedule("manual");
  QTRY_VERIFY(m_bridge->running().empty());
  // The imported schedule equals the default one.
  QCOMPARE(m_documents->document().candidates().size(), std::size_t(1));
  // As there was no schedule, it is the current one, and that can be undone.
  QCOMPARE(current(), m_documents->document().candidates()[0]->schedule);
  QVERIFY(m_documents->undoName().startsWith("Load "));
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  const schedule::Schedule searched = current();
  m_documents->importSchedule("manual");
  QTRY_VERIFY(m_bridge->running().empty());
  QVERIFY(current() == searched);
  m_documents->importSchedule("/x/other.json");
  QTRY_COMPARE(m_told.size(), 1);
  QVERIFY(m_told[0].contains("other.json"));
}

// What the rules doubt of a manual schedule becomes the note of its candidate.
void TestDocumentFlow::aDoubtedManualIsAddedWithItsDoubt() {
  open("blur.hlpipe");
  m_manualCap = 1;
  m_documents->importSchedule("manual");
  QTRY_COMPARE(m_documents->document().candidates().size(), std::size_t(2));
  const auto added = m_documents->document().candidates().back();
  QCOMPARE(added->origin, CandidateOrigin::Manual);
  QVERIFY(added->label.note.find("cannot vouch") != std::string::npos);
  QVERIFY(m_told.empty());
}

void TestDocumentFlow::keepsAndLoadsCandidates() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  m_documents->choose(choices(0).front());
  QTRY_VERIFY(isShown());
  m_documents->keepCurrent();
  const auto candidates = m_documents->document().candidates();
  QCOMPARE(candidates.size(), std::size_t(2));
  QCOMPARE(candidates[1]->origin, CandidateOrigin::User);
  QCOMPARE(*candidates[1]->predictedSeconds, m_schedule->shown()->found.prediction.seconds);
  m_documents->keepCurrent();
  QCOMPARE(m_told.size(), 1); // the message that the candidate exists already
  m_documents->load(candidates[0]->id);
  QCOMPARE(m_documents->undoName(), "Load default");
  QTRY_VERIFY(isShown());
  m_documents->undo();
  QVERIFY(current() == candidates[1]->schedule);
}

void TestDocumentFlow::exportsByTheEnding() {
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_schedule->isRunning());
  for (const auto &[name, content] :
       {std::pair("a.schedule.h", "apply_schedule_blur"), std::pair("a.py", "def apply_schedule"),
        std::pair("a.json", "tessera_schedule")}) {
    const QString path = m_folder->filePath(name);
    m_documents->exportSchedule(path);
    QTRY_VERIFY(QFile::exists(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY2(file.readAll().contains(content), name);
  }
  m_documents->exportSchedule(m_folder->filePath("a.txt"));
  QCOMPARE(m_told.size(), 1);
}

QTEST_GUILESS_MAIN(TestDocumentFlow)
#include "tst_document_flow.moc"
