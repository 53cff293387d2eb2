// SPDX-License-Identifier: GPL-3.0-or-later
// The ability button in the status bar, with clicks and keys: what is missing, what crashed too
// often, and how to turn it on again.
#include "../test_pipelines.h"
#include "engine/schedule/edits/default_schedule.h"
#include "test_window.h"
#include "views/window/ability_button.h"
#include "views/code/code_panel.h"
#include "views/dag/layered_layout.h"
#include "views/pipeline/pipeline_panel.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>

#include <atomic>
#include <future>
#include <memory>

using namespace tessera;
using namespace tessera::views;

class TestAbilities : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup() { m_gpu->isHeld = false; }

  void allIsWell();
  void whatIsMissingIsSaidWithWhatWorks();
  void aFullDiskComesFirst();
  void crashesStepDownAndTheUserClimbsBack();
  void crashesLongAgoDoNotCount();
  void compilingIsOffWithItsWorker();
  void aCompilersErrorIsToldWhereTheCodeIsBehindAnotherTab();
  void whatAWorkerTookWithItIsTriedAgain();
  void opensAndClosesByKeys();
  void aClickElsewhereClosesIt();

private:
  AbilityButton &button() { return *m_test->child<AbilityButton>("abilities"); }
  QWidget &card() { return *m_test->child<QWidget>("abilityCard"); }
  void press(const char *name);
  QString text(const char *label) {
    const auto *found = m_test->child<QLabel>(label);
    return found ? found->text() : QString();
  }

  std::shared_ptr<test::CannedGpu> m_gpu;
  std::shared_ptr<host::ToolSurvey> m_survey;
  std::unique_ptr<test::TestWindow> m_test;
};

void TestAbilities::init() {
  m_test = std::make_unique<test::TestWindow>();
  m_gpu = std::make_shared<test::CannedGpu>();
  m_survey = std::make_shared<host::ToolSurvey>();
  m_survey->cache = {"/cache", true, std::uint64_t(1) << 40};
  m_survey->state = {"/state", true, std::uint64_t(1) << 40};
  m_test->services().measure = test::cannedMeasureService(m_gpu);
  m_test->services().tools.survey = [survey = m_survey](const ToolChoices &) { return *survey; };
}

void TestAbilities::press(const char *name) {
  QTRY_VERIFY2(m_test->child<QPushButton>(name) && m_test->child<QPushButton>(name)->isVisible(),
               name);
  auto *found = m_test->child<QPushButton>(name);
  QTest::mouseClick(found, Qt::LeftButton);
}

void TestAbilities::allIsWell() {
  m_test->makeWindow();
  QTRY_VERIFY(m_test->window().bridge().running().empty()); // the tools have been surveyed
  QCOMPARE(button().text(), "GPU not checked yet");         // before a pipeline is open
  QVERIFY(!button().toolTip().contains("as they should be"));
  QVERIFY(m_test->open("small.hlpipe"));
  QTRY_COMPARE(button().text(), "All OK");
  QTest::mouseClick(&button(), Qt::LeftButton);
  QVERIFY(card().isVisible());
  QTRY_COMPARE(text("ability.gpu"), "Canned GPU");
  QTRY_VERIFY2(text("ability.disk").startsWith("1.0 TiB"), qPrintable(text("ability.disk")));
  QVERIFY(!m_test->child<QLabel>("advice.gpu"));
}

void TestAbilities::whatIsMissingIsSaidWithWhatWorks() {
  m_gpu->isThere = false;
  m_survey->hasAssembler = false;
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  QTRY_COMPARE(button().text(), "No GPU, 1 more");
  QVERIFY(button().toolTip().contains("NVIDIA's driver was not found."));
  QVERIFY(button().toolTip().contains("ptxas"));
  QTest::mouseClick(&button(), Qt::LeftButton);
  QVERIFY(text("advice.gpu").contains("need no GPU"));
  QTRY_VERIFY(text("advice.assembler").contains("estimated"));
  // This button leads to the page on which tools are chosen.
  press("remedy.assembler");
  QTRY_VERIFY(!card().isVisible());
  QTRY_VERIFY(m_test->window().pipeline().isVisible());
  QCOMPARE(
      m_test->window().pipeline().tabs().tabText(m_test->window().pipeline().tabs().currentIndex()),
      "Tools");
  // If a GPU has been added since the start, this button finds it.
  m_gpu->isThere = true;
  QTest::mouseClick(&button(), Qt::LeftButton);
  press("remedy.gpu");
  QTRY_COMPARE(button().text(), "No ptxas");
  QCOMPARE(text("ability.gpu"), "Canned GPU");
}

void TestAbilities::aFullDiskComesFirst() {
  m_gpu->isThere = false;
  m_survey->cache.freeBytes = 1 << 20;
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  QTRY_COMPARE(button().text(), "Disk is nearly full, 1 more");
  // The disk is checked again when the user opens the card.
  m_survey->cache.freeBytes = std::uint64_t(1) << 40;
  QTest::mouseClick(&button(), Qt::LeftButton);
  QTRY_COMPARE(button().text(), "No GPU");
  m_survey->state.isWritable = false;
  QTest::mouseClick(&button(), Qt::LeftButton);
  QTest::mouseClick(&button(), Qt::LeftButton);
  QTRY_COMPARE(button().text(), "Disk is read-only, 1 more");
  QVERIFY(text("ability.disk").contains("/state"));
}

void TestAbilities::crashesStepDownAndTheUserClimbsBack() {
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  m_gpu->outcome = Outcome::Crashed;
  auto *measure = m_test->child<QAction>("measure");
  for (int crash = 1; crash <= CrashLadder::kCrashes; ++crash) {
    QTRY_VERIFY(measure->isEnabled());
    m_test->key(Qt::Key_M, Qt::ControlModifier);
    QTRY_COMPARE(m_gpu->asked.load(), crash);
    QTRY_COMPARE(m_test->window().measuring().state(), MeasureFlow::State::Idle);
  }
  QTRY_COMPARE(button().text(), "Measuring is off");
  QVERIFY(!measure->isEnabled());
  QVERIFY(measure->toolTip().contains("three crashes"));
  QVERIFY(m_test->child<QAction>("verify")->isEnabled()); // verifying needs no GPU
  QTest::mouseClick(&button(), Qt::LeftButton);
  press("remedy.gpu");
  QTRY_COMPARE(button().text(), "All OK");
  m_gpu->outcome = Outcome::Ok;
  QTRY_VERIFY(measure->isEnabled());
  m_test->key(Qt::Key_M, Qt::ControlModifier);
  QTRY_VERIFY(m_test->window().measuring().shownCandidate()->measurement);
}

void TestAbilities::crashesLongAgoDoNotCount() {
  CrashLadder::Time now{};
  CrashLadder ladder([&now] { return now; });
  using Worker = CrashLadder::Worker;
  for (int i = 0; i < 20; ++i) {
    ladder.crashed(Worker::Gpu);
    now += CrashLadder::kWithin / 2 + std::chrono::seconds(1);
  }
  QCOMPARE(ladder.rung(), CrashLadder::Rung::Counts);
  // If two workers crash twice each, no worker has crashed three times.
  ladder.climb();
  for (const Worker worker : {Worker::Gpu, Worker::Compiler, Worker::Gpu, Worker::Compiler})
    ladder.crashed(worker);
  QCOMPARE(ladder.rung(), CrashLadder::Rung::Counts);
  ladder.crashed(Worker::Compiler);
  QCOMPARE(ladder.rung(), CrashLadder::Rung::Predicts);
  ladder.crashed(Worker::Gpu); // crashes never turn anything on again
  QCOMPARE(ladder.rung(), CrashLadder::Rung::Predicts);
}

void TestAbilities::compilingIsOffWithItsWorker() {
  auto asked = std::make_shared<std::atomic<int>>(0);
  m_test->services().kernels.compile = [asked](const CompileWish &, const std::stop_token &,
                                               const job::ProgressCallback &) {
    ++*asked;
    return Result<CompiledTexts>(Error{ErrorCode::WorkerFailed, "The worker crashed.", {}});
  };
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  m_test->child<QAction>("goTo.code")->trigger();
  for (int crash = 1; crash <= CrashLadder::kCrashes; ++crash) {
    m_test->window().code().show(CodeKind::Ptx);
    press("codeCompile");
    QTRY_COMPARE(asked->load(), crash);
    QTRY_VERIFY(m_test->window().bridge().running().empty());
  }
  QTRY_COMPARE(button().text(), "Compiling is off, 1 more");
  press("codeCompile"); // shows the reason without asking the worker
  QCOMPARE(asked->load(), CrashLadder::kCrashes);
  QVERIFY(!m_test->child<QAction>("verify")->isEnabled());
  QTest::mouseClick(&button(), Qt::LeftButton);
  press("remedy.halide");
  QTRY_COMPARE(button().text(), "All OK");
  press("codeCompile");
  QTRY_COMPARE(asked->load(), CrashLadder::kCrashes + 1);
}

void TestAbilities::aCompilersErrorIsToldWhereTheCodeIsBehindAnotherTab() {
  auto mayEnd = std::make_shared<std::promise<void>>();
  m_test->services().kernels.compile =
      [end = mayEnd->get_future().share()](const CompileWish &, const std::stop_token &,
                                           const job::ProgressCallback &) {
        end.wait();
        return Result<CompiledTexts>(Error{ErrorCode::WorkerFailed, "No code came out.", {}});
      };
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  m_test->child<QAction>("goTo.code")->trigger();
  m_test->window().code().show(CodeKind::Ptx);
  press("codeCompile");
  m_test->child<QAction>("goTo.roofline")->trigger();
  QTRY_VERIFY(m_test->window().code().visibleRegion().isEmpty());
  mayEnd->set_value();
  auto &note = *m_test->child<QWidget>("noteBar");
  QTRY_VERIFY(note.isVisible() && note.accessibleDescription().contains("No code came out."));
}

// Each worker dies on its first request.
void TestAbilities::whatAWorkerTookWithItIsTriedAgain() {
  const auto died = [](const char *what) { return Error{ErrorCode::WorkerFailed, what, ""}; };
  const auto layouts = std::make_shared<std::atomic<int>>(0);
  const auto imports = std::make_shared<std::atomic<int>>(0);
  m_test->services().graphviz = [=](const host::GraphShape &shape, std::stop_token) {
    return layouts->fetch_add(1) > 0 ? Result<host::GraphLayout>(layeredLayout(shape))
                                     : Result<host::GraphLayout>(died("no layout"));
  };
  m_test->services().document.schedule =
      [=](const std::string &, const open::OpenRequest &, const open::OpenedPipeline &opened,
          std::stop_token, const job::ProgressCallback &) -> Result<document::SourcedSchedule> {
    if (imports->fetch_add(1) == 0) return died("no import");
    schedule::Schedule schedule = schedule::defaultSchedule(opened.pipeline);
    schedule::Settings settings = schedule.settings();
    settings.registerCap = 128;
    schedule.set(settings);
    return document::SourcedSchedule{schedule};
  };
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  const auto retry = [&](const char *about) {
    auto &note = *m_test->child<QWidget>("noteBar");
    QTRY_VERIFY(note.isVisible() && note.accessibleDescription().contains(about));
    QTest::mouseClick(note.findChild<QPushButton *>("noteAccept"), Qt::LeftButton);
    QVERIFY(!note.isVisible());
  };
  retry("no layout");
  QTRY_COMPARE(layouts->load(), 2);
  DocumentFlow &documents = m_test->window().documents();
  QTRY_COMPARE(documents.document().candidates().size(), 1u);
  documents.importSchedule(m_test->path("mine.json"));
  retry("no import");
  QTRY_COMPARE(documents.document().candidates().size(), 2u);
}

void TestAbilities::opensAndClosesByKeys() {
  m_gpu->isThere = false;
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  QTRY_COMPARE(button().text(), "No GPU");
  QWidget *before = QApplication::focusWidget();
  QVERIFY(before);
  m_test->action("What Works Here")->trigger();
  QVERIFY(card().isVisible() && card().hasFocus());
  const int looked = m_gpu->asked;
  QTest::keyClick(&card(), Qt::Key_Tab);
  auto *again = m_test->child<QPushButton>("remedy.gpu");
  QCOMPARE(QApplication::focusWidget(), again);
  m_gpu->isThere = true;
  QTest::keyClick(again, Qt::Key_Space);
  QTRY_COMPARE(button().text(), "All OK");
  QCOMPARE(m_gpu->asked.load(), looked); // nothing was measured
  QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &card(),
                  Qt::Key_Escape);
  QVERIFY(!card().isVisible());
  QCOMPARE(QApplication::focusWidget(), before);
}

void TestAbilities::aClickElsewhereClosesIt() {
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  QTest::mouseClick(&button(), Qt::LeftButton);
  QVERIFY(card().isVisible());
  QTest::mouseClick(&card(), Qt::LeftButton, {}, card().rect().center());
  QVERIFY(card().isVisible());
  QTest::mouseClick(&button(), Qt::LeftButton); // closes the card
  QVERIFY(!card().isVisible());
  QTest::mouseClick(&button(), Qt::LeftButton);
  QTest::mouseClick(m_test->child<QLabel>("predicted"), Qt::LeftButton);
  QVERIFY(!card().isVisible());
}

QTEST_MAIN(TestAbilities)
#include "tst_abilities.moc"
