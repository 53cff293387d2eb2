// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring in the window, with clicks and keys alone: measure, look at kernels and memory, load
// from the scatter, add the schedules of others.
#include "../test_pipelines.h"
#include "views/window/main_window.h"
#include "engine/chart/quantity_text.h"
#include "views/candidates/candidate_panel.h"
#include "views/kernels/kernel_table.h"
#include "views/measurements/measurement_panel.h"
#include "views/roofline/roofline_panel.h"
#include "views/stages/stage_panel.h"
#include "views/text/measurement_text.h"
#include "views/text/table_text.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace tessera;
using namespace tessera::views;

namespace {

// A fake service of schedules by others: "good" finds one, and each of the rest fails in its own
// way.
OtherService cannedOthers() {
  OtherService service;
  service.list = [] {
    return std::vector<tune::Other>{{"manual", "manual", "By hand", false},
                                    {"good", "Good2020", "Schedules", true},
                                    {"crashes", "Crashes2020", "Crashes", true},
                                    {"late", "Late2020", "Never ends", true}};
  };
  service.find = [](const OtherWish &wish, const std::stop_token &stop,
                    const job::ProgressCallback &) -> tune::FoundOther {
    using tune::PeerStatus;
    if (wish.word == "crashes") return {PeerStatus::Crashed, "signal 11\nmore", 0.1, {}};
    if (wish.word == "manual") return {PeerStatus::Failed, "there is none", 0, {}};
    while (wish.word == "late" && !stop.stop_requested())
      std::this_thread::yield();
    if (wish.word == "late") return {PeerStatus::Cancelled, "cancelled", 0, {}};
    schedule::Schedule found = test::defaultFound(wish.opened.pipeline).schedule;
    schedule::Settings settings = found.settings();
    settings.registerCap = 128;
    found.set(settings);
    return {PeerStatus::Scheduled, {}, 0.5, document::SourcedSchedule{found}};
  };
  return service;
}

} // namespace

class TestWindowMeasure : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup();

  void modelsKeepTheirWord();
  void measuresByKeys();
  void measuringAgainKeepsTheEarlierOne();
  void saysWhyItIsOff();
  void failuresAreNotesWithRetry();
  void stopsByKeys();
  void kernelsAndStagesAreLinked();
  void memoryIsShown();
  void measuredTimesAreBesidePredictedOnes();
  void measuredPointsAreInTheRoofline();
  void staleAndUncheckedSayItInWords();
  void aPointLoadsItsSchedule();
  void addsOthersSchedules();
  void tellsHowAPictureWasSaved();
  void copiesTheTable();
  void barsTellTheParts();

private:
  void open(const QString &name);
  void search();
  void measure();
  template <typename T>
  T *child(const char *name) {
    return m_window->findChild<T *>(QString::fromLatin1(name));
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(m_window.get(), key, modifiers);
  }
  void raise(const char *dock) {
    child<QDockWidget>(dock)->raise();
    child<QDockWidget>(dock)->show();
    QTRY_VERIFY(child<QDockWidget>(dock)->widget()->isVisible());
  }
  DocumentFlow &documents() { return m_window->documents(); }
  MeasurementPanel &panel() { return m_window->measurements(); }
  QString cell(int column) { return panel().table().model()->index(0, column).data().toString(); }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<QSettings> m_settings;
  std::shared_ptr<test::CannedGpu> m_gpu;
  std::unique_ptr<MainWindow> m_window;
};

void TestWindowMeasure::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  m_gpu = std::make_shared<test::CannedGpu>();
  WindowServices services;
  services.open = test::cannedService();
  services.schedule = test::cannedScheduleService();
  services.kernels = test::cannedKernelService();
  services.measure = test::cannedMeasureService(m_gpu);
  services.others = cannedOthers();
  services.document.scratchFolder = m_folder->filePath("scratch").toStdString();
  m_window = std::make_unique<MainWindow>(std::move(services), *m_settings);
  m_window->resize(1500, 1000);
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
  QApplication::setActiveWindow(m_window.get());
}

void TestWindowMeasure::cleanup() {
  m_gpu->isHeld = false;
  m_window.reset();
}

void TestWindowMeasure::open(const QString &name) {
  QFile file(m_folder->filePath(name));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("content");
  file.close();
  m_window->openFile(file.fileName());
  QTRY_VERIFY(documents().hasDocument() && !documents().document().candidates().empty());
  QTRY_VERIFY(m_window->bridge().running().empty());
}

void TestWindowMeasure::search() {
  key(Qt::Key_R, Qt::ControlModifier);
  QTRY_VERIFY(documents().document().current());
  QTRY_VERIFY(!m_window->schedule().isRunning());
}

void TestWindowMeasure::measure() {
  QSignalSpy measured(&m_window->measuring(), &MeasureFlow::measured);
  QTRY_VERIFY(child<QAction>("measure")->isEnabled());
  key(Qt::Key_M, Qt::ControlModifier);
  QTRY_COMPARE(measured.size(), 1);
}

void TestWindowMeasure::modelsKeepTheirWord() {
  MeasurementModel measurements;
  IntermediateModel intermediates;
  OtherFlow others(cannedOthers(), m_window->bridge(), documents(), m_window->schedule());
  const QAbstractItemModelTester first(&measurements), second(&intermediates), third(&others);
  const pipeline::PipelinePtr pipeline = test::smallPipeline();
  document::PipelineCopy copy;
  copy.pipeline = pipeline;
  document::Document document(std::make_shared<const document::PipelineCopy>(copy));
  const FoundSchedule found = test::defaultFound(pipeline);
  document::CandidateLabel label;
  label.name = "one";
  const document::KeptCandidate candidate{0, label, {}, {}, found.schedule, "h200", 1e-4, {}};
  for (int i = 0; i < 3; ++i)
    QVERIFY(document.apply(document::AddCandidate{candidate}));
  measurements.setDocument(&document);
  QCOMPARE(measurements.rowCount(), 0);
  for (const std::uint64_t id : {2, 3, 2}) {
    QVERIFY(document.apply(document::SetMeasurement{id, test::cannedMeasurement(found.schedule)}));
    measurements.setDocument(&document);
  }
  QCOMPARE(measurements.rowCount(), 3); // one candidate was measured twice
  QCOMPARE(measurements.rowOf(3), std::optional(2));
  document::KeptVerification verified;
  verified.report = *test::cannedMeasurement(found.schedule).times.comparison;
  QVERIFY(document.apply(document::SetVerification{2, verified}));
  measurements.setDocument(&document);
  QCOMPARE(measurements.rowCount(), 4);
  QCOMPARE(measurements.rowOf(2, MeasurementModel::Kind::Verified), std::optional(2));
  QVERIFY(!measurements.measurementAt(2));
  measurements.setCurrent(showSchedule(found, "h200"));
  QVERIFY(measurements.index(0, 0).data(MeasurementModel::CurrentRole).toBool());
  intermediates.setIntermediates(
      measure::profileOf(*document.candidate(2)->measurement, found.schedule).intermediates);
  QCOMPARE(intermediates.rowCount(), 1);
  measurements.setDocument(nullptr);
  intermediates.setIntermediates({});
}

void TestWindowMeasure::measuresByKeys() {
  open("blur.hlpipe");
  search();
  measure();
  const auto candidate = m_window->measuring().shownCandidate();
  QVERIFY(candidate && candidate->measurement);
  const bench::Measurement &times = candidate->measurement->times;
  // The numbers are those of the measurement, in the format of the command line.
  const auto text = [](double seconds) { return QString::fromStdString(chart::timeText(seconds)); };
  QCOMPARE(cell(MeasurementModel::Median), text(times.backToBack.median));
  QCOMPARE(cell(MeasurementModel::Lower), text(times.backToBack.lower));
  QCOMPARE(cell(MeasurementModel::Upper), text(times.backToBack.upper));
  QCOMPARE(cell(MeasurementModel::Spread), QLocale().toString(20.0, 'f', 1) + " %");
  QCOMPARE(cell(MeasurementModel::Predicted), text(*candidate->predictedSeconds));
  QCOMPARE(cell(MeasurementModel::Gaps), text(5e-6));
  QCOMPARE(cell(MeasurementModel::Allocations), text(7e-6));
  QCOMPARE(cell(MeasurementModel::Kernels), text(*times.kernelSeconds()));
  QCOMPARE(cell(MeasurementModel::Checked), "equal");
  QCOMPARE(cell(MeasurementModel::State), "fresh");
  QCOMPARE(cell(MeasurementModel::Machine), "Canned GPU");
  QVERIFY(cell(MeasurementModel::Clocks).startsWith("1700 MHz"));
  QVERIFY(child<QLabel>("measured")->text().contains(text(times.backToBack.median)));
  // The list of candidates shows the time, too.
  const CandidateModel &model = m_window->candidates().model();
  QVERIFY(model.index(*model.rowOf(candidate->id), CandidateModel::Measured)
              .data()
              .toString()
              .startsWith(threeDigits(times.backToBack.median * 1e3)));
  QVERIFY(m_window->isWindowModified());
}

// After a second measurement the latest one counts, and the earlier one can still be looked at.
void TestWindowMeasure::measuringAgainKeepsTheEarlierOne() {
  open("blur.hlpipe");
  search();
  measure();
  measure();
  MeasurementModel &model = m_window->measurements().model();
  const auto candidate = m_window->measuring().shownCandidate();
  QCOMPARE(candidate->earlier.size(), std::size_t(1));
  QCOMPARE(model.rowCount(), 2);
  const int last = *model.rowOf(candidate->id);
  const auto text = [&](int row, MeasurementModel::Column column) {
    return model.index(row, column).data().toString();
  };
  QCOMPARE(text(last, MeasurementModel::State), "fresh");
  QCOMPARE(text(last + 1, MeasurementModel::State), "earlier");
  QVERIFY(model.index(last + 1, 0).data(MeasurementModel::EarlierRole).toBool());
  for (const auto column : {MeasurementModel::Candidate, MeasurementModel::Median,
                            MeasurementModel::Clocks, MeasurementModel::Program})
    QCOMPARE(text(last + 1, column), text(last, column));
  // The kernels of the earlier measurement can be shown like those of any other.
  QTableView &table = m_window->measurements().table();
  table.setFocus();
  table.setCurrentIndex(table.model()->index(table.currentIndex().row() == 0 ? 1 : 0, 0));
  QVERIFY(!child<QLabel>("measurementSummary")->text().isEmpty());
  // Both measurements belong to one candidate, and all others are unmeasured.
  QCOMPARE(m_window->measuring().unmeasured().size(),
           m_window->documents().document().candidates().size() - 1);
}

void TestWindowMeasure::saysWhyItIsOff() {
  m_gpu->isThere = false;
  auto *measure = child<QAction>("measure");
  QVERIFY(!measure->isEnabled());
  QVERIFY(measure->toolTip().contains("Open a pipeline"));
  open("blur.hlpipe");
  search();
  QTRY_VERIFY(measure->toolTip().contains("NVIDIA's driver was not found"));
  QCOMPARE(measure->statusTip(), measure->toolTip());
  QVERIFY(!measure->isEnabled());
  QVERIFY(child<QAction>("verify")->isEnabled());
  QVERIFY(!child<QToolButton>("measureCandidate")->isEnabled());
  QVERIFY(
      child<QToolButton>("measureCandidate")->toolTip().contains("Measuring needs an NVIDIA GPU"));
  auto *look = child<QAction>("lookForGpu");
  QVERIFY(look->isVisible());
  m_gpu->isThere = true;
  look->trigger();
  QTRY_VERIFY(measure->isEnabled());
  QVERIFY(!look->isVisible());
  QVERIFY(measure->toolTip().contains("Canned GPU"));
}

void TestWindowMeasure::failuresAreNotesWithRetry() {
  open("blur.hlpipe");
  search();
  m_gpu->outcome = Outcome::Crashed;
  QTRY_VERIFY(child<QAction>("measure")->isEnabled());
  key(Qt::Key_M, Qt::ControlModifier);
  auto *note = child<QWidget>("measureNote");
  QTRY_VERIFY(note->isVisible());
  QVERIFY(note->accessibleDescription().contains("the worker crashed"));
  auto *retry = note->findChild<QPushButton *>("noteAccept");
  QVERIFY(retry->isVisible());
  m_gpu->outcome = Outcome::Ok;
  QTest::mouseClick(retry, Qt::LeftButton);
  QTRY_VERIFY(m_window->measuring().shownCandidate()->measurement);
  QVERIFY(!note->isVisible());
}

void TestWindowMeasure::stopsByKeys() {
  open("blur.hlpipe");
  search();
  m_gpu->isHeld = true;
  QTRY_VERIFY(child<QAction>("measure")->isEnabled());
  key(Qt::Key_M, Qt::ControlModifier);
  QTRY_COMPARE(m_gpu->asked.load(), 1);
  QTRY_VERIFY(child<QWidget>("jobIndicator")->findChild<QToolButton *>("cancelJob")->isVisible());
  QVERIFY(child<QAction>("stopMeasuring")->isEnabled());
  key(Qt::Key_Escape);
  QTRY_COMPARE(m_window->measuring().state(), MeasureFlow::State::Idle);
  QVERIFY(!child<QAction>("stopMeasuring")->isEnabled());
  QVERIFY(!m_window->measuring().shownCandidate()->measurement);
}

void TestWindowMeasure::kernelsAndStagesAreLinked() {
  open("blur.hlpipe");
  search();
  measure();
  raise("measurements");
  TimelineView &timeline = panel().timeline();
  QTRY_VERIFY(timeline.isVisible());
  const Timeline shown = timeline.timeline();
  QVERIFY(shown.parts.size() >= 3); // kernels, gaps, allocation
  const auto stageOf = [&](std::size_t kernel) {
    const auto &kept = *m_window->measuring().shownCandidate()->measurement;
    return report::nameOf(kept.bundle.kernels[kernel].stages.front());
  };
  const auto active = [&] {
    const auto subject = m_window->selection().active();
    return subject ? documents().document().pipeline()->stageName(pipeline::StageId{subject->index})
                   : std::string();
  };
  QTest::mouseClick(&timeline, Qt::LeftButton, {}, shown.parts[1].place.center().toPoint());
  QTRY_COMPARE(active(), stageOf(1));
  QCOMPARE(timeline.current(), std::optional<std::size_t>(1));
  timeline.setFocus();
  QTest::keyClick(&timeline, Qt::Key_Left);
  QTRY_COMPARE(active(), stageOf(0));
  m_window->selection().select(Subject::stage(pipeline::StageId{2}));
  QTRY_VERIFY(timeline.current().has_value() && stageOf(*timeline.current()) == active());
  QVERIFY(timeline.toolTipOf(shown.parts[0]).contains(timeText(10e-6)));
}

void TestWindowMeasure::memoryIsShown() {
  open("blur.hlpipe");
  search();
  measure();
  raise("measurements");
  IntermediateModel &model = panel().intermediates();
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(model.index(0, IntermediateModel::Func).data().toString(), "blur_x");
  QCOMPARE(model.index(0, IntermediateModel::Bytes).data(IntermediateModel::SortRole).toInt(),
           64 * 48 * 4);
  QVERIFY(child<QLabel>("measurementSummary")->text().contains("intermediate buffers: "));
  auto *table = child<QTableView>("intermediateTable");
  table->setCurrentIndex(table->model()->index(0, 0));
  QTRY_COMPARE(m_window->selection().active(), std::optional(Subject::stage(pipeline::StageId{0})));
}

void TestWindowMeasure::measuredTimesAreBesidePredictedOnes() {
  open("blur.hlpipe");
  search();
  QTableView &stages = m_window->stages().table();
  QVERIFY(stages.isColumnHidden(StageTableModel::Measured));
  measure();
  QTRY_VERIFY(!stages.isColumnHidden(StageTableModel::Measured));
  int found = 0;
  for (int row = 0; row < stages.model()->rowCount(); ++row) {
    const auto micros = [&](int column) {
      return stages.model()->index(row, column).data(StageTableModel::SortRole).toDouble();
    };
    if (micros(StageTableModel::Predicted) <= 0) continue;
    const int kernel = stages.model()->index(row, StageTableModel::Kernel).data().toInt();
    QCOMPARE(micros(StageTableModel::Measured), 10.0 * kernel);
    ++found;
  }
  QVERIFY(found >= 2);
  // The schedule after undo has not been measured.
  documents().undo();
  QTRY_VERIFY(stages.isColumnHidden(StageTableModel::Measured));
}

void TestWindowMeasure::measuredPointsAreInTheRoofline() {
  open("blur.hlpipe");
  search();
  raise("roofline");
  RooflineView &view = m_window->roofline().view();
  QTRY_VERIFY(view.isVisible());
  const auto origins = [&] { return view.chart().origins.size(); };
  QCOMPARE(origins(), std::size_t(1));
  measure();
  // The roofs have no machine name, so they count as those of another GPU, and no measured points
  // are drawn.
  QCOMPARE(origins(), std::size_t(1));
  const auto candidate = m_window->measuring().shownCandidate();
  measure::KeptMeasurement same = *candidate->measurement;
  same.times.machine = machine::Machine().title;
  for (report::KernelReport &kernel : same.bundle.kernels) {
    kernel.operations = {{pipeline::OpKind::Add, {pipeline::TypeKind::Int, 32}, 1e6}};
    kernel.global.loadBytes = 1e6;
  }
  documents().apply(document::SetMeasurement{candidate->id, same});
  QTRY_COMPARE(origins(), std::size_t(2));
  // A click on a kernel's mark selects the kernel.
  m_window->selection().clear();
  for (const chart::MarkRow &row : view.chart().rows) {
    const chart::Mark &mark = row.marks.front();
    if (row.isWhole || mark.origin != cost::Origin::Static) continue;
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPointF(mark.at.x, mark.at.y).toPoint());
    QTRY_VERIFY(m_window->selection().active());
  }
  QVERIFY(m_window->selection().active());
  QVERIFY(!m_window->roofline().table().isColumnHidden(RooflineTableModel::Measured));
  QCOMPARE(m_window->roofline()
               .table()
               .model()
               ->index(1, RooflineTableModel::Measured)
               .data()
               .toString(),
           timeText(20e-6));
}

void TestWindowMeasure::staleAndUncheckedSayItInWords() {
  open("blur.hlpipe");
  search();
  measure();
  const auto candidate = m_window->measuring().shownCandidate();
  measure::KeptMeasurement other = *candidate->measurement;
  other.of.contentSha256 = std::string(64, '0');
  documents().apply(document::SetMeasurement{candidate->id, other});
  const MeasurementModel &rows = panel().model();
  const auto last = [&](int column) {
    return rows.index(*rows.rowOf(candidate->id), column).data().toString();
  };
  QVERIFY(last(MeasurementModel::State).startsWith("stale"));
  QVERIFY(child<QLabel>("measured")->text().contains("stale"));
  const CandidateModel &model = m_window->candidates().model();
  const auto inList = [&] {
    return model.index(*model.rowOf(candidate->id), CandidateModel::Measured).data().toString();
  };
  QVERIFY(inList().contains("stale"));
  other.of.contentSha256 = candidate->measurement->of.contentSha256;
  other.times.comparison.reset();
  documents().apply(document::SetMeasurement{candidate->id, other});
  QCOMPARE(last(MeasurementModel::State), "unverified");
  QCOMPARE(last(MeasurementModel::Median), "no time");
  QCOMPARE(last(MeasurementModel::Ratio), "");
  QCOMPARE(inList(), "unverified");
  QVERIFY(m_window->candidates().scatter().points().empty());
}

void TestWindowMeasure::aPointLoadsItsSchedule() {
  open("blur.hlpipe");
  search();
  document::Choices choices;
  QVERIFY(m_window->schedule().service().choices(
      *documents().document().current(), pipeline::StageId{0}, "h200", {},
      [&](document::Choices more) {
        std::move(more.begin(), more.end(), std::back_inserter(choices));
      }));
  const auto kernels = [](const schedule::Schedule &schedule) {
    return cost::predict(schedule, machine::Machine{}).kernels.size();
  };
  // On this fake GPU, a schedule with more kernels takes longer.
  const auto fewer = std::ranges::find_if(choices, [&](const document::Choice &choice) {
    return kernels(choice.after) < kernels(*documents().document().current());
  });
  QVERIFY(fewer != choices.end());
  documents().choose(*fewer);
  QTRY_VERIFY(m_window->schedule().shown()->found.schedule == fewer->after);
  documents().keepCurrent();
  QTRY_VERIFY(child<QAction>("measureAll")->isEnabled());
  QSignalSpy measured(&m_window->measuring(), &MeasureFlow::measured);
  key(Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
  QTRY_COMPARE(measured.size(), 2);
  QTRY_VERIFY(!child<QAction>("measureAll")->isEnabled());
  raise("candidates");
  TimeScatter &scatter = m_window->candidates().scatter();
  QTRY_VERIFY(scatter.isVisible());
  QCOMPARE(scatter.points().size(), std::size_t(2));
  const auto candidates = documents().document().candidates();
  QCOMPARE(scatter.points()[0].measured, candidates[0]->measurement->times.backToBack.median);
  QVERIFY(scatter.points()[1].isCurrent);
  QVERIFY(scatter.points()[0].isElsewhere); // predicted for an H200, measured on another GPU
  QTest::mouseClick(&scatter, Qt::LeftButton, {}, scatter.scatter().places[0].toPoint());
  QTRY_COMPARE(documents().undoName(), "Load default");
  // The keys also load candidates.
  scatter.setFocus();
  for (int i = 0; i < 2; ++i) {
    QTest::keyClick(&scatter, Qt::Key_Right);
    QTest::keyClick(&scatter, Qt::Key_Return);
  }
  QTRY_VERIFY(documents().undoName().startsWith("Load"));
}

// For any chart, the status bar says where a picture was saved, and a note says why one was not.
void TestWindowMeasure::tellsHowAPictureWasSaved() {
  open("blur.hlpipe");
  const auto charts = m_window->findChildren<PlotView *>();
  QCOMPARE(charts.size(), 7); // scatter, best so far, timeline, roofline, three of occupancy
  for (PlotView *chart : charts) {
    emit chart->told("Saved to here", false);
    QCOMPARE(m_window->statusBar()->currentMessage(), "Saved to here");
    m_window->statusBar()->clearMessage();
  }
  emit charts.front()->told("The disk is full", true);
  QVERIFY(std::ranges::any_of(m_window->findChildren<QWidget *>("noteBar"), [](QWidget *note) {
    return note->isVisible() && note->accessibleDescription() == "The disk is full";
  }));
}

void TestWindowMeasure::addsOthersSchedules() {
  open("blur.hlpipe");
  raise("candidates");
  QTest::mouseClick(child<QToolButton>("addOthers"), Qt::LeftButton);
  QTRY_VERIFY(child<QDialog>("othersDialog"));
  auto *table = child<QTableView>("othersTable");
  const auto status = [&](int row) {
    return table->model()->index(row, OtherFlow::Status).data().toString();
  };
  // Deselects "late", the autoscheduler that never ends.
  table->model()->setData(table->model()->index(3, 0), Qt::Unchecked, Qt::CheckStateRole);
  QTest::mouseClick(child<QPushButton>("othersAdd"), Qt::LeftButton);
  QTRY_VERIFY(status(2).contains("crashed"));
  QVERIFY2(status(2).contains("signal 11") && !status(2).contains("more"), qPrintable(status(2)));
  QVERIFY(status(0).contains("there is none"));
  QVERIFY(status(1).startsWith("added, predicted"));
  QCOMPARE(status(3), "");
  const auto &candidate = *documents().document().candidates().back();
  QCOMPARE(candidate.label.name, std::string("Good2020"));
  QCOMPARE(candidate.origin, document::CandidateOrigin::Peer);
  QVERIFY(candidate.predictedSeconds);
  // Runs "late" and stops it.
  table->model()->setData(table->model()->index(3, 0), Qt::Checked, Qt::CheckStateRole);
  for (const int row : {0, 2})
    table->model()->setData(table->model()->index(row, 0), Qt::Unchecked, Qt::CheckStateRole);
  QTest::mouseClick(child<QPushButton>("othersAdd"), Qt::LeftButton);
  QTRY_VERIFY(status(3).startsWith("running"));
  QTest::mouseClick(child<QPushButton>("othersStop"), Qt::LeftButton);
  QVERIFY2(status(3).contains("stopped"), qPrintable(status(3)));
}

void TestWindowMeasure::copiesTheTable() {
  open("blur.hlpipe");
  search();
  measure();
  const QAbstractItemModel &table = *panel().table().model();
  QVERIFY(csvOf(table).startsWith("Candidate,State,Median,"));
  QCOMPARE(csvOf(table).count('\n'), table.rowCount() + 1);
  QVERIFY(markdownOf(table).contains("| fresh |"));
  QVERIFY(child<QToolButton>("measurementExport"));
}

void TestWindowMeasure::barsTellTheParts() {
  measure::RunProfile profile;
  profile.isTimed = true;
  profile.kernels = {{"a", {}, 1, 10e-6, 0, 100}, {"b", {}, 1, 30e-6, 10e-6, 50}};
  profile.gapSeconds = 20e-6;
  profile.peakBytes = 100;
  const Timeline timeline = timelineOf(profile, {0, 0, 600, 150});
  QCOMPARE(timeline.parts.size(), std::size_t(3));
  QCOMPARE(timeline.parts[0].place.width(), 100.0);
  QCOMPARE(timeline.parts[1].place.left(), 100.0);
  QCOMPARE(timeline.parts[2].kind, TimelineBar::Kind::Gaps);
  QCOMPARE(timeline.parts[2].place.right(), 600.0);
  QCOMPARE(timeline.at({350, 10}), &timeline.parts[1]);
  QCOMPARE(timeline.at({350, timeline.memory.center().y()}), &timeline.parts[1]);
  QCOMPARE(timeline.at({500, timeline.memory.center().y()}), nullptr);
  QCOMPARE(timeline.alive.front().y(), timeline.memory.top());
  QCOMPARE(timeline.alive.back().y(), timeline.memory.center().y());
  profile.isTimed = false; // without times, all kernels are equally wide
  QCOMPARE(timelineOf(profile, {0, 0, 600, 150}).parts[1].place.left(), 300.0);
  QVERIFY(timelineOf({}, {0, 0, 600, 150}).parts.empty());
}

QTEST_MAIN(TestWindowMeasure)
#include "tst_window_measure.moc"
