// SPDX-License-Identifier: GPL-3.0-or-later
// The whole program without a window: the flows as Workspace connects them, on fake services with
// fixed answers.
#include "../test_pipelines.h"
#include "views/workspace/workspace.h"

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace tessera;
using namespace tessera::views;

class TestWorkspace : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup();

  void opensSearchesEditsUndoesAndMeasures();
  void aSearchBelongsToThePipelineThatItIsOf();
  void panelsAreToldWhenAllFlowsAreReady();
  void aSavedDocumentComesBackWithItsPipeline();
  void aScheduleIsWork();
  void whatIsRefusedIsNoWork();
  void anotherGpuIsPredictedForAndRemembered();
  void anotherGpuBeginsTheSearchAnew();
  void aFailedOpenIsAProblemAndLeavesWhatWasOpen();
  void reloadsByItselfOnceItMay();

private:
  QString file(const QString &name, const QByteArray &content = "content");
  void open(const QString &name);
  void search(DocumentFlow::Around around = DocumentFlow::Around::Nothing);
  bool isQuiet() { return m_workspace->bridge().running().empty(); }
  DocumentFlow &documents() { return m_workspace->documents(); }
  ScheduleFlow &schedule() { return m_workspace->schedule(); }
  document::Choices choices(std::uint32_t stage);

  std::unique_ptr<QTemporaryDir> m_folder;
  std::shared_ptr<test::CannedGpu> m_gpu;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<Workspace> m_workspace;
};

void TestWorkspace::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_gpu = std::make_shared<test::CannedGpu>();
  WorkspaceServices services;
  services.open = test::cannedService();
  services.schedule = test::cannedScheduleService();
  services.kernels = test::cannedKernelService();
  services.measure = test::cannedMeasureService(m_gpu);
  services.document.scratchFolder = m_folder->filePath("scratch").toStdString();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  m_workspace = std::make_unique<Workspace>(services, *m_settings);
  m_workspace->start();
}

void TestWorkspace::cleanup() { m_workspace.reset(); }

QString TestWorkspace::file(const QString &name, const QByteArray &content) {
  QFile made(m_folder->filePath(name));
  if (!made.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(name));
  made.write(content);
  return made.fileName();
}

void TestWorkspace::open(const QString &name) {
  m_workspace->open(file(name));
  QTRY_VERIFY(documents().hasDocument() && !documents().document().candidates().empty());
  QTRY_VERIFY(isQuiet());
}

void TestWorkspace::search(DocumentFlow::Around around) {
  QSignalSpy found(&schedule(), &ScheduleFlow::found);
  documents().search("auto", "h200", around);
  QTRY_COMPARE(found.size(), 1);
  QTRY_VERIFY(isQuiet());
}

document::Choices TestWorkspace::choices(std::uint32_t stage) {
  document::Choices all;
  const Status done =
      schedule().service().choices(*documents().document().current(), pipeline::StageId{stage},
                                   "h200", {}, [&](document::Choices more) {
                                     std::move(more.begin(), more.end(), std::back_inserter(all));
                                   });
  return done ? all : document::Choices();
}

void TestWorkspace::opensSearchesEditsUndoesAndMeasures() {
  open("blur.hlpipe");
  QCOMPARE(m_workspace->recentFiles().paths(), QStringList(m_folder->filePath("blur.hlpipe")));
  QVERIFY(!schedule().shown());

  search();
  const schedule::Schedule found = *documents().document().current();
  QCOMPARE(documents().undoName(), "Schedule with auto");
  QVERIFY(schedule().shown()->found.schedule == found);
  QCOMPARE(m_workspace->kernels().count(),
           int(schedule().shown()->found.prediction.kernels.size()));

  const document::Choice choice = choices(0).front();
  documents().choose(choice);
  QTRY_VERIFY(schedule().shown()->found.schedule == choice.after);
  QVERIFY(choice.after != found);
  QVERIFY(documents().hasFrozen());

  documents().undo();
  QVERIFY(schedule().shown()->found.schedule == found);
  QCOMPARE(documents().undoName(), "Schedule with auto");

  QSignalSpy measured(&m_workspace->measuring(), &MeasureFlow::measured);
  m_workspace->measuring().measureShown();
  QTRY_COMPARE(measured.size(), 1);
  QCOMPARE(m_gpu->asked.load(), 1);
  // The panels about kernels show the times, and the log has every step.
  QVERIFY(m_workspace->kernels().measurement());
  QVERIFY(m_workspace->kernels().measured(0));
  QTRY_VERIFY(m_workspace->log().rowCount() >= 3);

  m_workspace->opening().close();
  QVERIFY(!documents().hasDocument() && !schedule().hasPipeline() && !schedule().shown());
  QCOMPARE(m_workspace->kernels().count(), 0);
}

// The best schedule that a search has found so far is not shown for the pipeline that is opened
// next.
void TestWorkspace::aSearchBelongsToThePipelineThatItIsOf() {
  open("endless.hlpipe");
  const pipeline::PipelinePtr first = documents().document().pipeline();
  documents().search("auto", "h200", DocumentFlow::Around::Nothing);
  QTRY_VERIFY(schedule().shown());
  QVERIFY(schedule().isRunning());
  // For each result of a search: its pipeline, and the pipeline that was open when it arrived.
  std::vector<pipeline::PipelinePtr> found, open;
  connect(&schedule(), &ScheduleFlow::found, this, [&](const SearchResult &result) {
    QCOMPARE(result.wish.algorithm, "auto");
    found.push_back(result.best->found.schedule.base());
    open.push_back(documents().document().pipeline());
  });
  m_workspace->open(file("blur.hlpipe"));
  QTRY_VERIFY(documents().document().pipeline() != first);
  QTRY_VERIFY(isQuiet());
  QCOMPARE(found, std::vector{first});
  QCOMPARE(open, std::vector{first});
  QVERIFY(!documents().document().current());
  QVERIFY(documents().undoName().isEmpty());
  QVERIFY(!schedule().shown());
}

void TestWorkspace::panelsAreToldWhenAllFlowsAreReady() {
  open("blur.hlpipe");
  OpenFlow &opening = m_workspace->opening();
  int told = 0;
  connect(&opening, &OpenFlow::documentChanged, this, [&] {
    ++told;
    const auto &opened = opening.document();
    QCOMPARE(documents().opened(), opened);
    QCOMPARE(documents().hasDocument(), opened != nullptr);
    QCOMPARE(schedule().hasPipeline(), opened != nullptr);
    if (opened) QCOMPARE(documents().document().pipeline(), opened->opened.pipeline);
  });
  open::OpenRequest request = opening.document()->request;
  request.estimates = {*open::parseEstimate("blur_y=0:32,0:32")};
  opening.open(request);
  QTRY_COMPARE(documents().undoName(), "Size of blur_y");
  QTRY_VERIFY(isQuiet());
  QCOMPARE(told, 1);
  documents().undo(); // back to the first size
  QCOMPARE(told, 2);
  QCOMPARE(documents().redoName(), "Size of blur_y");
  QTRY_VERIFY(isQuiet());
  opening.close();
  QCOMPARE(told, 3);
}

void TestWorkspace::aSavedDocumentComesBackWithItsPipeline() {
  open("blur.hlpipe");
  search();
  const schedule::Schedule found = *documents().document().current();
  const QString path = m_folder->filePath("kept.tessera");
  QSignalSpy saved(&documents(), &DocumentFlow::saved);
  documents().save(path, {});
  QTRY_COMPARE(saved.size(), 1);
  QCOMPARE(m_workspace->recentFiles().paths().front(), path);
  open("other.hlpipe");
  QVERIFY(!m_workspace->isOpen(path));
  m_workspace->open(path);
  QTRY_VERIFY(m_workspace->isOpen(path));
  QTRY_VERIFY(isQuiet());
  QVERIFY(*documents().document().current() == found);
  QTRY_VERIFY(schedule().shown());
  QCOMPARE(schedule().shown()->found.schedule.hash(), found.hash());
  QVERIFY(!documents().isModified());
}

// Before work is lost, the program asks. A schedule that was searched or edited is work. The choice
// of a GPU and the default schedule are not.
void TestWorkspace::aScheduleIsWork() {
  open("blur.hlpipe");
  QVERIFY(!documents().isModified());
  m_workspace->chooseMachine("a100");
  QVERIFY(!documents().isModified()); // the first choice of a GPU is no change
  m_workspace->chooseMachine("h200");
  QVERIFY(documents().isModified() && !documents().hasWork());
  search();
  QVERIFY(documents().isModified() && documents().hasWork());
  documents().undo();
  QVERIFY(!documents().hasWork()); // there is no schedule
  documents().redo();
  documents().choose(choices(0).front());
  QVERIFY(documents().hasWork());
  search(DocumentFlow::Around::Decisions);
  QVERIFY(documents().hasWork()); // the user's choice is still there
  QSignalSpy saved(&documents(), &DocumentFlow::saved);
  documents().save(m_folder->filePath("kept.tessera"), {});
  QTRY_COMPARE(saved.size(), 1);
  QVERIFY(!documents().isModified() && !documents().hasWork());
  // After undo, the document differs from its file.
  documents().undo();
  QVERIFY(documents().isModified() && documents().hasWork());
}

void TestWorkspace::whatIsRefusedIsNoWork() {
  open("blur.hlpipe");
  QSignalSpy told(&documents(), &DocumentFlow::told);
  documents().apply(document::Redo{});
  QCOMPARE(told.size(), 1);
  QVERIFY(!documents().hasWork());
}

void TestWorkspace::anotherGpuIsPredictedForAndRemembered() {
  open("blur.hlpipe");
  search();
  QSignalSpy chosen(m_workspace.get(), &Workspace::machineChosen);
  m_workspace->chooseMachine("a100");
  QCOMPARE(chosen.size(), 1);
  QCOMPARE(m_settings->value("schedule/machine").toString(), "a100");
  QCOMPARE(documents().machine(), "a100");
  QTRY_COMPARE(schedule().shown()->machine, "a100");
}

// The chosen GPU, the search and the numbers are for the same machine at any time.
void TestWorkspace::anotherGpuBeginsTheSearchAnew() {
  open("endless.hlpipe");
  documents().search("auto", "h200", DocumentFlow::Around::Nothing);
  QTRY_VERIFY(schedule().shown());
  QSignalSpy restarted(&documents(), &DocumentFlow::searchRestarted);
  m_workspace->chooseMachine("a100");
  QCOMPARE(restarted.size(), 1);
  QCOMPARE(documents().machine(), "a100");
  QVERIFY(schedule().isRunning());
  QCOMPARE(schedule().wish().machine, "a100");
  QVERIFY(!schedule().shown() || schedule().shown()->machine == "a100");
  QTRY_VERIFY(schedule().shown());
  QCOMPARE(schedule().shown()->machine, "a100");
  m_workspace->chooseMachine("a100"); // the GPU that is chosen already
  QCOMPARE(restarted.size(), 1);
  schedule().stop();
  QCOMPARE(schedule().shown()->machine, "a100");
  QCOMPARE(documents().document().candidates().back()->machine, std::string("a100"));
}

void TestWorkspace::aFailedOpenIsAProblemAndLeavesWhatWasOpen() {
  open("blur.hlpipe");
  const auto before = m_workspace->opening().document();
  const int problems = m_workspace->problems().rowCount();
  m_workspace->open(file("broken.hlpipe"));
  QTRY_COMPARE(m_workspace->opening().state(), OpenFlow::State::Failed);
  QCOMPARE(m_workspace->problems().rowCount(), problems + 1);
  QCOMPARE(m_workspace->opening().document(), before);
  QCOMPARE(documents().opened(), before);
  m_workspace->opening().dismiss();
  QCOMPARE(m_workspace->problems().rowCount(), problems);
}

void TestWorkspace::reloadsByItselfOnceItMay() {
  open("blur.hlpipe");
  const auto before = m_workspace->opening().document();
  QVERIFY(!m_workspace->reloadsByItself());
  m_workspace->reloadByItself();
  QVERIFY(m_workspace->reloadsByItself());
  QTRY_VERIFY(m_workspace->opening().document() != before);
  QTRY_VERIFY(isQuiet());
  const auto second = m_workspace->opening().document();
  QSignalSpy changed(&m_workspace->opening(), &OpenFlow::changedOnDisk);
  file("blur.hlpipe", "another content");
  QTRY_VERIFY(changed.size() > 0);
  QTRY_VERIFY(m_workspace->opening().document() != second);
}

QTEST_GUILESS_MAIN(TestWorkspace)
#include "tst_workspace.moc"
