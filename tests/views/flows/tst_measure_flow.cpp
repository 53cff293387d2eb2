// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring and verifying on the GUI thread, on a fake GPU.
#include "../test_pipelines.h"
#include "views/text/measurement_text.h"
#include "views/workspace/workspace.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace tessera;
using namespace tessera::views;

class TestMeasureFlow : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup();

  void measuresWhatIsShown();
  void saysWhyItCannot();
  void withoutAGpuVerifyingStillWorks();
  void aFailureLosesNothing_data();
  void aFailureLosesNothing();
  void measuresAllOneAfterTheOther();
  void oneThatFailsDoesNotStopTheOthers();
  void aLostGpuStopsTheQueue();
  void threeCrashesStopTheQueue();
  void stopsWhenAsked();
  void anotherPipelineEndsIt();
  void hostsAreRememberedAndTested();
  void measuresAtAHost();
  void aHostThatIsLostMayComeBack();
  void countsWhereItIsWished();
  void countingThatCrashesTurnsItselfOff();
  void verifies();
  void runsOnTheInputsOfTheDocument();
  void whatCannotBeVerifiedLeavesNothing();
  void verificationsAreKeptAndGoStale();
  void verificationsSurviveACrash();
  void savedMeasurementsComeBack();
  void changedPipelinesMakeThemStale();

private:
  void open(const QString &name, const QByteArray &content = "content");
  void search();
  const document::Document &document() { return m_documents->document(); }
  document::CandidatePtr shown() { return m_measure->shownCandidate(); }
  void addVariants(int count);
  void saveAndOpen();
  void reloadAsAnother();

  std::unique_ptr<QTemporaryDir> m_folder;
  std::shared_ptr<test::CannedGpu> m_gpu;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<Workspace> m_workspace; // owns all flows below
  Bridge *m_bridge = nullptr;
  OpenFlow *m_open = nullptr;
  ScheduleFlow *m_schedule = nullptr;
  DocumentFlow *m_documents = nullptr;
  CrashLadder *m_ladder = nullptr;
  HostModel *m_hosts = nullptr;
  MeasureFlow *m_measure = nullptr;
};

void TestMeasureFlow::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_gpu = std::make_shared<test::CannedGpu>();
  WorkspaceServices services;
  services.open = test::cannedService();
  services.schedule = test::cannedScheduleService();
  services.measure = test::cannedMeasureService(m_gpu);
  services.document.scratchFolder = m_folder->filePath("scratch").toStdString();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  m_workspace = std::make_unique<Workspace>(services, *m_settings);
  m_bridge = &m_workspace->bridge();
  m_open = &m_workspace->opening();
  m_schedule = &m_workspace->schedule();
  m_documents = &m_workspace->documents();
  m_ladder = &m_workspace->ladder();
  m_hosts = &m_workspace->hosts();
  m_measure = &m_workspace->measuring();
}

void TestMeasureFlow::cleanup() {
  m_gpu->isHeld = false;
  m_workspace.reset();
}

void TestMeasureFlow::open(const QString &name, const QByteArray &content) {
  QFile file(m_folder->filePath(name));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(content);
  file.close();
  m_open->open(file.fileName());
  QTRY_VERIFY(m_documents->hasDocument() && !document().candidates().empty());
  QTRY_VERIFY(m_bridge->running().empty());
}

void TestMeasureFlow::search() {
  m_documents->search("auto", "h200", DocumentFlow::Around::Nothing);
  QTRY_VERIFY(!m_schedule->isRunning() && m_schedule->shown());
}

// Adds candidates that differ from the current schedule by one choice each.
void TestMeasureFlow::addVariants(int count) {
  document::Choices choices;
  QVERIFY(m_schedule->service().choices(
      *document().current(), pipeline::StageId{0}, "h200", {}, [&](document::Choices more) {
        std::move(more.begin(), more.end(), std::back_inserter(choices));
      }));
  for (int i = 0; i < count; ++i) {
    document::CandidateLabel label;
    label.name = "variant " + std::to_string(i);
    document::KeptCandidate candidate{
        0,    label, document::CandidateOrigin::User, {}, choices[std::size_t(i)].after, "h200",
        1e-4, {}};
    m_documents->apply(document::AddCandidate{std::move(candidate)});
  }
}

void TestMeasureFlow::measuresWhatIsShown() {
  open("blur.hlpipe");
  search();
  QSignalSpy measured(m_measure, &MeasureFlow::measured);
  QCOMPARE(m_measure->whyNotMeasureShown(), QString());
  m_measure->measureShown();
  QCOMPARE(m_measure->state(), MeasureFlow::State::Measuring);
  QVERIFY(!m_measure->whyNotMeasureShown().isEmpty()); // only one measurement runs at a time
  QTRY_COMPARE(measured.size(), 1);
  QCOMPARE(m_measure->state(), MeasureFlow::State::Idle);
  QVERIFY(shown() && shown()->measurement);
  QCOMPARE(measured[0][0].toULongLong(), qulonglong(shown()->id));
  QCOMPARE(shown()->measurement->of.contentSha256, document().source().contentSha256);
  QVERIFY(!document().source().contentSha256.empty());
  QCOMPARE(document().freshnessOf(*shown()), measure::Freshness::Fresh);
  QVERIFY(m_documents->hasWork()); // a measurement counts as work, because it took a GPU's time
  // An edited schedule first becomes a candidate.
  document::Choices choices;
  QVERIFY(m_schedule->service().choices(*document().current(), pipeline::StageId{0}, "h200", {},
                                        [&](document::Choices more) { choices = more; }));
  m_documents->choose(choices.front());
  QTRY_VERIFY(m_schedule->shown()->found.schedule == choices.front().after);
  QVERIFY(!shown());
  m_measure->measureShown();
  QTRY_COMPARE(measured.size(), 2);
  QVERIFY(shown() && shown()->measurement);
  QCOMPARE(shown()->origin, document::CandidateOrigin::User);
  m_documents->undo();
  QVERIFY(document().candidates().back()->measurement); // undo keeps the measurement
}

void TestMeasureFlow::saysWhyItCannot() {
  QVERIFY(m_measure->whyNotMeasureShown().contains("Open a pipeline"));
  open("blur.hlpipe");
  QVERIFY(m_measure->whyNotMeasureShown().contains("no schedule"));
  QCOMPARE(m_measure->whyNotMeasure(), QString()); // the default candidate can be measured
  open("endless.hlpipe");
  m_documents->search("auto", "h200", DocumentFlow::Around::Nothing);
  QTRY_VERIFY(m_schedule->shown());
  QVERIFY(m_measure->whyNotMeasureShown().contains("search is running"));
  m_schedule->stop();
}

void TestMeasureFlow::withoutAGpuVerifyingStillWorks() {
  m_gpu->isThere = false;
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(!m_measure->isLookingForGpu());
  QVERIFY(m_measure->whyNotMeasureShown().contains("NVIDIA's driver was not found"));
  QVERIFY(m_measure->whyNotMeasureShown().contains("Verify"));
  m_measure->measureShown();
  QCOMPARE(m_measure->state(), MeasureFlow::State::Idle);
  QCOMPARE(m_measure->whyNotVerifyShown(), QString());
  QSignalSpy verified(m_measure, &MeasureFlow::verified);
  m_measure->verifyShown();
  QTRY_COMPARE(verified.size(), 1);
  m_gpu->isThere = true; // the GPU was plugged in later
  m_measure->lookForGpu();
  QTRY_COMPARE(m_measure->whyNotMeasureShown(), QString());
  QCOMPARE(m_measure->gpu(), "Canned GPU");
}

void TestMeasureFlow::aFailureLosesNothing_data() {
  QTest::addColumn<int>("outcome");
  QTest::addColumn<QString>("words");
  QTest::addColumn<bool>("isQuarantined");
  const auto row = [](const char *name, Outcome outcome, const char *words, bool isQuarantined) {
    QTest::newRow(name) << int(outcome) << QString(words) << isQuarantined;
  };
  row("wrong", Outcome::WrongOutput, "outputs are wrong", true);
  row("time-out", Outcome::RunTimeout, "took too long", true);
  row("died", Outcome::Crashed, "the worker crashed", true);
  row("launch", Outcome::LaunchError, "refused to run it", false);
  row("memory", Outcome::DeviceMemory, "the GPU did not have enough memory", false);
  row("compile", Outcome::CompileError, "cannot be compiled", false);
  row("lost", Outcome::DeviceLost, "no GPU", false);
  row("cut off", Outcome::ConnectionLost, "connection to the GPU", false);
}

void TestMeasureFlow::aFailureLosesNothing() {
  QFETCH(const int, outcome);
  QFETCH(const QString, words);
  QFETCH(const bool, isQuarantined);
  open("blur.hlpipe");
  search();
  m_measure->measureShown();
  QTRY_VERIFY(shown()->measurement);
  const auto before = shown()->measurement;
  QSignalSpy failed(m_measure, &MeasureFlow::failed);
  m_gpu->outcome = Outcome(outcome);
  m_measure->measureShown();
  QTRY_COMPARE(failed.size(), 1);
  QVERIFY2(m_measure->failureText().contains(words), qPrintable(m_measure->failureText()));
  QVERIFY(m_measure->failureText().contains("as the test wished"));
  QVERIFY(shown()->measurement == before); // the earlier measurement is kept
  QCOMPARE(shown()->label.isQuarantined, isQuarantined);
  m_gpu->outcome = Outcome::Ok;
  QTRY_COMPARE(m_measure->whyNotMeasureShown(), QString());
  QSignalSpy measured(m_measure, &MeasureFlow::measured);
  m_measure->retry();
  QTRY_COMPARE(measured.size(), 1);
  QVERIFY(!shown()->label.isQuarantined); // the candidate has proved to work
  QVERIFY(m_measure->failures().empty());
}

void TestMeasureFlow::measuresAllOneAfterTheOther() {
  open("blur.hlpipe");
  search();
  addVariants(3);
  QCOMPARE(m_measure->unmeasured().size(), std::size_t(4));
  QSignalSpy measured(m_measure, &MeasureFlow::measured);
  m_measure->measure(m_measure->unmeasured());
  QTRY_COMPARE(measured.size(), 4);
  QVERIFY(m_measure->unmeasured().empty());
}

void TestMeasureFlow::oneThatFailsDoesNotStopTheOthers() {
  open("blur.hlpipe");
  search();
  addVariants(2);
  m_gpu->outcome = Outcome::LaunchError;
  QSignalSpy failed(m_measure, &MeasureFlow::failed);
  m_measure->measure(m_measure->unmeasured());
  QTRY_COMPARE(failed.size(), 1);
  QCOMPARE(m_measure->failures().size(), std::size_t(3));
  QCOMPARE(m_measure->failureText().count('\n'), 2);
  m_gpu->outcome = Outcome::Ok;
  m_measure->retry();
  QTRY_VERIFY(m_measure->unmeasured().empty());
}

void TestMeasureFlow::aLostGpuStopsTheQueue() {
  open("blur.hlpipe");
  search();
  addVariants(2);
  m_gpu->outcome = Outcome::DeviceLost;
  m_gpu->isThere = false;
  QSignalSpy failed(m_measure, &MeasureFlow::failed);
  m_measure->measure(m_measure->unmeasured());
  QTRY_COMPARE(failed.size(), 1);
  QCOMPARE(m_gpu->asked.load(), 1);
  QTRY_VERIFY(m_measure->whyNotMeasureShown().contains("Measuring needs an NVIDIA GPU"));
}

// After three crashes the queue stops. The user can turn measuring on again.
void TestMeasureFlow::threeCrashesStopTheQueue() {
  open("blur.hlpipe");
  search();
  addVariants(5);
  m_gpu->outcome = Outcome::Crashed;
  QSignalSpy failed(m_measure, &MeasureFlow::failed);
  m_measure->measure(m_measure->unmeasured());
  QTRY_COMPARE(failed.size(), 1);
  QCOMPARE(m_gpu->asked.load(), CrashLadder::kCrashes);
  QCOMPARE(m_ladder->rung(), CrashLadder::Rung::Compiles);
  QVERIFY(m_measure->whyNotMeasure().contains("three crashes"));
  QCOMPARE(m_measure->whyNotVerifyShown(), QString());
  m_ladder->climb();
  QCOMPARE(m_measure->whyNotMeasure(), QString());
  m_gpu->outcome = Outcome::Ok;
  QSignalSpy measured(m_measure, &MeasureFlow::measured);
  m_measure->retry();
  QTRY_COMPARE(measured.size(), 3);
}

void TestMeasureFlow::stopsWhenAsked() {
  open("blur.hlpipe");
  search();
  addVariants(2);
  m_gpu->isHeld = true;
  QSignalSpy failed(m_measure, &MeasureFlow::failed);
  m_measure->measure(m_measure->unmeasured());
  QTRY_COMPARE(m_gpu->asked.load(), 1);
  m_measure->stop();
  QCOMPARE(m_measure->state(), MeasureFlow::State::Idle);
  QVERIFY(failed.isEmpty()); // stopping by the user is no failure
  QCOMPARE(m_measure->unmeasured().size(), std::size_t(3));
  m_measure->verifyShown();
  QTRY_COMPARE(m_gpu->asked.load(), 2);
  m_measure->stop();
  QCOMPARE(m_measure->state(), MeasureFlow::State::Idle);
}

void TestMeasureFlow::anotherPipelineEndsIt() {
  open("blur.hlpipe");
  search();
  m_gpu->isHeld = true;
  m_measure->measureShown();
  QTRY_COMPARE(m_gpu->asked.load(), 1);
  open("other.hlpipe");
  QCOMPARE(m_measure->state(), MeasureFlow::State::Idle);
  QVERIFY(!document().candidates().front()->measurement);
}

void TestMeasureFlow::hostsAreRememberedAndTested() {
  const QAbstractItemModelTester tester(m_hosts);
  QCOMPARE(m_hosts->rowCount(), 1);
  QVERIFY(m_hosts->add("-oProxyCommand=x").contains("is not a host"));
  QVERIFY(m_hosts->add("two words").contains("is not a host"));
  QCOMPARE(m_hosts->rowCount(), 1);
  QCOMPARE(m_hosts->add(" me@gpu "), QString());
  QCOMPARE(m_hosts->add("nowhere"), QString());
  QCOMPARE(m_hosts->add("me@gpu"), QString()); // already known
  QCOMPARE(m_hosts->hosts(), QStringList({"me@gpu", "nowhere"}));
  QCOMPARE(m_hosts->chosen(), "me@gpu");
  const auto state = [&](int row) {
    return m_hosts->index(row, HostModel::State).data().toString();
  };
  QCOMPARE(state(1), "not tested");
  m_hosts->test("me@gpu");
  QVERIFY(m_hosts->isTesting("me@gpu"));
  m_hosts->test("nowhere");
  QTRY_COMPARE(state(1), "GPU of me@gpu");
  QTRY_VERIFY(state(2).contains("Cannot reach nowhere") && state(2).contains("without a prompt"));
  // After a restart the hosts are known, but not the GPUs that were found on them.
  HostModel again(test::cannedMeasureService(m_gpu), *m_bridge, *m_settings);
  QCOMPARE(again.hosts(), m_hosts->hosts());
  QCOMPARE(again.chosen(), "me@gpu");
  QCOMPARE(again.gpu("me@gpu"), "");
  // Removes a host while it is being tested.
  QCOMPARE(again.add("slow"), QString());
  again.test("slow");
  again.remove("slow");
  QCOMPARE(again.chosen(), "");
  QCOMPARE(again.rowCount(), 3);
  again.remove(""); // this computer cannot be removed
  QCOMPARE(again.rowCount(), 3);
}

void TestMeasureFlow::measuresAtAHost() {
  m_gpu->isThere = false; // there is no GPU here
  QCOMPARE(m_hosts->add("me@gpu"), QString());
  open("blur.hlpipe");
  search();
  QCOMPARE(m_measure->whyNotMeasureShown(), QString()); // nobody has tried to reach the host yet
  QVERIFY(!m_measure->isLookingForGpu());
  QCOMPARE(m_measure->where(), "me@gpu");
  QSignalSpy measured(m_measure, &MeasureFlow::measured);
  m_measure->measureShown();
  QTRY_COMPARE(measured.size(), 1);
  QCOMPARE(shown()->measurement->times.machine, std::string("GPU of me@gpu"));
  QCOMPARE(m_measure->gpu(), "GPU of me@gpu"); // found while measuring
  QCOMPARE(m_measure->where(), "GPU of me@gpu of me@gpu");
  m_hosts->choose({});
  QTRY_VERIFY(m_measure->noGpu().isEmpty());
  m_measure->lookForGpu();
  QTRY_VERIFY(m_measure->whyNotMeasureShown().contains("another host"));
}

void TestMeasureFlow::aHostThatIsLostMayComeBack() {
  QCOMPARE(m_hosts->add("me@gpu"), QString());
  open("blur.hlpipe");
  search();
  m_gpu->outcome = Outcome::ConnectionLost;
  QSignalSpy failed(m_measure, &MeasureFlow::failed);
  m_measure->measureShown();
  QTRY_COMPARE(failed.size(), 1);
  QVERIFY(m_measure->failureText().contains("no connection to the GPU"));
  QVERIFY(m_measure->noGpu().contains("as the test wished"));
  QVERIFY(!shown()->label.isQuarantined);
  QCOMPARE(m_measure->whyNotMeasureShown(), QString()); // the user may try again
  m_gpu->outcome = Outcome::Ok;
  QSignalSpy measured(m_measure, &MeasureFlow::measured);
  m_measure->retry();
  QTRY_COMPARE(measured.size(), 1);
  QCOMPARE(m_measure->noGpu(), "");
}

void TestMeasureFlow::countsWhereItIsWished() {
  open("blur.hlpipe");
  search();
  QSignalSpy measured(m_measure, &MeasureFlow::measured);
  m_measure->measureShown();
  QTRY_COMPARE(measured.size(), 1);
  QVERIFY(!shown()->measurement->counters);
  m_measure->setCounts(true);
  m_measure->measureShown();
  QTRY_COMPARE(measured.size(), 2);
  QVERIFY(shown()->measurement->counters);
  QCOMPARE(shown()->measurement->counters->kernels.size(),
           shown()->measurement->bundle.kernels.size());
}

// A crash while counting loses only the counters, not the times.
void TestMeasureFlow::countingThatCrashesTurnsItselfOff() {
  open("blur.hlpipe");
  search();
  m_measure->setCounts(true);
  m_gpu->counted = Outcome::Crashed;
  QSignalSpy measured(m_measure, &MeasureFlow::measured);
  for (int i = 0; i < CrashLadder::kCrashes; ++i) {
    QVERIFY(m_ladder->mayCount());
    m_measure->measureShown();
    QTRY_COMPARE(measured.size(), i + 1);
    QVERIFY(shown()->measurement->times.verified() && !shown()->measurement->counters);
  }
  QCOMPARE(m_ladder->rung(), CrashLadder::Rung::Measures);
  m_gpu->counted = Outcome::Ok;
  m_measure->measureShown();
  QTRY_COMPARE(measured.size(), CrashLadder::kCrashes + 1);
  QVERIFY(!shown()->measurement->counters); // counting was not tried
  m_ladder->climb();
  m_measure->measureShown();
  QTRY_VERIFY(shown()->measurement->counters);
}

void TestMeasureFlow::runsOnTheInputsOfTheDocument() {
  open("blur.hlpipe");
  search();
  const QString image = m_folder->filePath("photo.pgm");
  test::writeImage(image, 66, 48);
  measure::RunInputs inputs = measure::RunInputs().with("input", image.toStdString());
  inputs.seed = 7;
  inputs.tolerance.share = 0.25;
  m_documents->apply(document::SetInputs{"Input input from photo.pgm", inputs});
  QSignalSpy verified(m_measure, &MeasureFlow::verified);
  m_measure->verifyShown();
  QTRY_COMPARE(verified.size(), 1);
  QCOMPARE(m_gpu->givenBytes.load(), std::size_t(2 * 66 * 48));
  QCOMPARE(m_gpu->seed.load(), 7);
  QCOMPARE(m_gpu->givenShare.load(), 0.25);
  const auto &remarks = shown()->verification->report.remarks;
  QCOMPARE(remarks.size(), std::size_t(2));
  QVERIFY(QString::fromStdString(remarks[0]).contains("photo.pgm"));
  QSignalSpy measured(m_measure, &MeasureFlow::measured);
  m_measure->measureShown();
  QTRY_COMPARE(measured.size(), 1);
  QCOMPARE(m_gpu->givenBytes.load(), std::size_t(2 * 66 * 48));
  // A missing file is reported. The candidate keeps its measurement and is not quarantined.
  QVERIFY(QFile::remove(image));
  const int asked = m_gpu->asked;
  QSignalSpy failed(m_measure, &MeasureFlow::failed);
  m_measure->measureShown();
  QTRY_COMPARE(failed.size(), 1);
  QVERIFY2(m_measure->failureText().contains("photo.pgm"), qPrintable(m_measure->failureText()));
  QCOMPARE(m_gpu->asked.load(), asked);
  QVERIFY(shown()->measurement && !shown()->label.isQuarantined);
  m_documents->undo(); // back to random inputs, on which the candidate was not measured
  QCOMPARE(document().freshnessOf(*shown()), measure::Freshness::OtherInputs);
  m_measure->retry();
  QTRY_COMPARE(measured.size(), 2);
  QCOMPARE(m_gpu->givenBytes.load(), std::size_t(0));
  QCOMPARE(m_gpu->seed.load(), 1);
}

void TestMeasureFlow::verifies() {
  open("blur.hlpipe");
  search();
  QSignalSpy verified(m_measure, &MeasureFlow::verified);
  QSignalSpy failed(m_measure, &MeasureFlow::failed);
  m_measure->verifyShown();
  QTRY_COMPARE(verified.size(), 1);
  QCOMPARE(verified[0][0].toULongLong(), qulonglong(shown()->id));
  QVERIFY(verified[0][1].toString().contains("by OpenCL"));
  QVERIFY(shown()->verification && shown()->verification->report.equal());
  QCOMPARE(shown()->verification->of.scheduleHash, shown()->schedule.hash());
  QCOMPARE(shown()->verification->of.contentSha256, document().source().contentSha256);
  QCOMPARE(shown()->verification->program, std::string("0.1.0 (test)"));
  QCOMPARE(document().freshnessOfVerification(*shown()), measure::Freshness::Fresh);
  QVERIFY(m_documents->hasWork());
  m_gpu->outcome = Outcome::WrongOutput;
  m_measure->verifyShown();
  QTRY_COMPARE(failed.size(), 1);
  QVERIFY2(m_measure->failureText().contains("at (3, 4)"), qPrintable(m_measure->failureText()));
  QVERIFY(!shown()->verification->report.equal()); // a failed verification is also kept
  QVERIFY(shown()->label.isQuarantined);
  m_gpu->outcome = Outcome::Ok;
  m_measure->retry();
  QTRY_COMPARE(verified.size(), 2);
  QVERIFY(shown()->verification->report.equal());
}

// A crash of the compiler proves nothing about the schedule, so nothing is kept or quarantined.
void TestMeasureFlow::whatCannotBeVerifiedLeavesNothing() {
  open("blur.hlpipe");
  search();
  m_gpu->outcome = Outcome::Crashed;
  QSignalSpy failed(m_measure, &MeasureFlow::failed);
  m_measure->verifyShown();
  QTRY_COMPARE(failed.size(), 1);
  QVERIFY2(m_measure->failureText().contains("was not verified"),
           qPrintable(m_measure->failureText()));
  QVERIFY(!shown()->verification && !shown()->label.isQuarantined);
}

// Saves the document to a file and opens it again.
void TestMeasureFlow::saveAndOpen() {
  const QString path = m_folder->filePath("blur.tessera");
  m_documents->save(path, {});
  QTRY_COMPARE(m_documents->path(), path);
  const pipeline::PipelinePtr pipeline = document().pipeline();
  m_documents->openFile(path);
  QTRY_VERIFY(m_documents->hasDocument() && document().pipeline() != pipeline);
  QTRY_VERIFY(shown());
}

// Changes the content of the pipeline's file.
void TestMeasureFlow::reloadAsAnother() {
  const std::string before = document().source().contentSha256;
  QFile file(m_folder->filePath("blur.hlpipe"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("another content");
  file.close();
  m_open->reload();
  QTRY_VERIFY(m_documents->hasDocument() && document().source().contentSha256 != before &&
              !document().source().contentSha256.empty());
}

// Verifications stay fresh until the pipeline changes. They are also saved.
void TestMeasureFlow::verificationsAreKeptAndGoStale() {
  open("blur.hlpipe");
  search();
  QSignalSpy verified(m_measure, &MeasureFlow::verified);
  m_measure->verifyShown();
  QTRY_COMPARE(verified.size(), 1);
  const auto before = shown()->verification;
  saveAndOpen();
  QVERIFY(shown()->verification == before);
  reloadAsAnother();
  QTRY_VERIFY(shown() && shown()->verification);
  QCOMPARE(document().freshnessOfVerification(*shown()), measure::Freshness::OtherPipeline);
}

// After a kill -9, the journal is all that is left.
void TestMeasureFlow::verificationsSurviveACrash() {
  open("blur.hlpipe");
  search();
  QSignalSpy verified(m_measure, &MeasureFlow::verified);
  m_measure->verifyShown();
  QTRY_COMPARE(verified.size(), 1);
  const std::string recovery = m_folder->filePath("recovery").toStdString();
  {
    auto journal = document::Journal::begin(recovery, {document(), {}, true});
    QVERIFY(journal);
    document::KeptVerification other = *shown()->verification;
    other.report.outputs[0].beyond = 7;
    (*journal)->append(document::SetVerification{shown()->id, other});
  } // the journal file stays, because discard() is not called
  const auto found = document::findRecoverable(recovery);
  QCOMPARE(found.size(), std::size_t(1));
  const auto recovered = document::recover(found[0].journal);
  QVERIFY(recovered);
  const auto candidate = recovered->base.document.candidate(shown()->id);
  QVERIFY(candidate && candidate->verification);
  QCOMPARE(candidate->verification->report.outputs[0].beyond, std::int64_t(7));
}

void TestMeasureFlow::savedMeasurementsComeBack() {
  open("blur.hlpipe");
  search();
  m_measure->measureShown();
  QTRY_VERIFY(shown()->measurement);
  const auto before = shown()->measurement;
  saveAndOpen();
  QVERIFY(shown()->measurement == before);
  QCOMPARE(document().freshnessOf(*shown()), measure::Freshness::Fresh);
}

void TestMeasureFlow::changedPipelinesMakeThemStale() {
  open("blur.hlpipe");
  search();
  m_measure->measureShown();
  QTRY_VERIFY(shown()->measurement);
  reloadAsAnother();
  QTRY_VERIFY(shown() && shown()->measurement);
  QCOMPARE(document().freshnessOf(*shown()), measure::Freshness::OtherPipeline);
  QVERIFY(m_measure->unmeasured().size() > 0);
}

QTEST_GUILESS_MAIN(TestMeasureFlow)
#include "tst_measure_flow.moc"
