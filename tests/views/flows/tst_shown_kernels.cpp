// SPDX-License-Identifier: GPL-3.0-or-later
// Which schedule the panels about kernels show, for which machine, and with which one they compare.
#include "../test_pipelines.h"
#include "views/flows/shown_kernels.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>

using namespace tessera;
using namespace tessera::views;

class TestShownKernels : public QObject {
  Q_OBJECT
private slots:
  void init();

  void readsEachMachineOnce();
  void saysWhyThereIsNoMachine();
  void aNewerScheduleIsNotLostWhileTheMachineIsRead();
  void saysAtOnceThatThereAreNoKernelsWhileAnotherMachineIsRead();
  void comparesWithWhatWasThereBeforeASearch();
  void comparesEachEditWithTheOneBefore();
  void aDraftThatIsGivenUpChangesNoComparison();
  void comparesWithWhatIsKept();
  void comparesWithWhatIsPinned();
  void whatIsComparedHasItsMeasurement();
  void knowsStagesOfKernels();
  void withoutASelectionTheLongestKernelIsCurrent();

private:
  ShownSchedulePtr schedule(const QString &machine = "h200") {
    return showSchedule(test::defaultFound(m_pipeline), machine);
  }
  void show(const ShownSchedulePtr &shown, ShownKernels::Stage stage) {
    m_kernels->setSchedule(shown, stage);
    QTRY_COMPARE(m_kernels->schedule(), shown);
  }

  std::shared_ptr<std::atomic<int>> m_reads;
  std::unique_ptr<Bridge> m_bridge;
  std::unique_ptr<Selection> m_selection;
  std::unique_ptr<ShownKernels> m_kernels;
  pipeline::PipelinePtr m_pipeline;
};

void TestShownKernels::init() {
  m_kernels.reset();
  m_reads = std::make_shared<std::atomic<int>>(0);
  KernelService service = test::cannedKernelService();
  service.machine = [read = service.machine, reads = m_reads](const std::string &name) {
    ++*reads;
    return read(name);
  };
  m_selection = std::make_unique<Selection>();
  m_bridge = std::make_unique<Bridge>(1);
  m_kernels = std::make_unique<ShownKernels>(std::move(service), *m_bridge, *m_selection);
  m_pipeline = test::smallPipeline();
}

void TestShownKernels::readsEachMachineOnce() {
  show(schedule(), ShownKernels::Stage::Settled);
  show(schedule(), ShownKernels::Stage::Settled);
  QCOMPARE(m_reads->load(), 1);
  show(schedule("other"), ShownKernels::Stage::Settled);
  QCOMPARE(m_reads->load(), 2);
}

void TestShownKernels::saysWhyThereIsNoMachine() {
  m_kernels->setSchedule(schedule("lost"), ShownKernels::Stage::Settled);
  QTRY_VERIFY(m_kernels->error());
  QCOMPARE(m_kernels->count(), 0);
  show(schedule(), ShownKernels::Stage::Settled);
  QVERIFY(!m_kernels->error());
}

void TestShownKernels::aNewerScheduleIsNotLostWhileTheMachineIsRead() {
  const auto newer = schedule();
  m_kernels->setSchedule(schedule(), ShownKernels::Stage::Provisional);
  m_kernels->setSchedule(newer, ShownKernels::Stage::Provisional);
  QTRY_COMPARE(m_kernels->schedule(), newer);
}

// Without this signal, panels would go on showing the kernels of the previous schedule.
void TestShownKernels::saysAtOnceThatThereAreNoKernelsWhileAnotherMachineIsRead() {
  show(schedule(), ShownKernels::Stage::Settled);
  QVERIFY(m_kernels->count() > 0);
  const QSignalSpy changed(m_kernels.get(), &ShownKernels::changed);
  m_kernels->setSchedule(schedule("other"), ShownKernels::Stage::Settled);
  QCOMPARE(m_kernels->count(), 0);
  QCOMPARE(changed.size(), 1);
  QTRY_VERIFY(m_kernels->count() > 0);
}

void TestShownKernels::comparesWithWhatWasThereBeforeASearch() {
  const auto first = schedule();
  show(first, ShownKernels::Stage::Settled);
  QVERIFY(!m_kernels->before());
  show(schedule(), ShownKernels::Stage::Provisional);
  show(schedule(), ShownKernels::Stage::Provisional);
  QCOMPARE(m_kernels->before(), first);
  show(schedule(), ShownKernels::Stage::Settled); // the result of the search
  QCOMPARE(m_kernels->before(), first);
}

void TestShownKernels::comparesEachEditWithTheOneBefore() {
  const auto first = schedule(), second = schedule();
  show(first, ShownKernels::Stage::Provisional);
  m_kernels->settle();
  show(second, ShownKernels::Stage::Settled);
  QCOMPARE(m_kernels->before(), first);
  show(schedule(), ShownKernels::Stage::Settled);
  QCOMPARE(m_kernels->before(), second);
  show(schedule("other"), ShownKernels::Stage::Settled); // for another machine
  QVERIFY(!m_kernels->before());
}

void TestShownKernels::aDraftThatIsGivenUpChangesNoComparison() {
  const auto first = schedule(), second = schedule();
  show(first, ShownKernels::Stage::Settled);
  show(second, ShownKernels::Stage::Settled);
  show(schedule(), ShownKernels::Stage::Provisional); // drafts
  show(schedule(), ShownKernels::Stage::Provisional);
  QCOMPARE(m_kernels->before(), second);
  show(second, ShownKernels::Stage::Settled); // the drafts are given up
  QCOMPARE(m_kernels->before(), first);
}

void TestShownKernels::comparesWithWhatIsKept() {
  const auto kept = schedule(), second = schedule();
  show(kept, ShownKernels::Stage::Settled);
  m_kernels->compareWithShown();
  QVERIFY(!m_kernels->before()); // the kept schedule is the shown one
  show(second, ShownKernels::Stage::Settled);
  show(schedule(), ShownKernels::Stage::Settled);
  QCOMPARE(m_kernels->before(), kept);
  m_kernels->compareWithBefore();
  QCOMPARE(m_kernels->before(), second);
  m_kernels->compareWithShown();
  m_kernels->setSchedule(nullptr, ShownKernels::Stage::Settled);
  QVERIFY(!m_kernels->comparesWithKept());
}

// The shown schedule is compared with all pins. Its changes are relative to A, or to B if A itself
// is shown.
void TestShownKernels::comparesWithWhatIsPinned() {
  const auto withCap = [&](int registers) {
    FoundSchedule found = test::defaultFound(m_pipeline);
    schedule::Settings settings = found.schedule.settings();
    settings.registerCap = registers;
    found.schedule.set(settings);
    return showSchedule(std::move(found), "h200");
  };
  const auto a = withCap(32), b = withCap(128), now = withCap(255);
  const auto titles = [&] {
    QStringList all;
    for (const ComparedSchedule &one : m_kernels->compared())
      all << one.title;
    return all.join(' ');
  };
  show(schedule(), ShownKernels::Stage::Settled);
  show(now, ShownKernels::Stage::Settled);
  QCOMPARE(titles(), "before");
  m_kernels->setPinned({{"A", "first", a}, {"B", "second", b}});
  QCOMPARE(titles(), "A B");
  QCOMPARE(m_kernels->before(), a);
  show(withCap(32), ShownKernels::Stage::Settled); // equal to A
  QCOMPARE(titles(), "B");
  show(now, ShownKernels::Stage::Settled);
  m_kernels->compareWithShown();
  show(b, ShownKernels::Stage::Settled);
  QCOMPARE(titles(), "kept A");
  m_kernels->compareWithBefore();
  m_kernels->setPinned({{"A", "first", showSchedule(test::defaultFound(m_pipeline), "other")}});
  QCOMPARE(titles(), "before"); // A is predicted for another machine, so it is not compared
}

void TestShownKernels::whatIsComparedHasItsMeasurement() {
  const auto now = schedule();
  FoundSchedule found = test::defaultFound(m_pipeline);
  schedule::Settings settings = found.schedule.settings();
  settings.registerCap = 32;
  found.schedule.set(settings);
  const auto kept = std::shared_ptr<const document::KeptCandidate>(
      new document::KeptCandidate{.id = 1,
                                  .label = document::CandidateLabel(),
                                  .schedule = found.schedule,
                                  .machine = "h200",
                                  .measurement = test::cannedMeasurement(found.schedule)});
  show(showSchedule(std::move(found), "h200"), ShownKernels::Stage::Settled);
  m_kernels->setMeasured({kept});
  QVERIFY(m_kernels->measurement());
  show(now, ShownKernels::Stage::Settled);
  QVERIFY(!m_kernels->measurement());
  QCOMPARE(m_kernels->compared().front().measured, kept);
  m_kernels->setMeasured({});
  QVERIFY(!m_kernels->compared().front().measured);
}

void TestShownKernels::knowsStagesOfKernels() {
  show(schedule(), ShownKernels::Stage::Settled);
  QVERIFY(m_kernels->count() > 1);
  int stages = 0;
  for (int number = 0; number < m_kernels->count(); ++number) {
    const auto subjects = m_kernels->subjects(number);
    QVERIFY(!subjects.empty());
    QVERIFY(m_kernels->schedule()->placeOf(subjects.front()).ownsBlocks);
    for (const Subject subject : subjects)
      QCOMPARE(m_kernels->kernelOf(subject), std::optional(number));
    stages += int(subjects.size());
  }
  QCOMPARE(stages, int(m_pipeline->stages().size())); // the default inlines no stage
  QVERIFY(!m_kernels->kernelOf(Subject::input(pipeline::InputId{0})));
}

void TestShownKernels::withoutASelectionTheLongestKernelIsCurrent() {
  QCOMPARE(m_kernels->current(), -1);
  show(schedule(), ShownKernels::Stage::Settled);
  const int longest = m_kernels->current();
  for (int number = 0; number < m_kernels->count(); ++number)
    QVERIFY(m_kernels->kernel(number).time.seconds <= m_kernels->kernel(longest).time.seconds);
  const int other = longest == 0 ? 1 : 0;
  QSignalSpy spy(m_kernels.get(), &ShownKernels::currentChanged);
  m_kernels->select(other);
  QTRY_COMPARE(spy.size(), 1);
  QCOMPARE(m_kernels->current(), other);
}

QTEST_MAIN(TestShownKernels)
#include "tst_shown_kernels.moc"
