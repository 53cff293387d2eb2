// SPDX-License-Identifier: GPL-3.0-or-later
// Verifying, hosts and counters in the window, with clicks and keys alone, on a fake GPU.
#include "../test_pipelines.h"
#include "test_window.h"
#include "views/candidates/candidate_panel.h"
#include "views/measurements/measurement_panel.h"
#include "views/roofline/roofline_panel.h"
#include "views/tables/occupancy_table_model.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace tessera;
using namespace tessera::views;

class TestWindowHosts : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup() { m_test.reset(); }

  void verifiesByKeys();
  void verifiesACandidateOfTheList();
  void choosesAHostFromTheButton();
  void hostsByKeys();
  void nothingWaitsForAHost();
  void countsAreInTheOccupancyAndTheRoofline();

private:
  void measure();
  template <typename T>
  T *child(const char *name) {
    return m_test->child<T>(name);
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { m_test->key(key, modifiers); }
  void raise(const char *dock) {
    child<QDockWidget>(dock)->show();
    child<QDockWidget>(dock)->raise();
    QTRY_VERIFY(child<QDockWidget>(dock)->widget()->isVisible());
  }
  MainWindow &window() { return m_test->window(); }
  DocumentFlow &documents() { return window().documents(); }
  MeasurementPanel &panel() { return window().measurements(); }
  QString checked(const document::KeptCandidate &candidate) {
    const CandidateModel &model = window().candidates().model();
    return model.index(*model.rowOf(candidate.id), CandidateModel::Checked).data().toString();
  }
  QString cell(int column) { return panel().table().model()->index(0, column).data().toString(); }

  std::shared_ptr<test::CannedGpu> m_gpu;
  std::unique_ptr<test::TestWindow> m_test;
};

void TestWindowHosts::init() {
  m_gpu = std::make_shared<test::CannedGpu>();
  m_test = std::make_unique<test::TestWindow>();
  m_test->services().measure = test::cannedMeasureService(m_gpu);
  m_test->makeWindow();
}

void TestWindowHosts::measure() {
  QSignalSpy measured(&window().measuring(), &MeasureFlow::measured);
  QTRY_VERIFY(child<QAction>("measure")->isEnabled());
  key(Qt::Key_M, Qt::ControlModifier);
  QTRY_COMPARE(measured.size(), 1);
}

void TestWindowHosts::verifiesByKeys() {
  QVERIFY(m_test->open("blur.hlpipe"));
  QVERIFY(m_test->search());
  key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
  auto *note = child<QWidget>("measureNote");
  QTRY_VERIFY(note->isVisible());
  QVERIFY(note->accessibleDescription().contains("verified (by OpenCL)"));
  QVERIFY(!note->findChild<QPushButton *>("noteAccept")->isVisible());
  // Both docks show the result, and it is part of the document.
  const auto candidate = window().measuring().shownCandidate();
  QVERIFY(candidate && candidate->verification);
  QVERIFY(window().isWindowModified());
  QCOMPARE(panel().model().rowCount(), 1);
  QCOMPARE(cell(MeasurementModel::Candidate), QString::fromStdString(candidate->label.name));
  QCOMPARE(cell(MeasurementModel::State), "verified");
  QCOMPARE(cell(MeasurementModel::Checked), "equal");
  QCOMPARE(cell(MeasurementModel::Median), "no time");
  QCOMPARE(cell(MeasurementModel::Machine), "OpenCL on this machine");
  QCOMPARE(cell(MeasurementModel::Date), QString::fromStdString(candidate->verification->date));
  QVERIFY(child<QLabel>("measurementSummary")->text().contains("outputs equal"));
  raise("measurements");
  QVERIFY(!panel().timeline().isVisible()); // a verification has no kernels
  QCOMPARE(checked(*candidate), "equal, by OpenCL");
  measure();
  QCOMPARE(panel().model().rowCount(), 2);
  QVERIFY(panel().timeline().isVisible());
  QCOMPARE(checked(*candidate), "equal, on the GPU");
}

// Any candidate of the list can be verified, and a wrong one is marked.
void TestWindowHosts::verifiesACandidateOfTheList() {
  QVERIFY(m_test->open("blur.hlpipe"));
  QVERIFY(m_test->search());
  raise("candidates");
  auto *table = child<QTableView>("candidateTable");
  auto *verify = child<QToolButton>("verifyCandidate");
  table->setFocus();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                    table->visualRect(table->model()->index(0, CandidateModel::Origin)).center());
  const std::uint64_t id = table->model()->index(0, 0).data(CandidateModel::IdRole).toULongLong();
  const auto candidate = [&] { return documents().document().candidate(id); };
  QCOMPARE(checked(*candidate()), "");
  m_gpu->outcome = Outcome::WrongOutput;
  QTRY_VERIFY(verify->isEnabled());
  QTest::mouseClick(verify, Qt::LeftButton);
  QTRY_VERIFY(candidate()->verification);
  QTRY_VERIFY(child<QWidget>("measureNote")->isVisible());
  QVERIFY(child<QWidget>("measureNote")->accessibleDescription().contains("at (3, 4)"));
  QCOMPARE(checked(*candidate()), "DIFFERENT, by OpenCL");
  QVERIFY(candidate()->label.isQuarantined);
  QCOMPARE(cell(MeasurementModel::Checked), "DIFFERENT");
  QCOMPARE(cell(MeasurementModel::State), "wrong outputs");
  // What could not be judged is not called verified.
  document::KeptVerification constant = *candidate()->verification;
  constant.report.outputs[0].beyond = 0;
  constant.report.outputs[0].isConstant = true;
  documents().apply(document::SetVerification{id, constant});
  QCOMPARE(checked(*candidate()), "undecided, by OpenCL");
  QCOMPARE(cell(MeasurementModel::Checked), "undecided");
  QCOMPARE(cell(MeasurementModel::State), "undecided");
  QVERIFY(child<QLabel>("measurementSummary")->text().contains("whether the schedule is right ("));
  // A verification becomes stale when the pipeline's content changes.
  document::KeptVerification other = *candidate()->verification;
  other.report.outputs[0].beyond = 0;
  other.report.outputs[0].isConstant = false;
  other.api = measure::GpuApi::Host;
  other.of.contentSha256 = std::string(64, '0');
  documents().apply(document::SetVerification{id, other});
  QCOMPARE(checked(*candidate()), "equal, on the CPU, stale");
  QVERIFY(cell(MeasurementModel::State).startsWith("stale"));
}

void TestWindowHosts::choosesAHostFromTheButton() {
  window().hosts().add("me@gpu");
  window().hosts().choose({});
  QTRY_VERIFY(child<QAction>("host.me@gpu"));
  QVERIFY(m_test->open("blur.hlpipe"));
  QVERIFY(m_test->search());
  auto *button = child<QToolButton>("measureTool");
  QVERIFY(button && button->menu());
  QCOMPARE(button->popupMode(), QToolButton::MenuButtonPopup);
  QTRY_VERIFY(child<QAction>("measure")->toolTip().contains("Canned GPU"));
  QMenu &menu = *button->menu();
  menu.popup(button->mapToGlobal(QPoint()));
  QTRY_VERIFY(menu.isVisible());
  QCOMPARE(menu.actions().front()->text(), QString("This Computer — Canned GPU"));
  QVERIFY(menu.actions().front()->isChecked());
  QTest::mouseClick(&menu, Qt::LeftButton, {},
                    menu.actionGeometry(child<QAction>("host.me@gpu")).center());
  QCOMPARE(window().hosts().chosen(), "me@gpu");
  QTRY_VERIFY(!menu.isVisible());
  QApplication::setActiveWindow(&window());
  QTRY_VERIFY(child<QAction>("measure")->toolTip().contains("GPU of me@gpu of me@gpu"));
  measure();
  QCOMPARE(cell(MeasurementModel::Machine), "GPU of me@gpu");
  // One click leads to the page of hosts.
  child<QAction>("showHosts")->trigger();
  QTRY_VERIFY(child<QTableView>("hostTable")->isVisible());
}

void TestWindowHosts::hostsByKeys() {
  QVERIFY(m_test->open("blur.hlpipe"));
  QVERIFY(m_test->search());
  child<QAction>("showHosts")->trigger();
  auto *line = child<QLineEdit>("hostLine");
  auto *table = child<QTableView>("hostTable");
  QTRY_VERIFY(line->isVisible());
  const auto enter = [&](const QString &host) {
    line->setFocus();
    line->clear();
    QTest::keyClicks(line, host);
    QTest::keyClick(line, Qt::Key_Return);
  };
  enter("-o x");
  QVERIFY(child<QLabel>("hostNote")->isVisible());
  QVERIFY(child<QLabel>("hostNote")->text().contains("is not a host"));
  enter("nowhere");
  QVERIFY(!child<QLabel>("hostNote")->isVisible());
  QCOMPARE(window().hosts().chosen(), "nowhere");
  QTRY_VERIFY(child<QLabel>("hostState")->text().contains("Cannot reach nowhere"));
  QVERIFY(child<QAction>("measure")->isEnabled()); // the host may answer the next time
  enter("me@gpu");
  QTRY_COMPARE(child<QLabel>("hostState")->text(), "me@gpu: GPU of me@gpu");
  QCOMPARE(table->model()->rowCount(), 3);
  // Goes back to this computer, and removes the host that cannot be reached.
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Home);
  QTest::keyClick(table, Qt::Key_Up);
  QTest::keyClick(table, Qt::Key_Up);
  QTest::keyClick(table, Qt::Key_Return);
  QCOMPARE(window().hosts().chosen(), "");
  QTest::keyClick(table, Qt::Key_Down);
  QTest::keyClick(table, Qt::Key_Delete);
  QCOMPARE(window().hosts().hosts(), QStringList({"me@gpu"}));
  QTest::mouseClick(child<QPushButton>("testHost"), Qt::LeftButton);
  QTRY_COMPARE(window().hosts().gpu("me@gpu"), "GPU of me@gpu");
  QTest::mouseClick(child<QPushButton>("chooseHost"), Qt::LeftButton);
  QCOMPARE(window().hosts().chosen(), "me@gpu");
}

// While a host does not answer, a search and other jobs go on, and Escape stops the waiting.
void TestWindowHosts::nothingWaitsForAHost() {
  QVERIFY(m_test->open("blur.hlpipe"));
  window().hosts().add("slow");
  window().hosts().test("slow");
  QVERIFY(m_test->search());
  QVERIFY(window().hosts().isTesting("slow"));
  QTRY_VERIFY(child<QWidget>("jobIndicator")->findChild<QToolButton *>("cancelJob")->isVisible());
  window().hosts().choose({});
  measure();
  QVERIFY(window().hosts().isTesting("slow"));
  key(Qt::Key_Escape);
  QTRY_VERIFY(!window().hosts().isTesting("slow"));
  QCOMPARE(window().hosts().whyNot("slow"), "");
}

void TestWindowHosts::countsAreInTheOccupancyAndTheRoofline() {
  QVERIFY(m_test->open("blur.hlpipe"));
  QVERIFY(m_test->search());
  raise("occupancy");
  auto *table = child<QTableView>("occupancyTable");
  QVERIFY(table->isColumnHidden(OccupancyTableModel::Achieved));
  measure();
  QVERIFY(table->isColumnHidden(OccupancyTableModel::Achieved));
  child<QAction>("countToo")->trigger();
  QVERIFY(m_test->settings().value("measure/counts").toBool());
  measure();
  QTRY_VERIFY(!table->isColumnHidden(OccupancyTableModel::Achieved));
  const auto &counted = window().measuring().shownCandidate()->measurement->counters->kernels;
  for (int row = 0; row < table->model()->rowCount(); ++row) {
    const int kernel = table->model()->index(row, OccupancyTableModel::Number).data().toInt() - 1;
    QCOMPARE(table->model()->index(row, OccupancyTableModel::Achieved).data().toString(),
             percentText(*counted[std::size_t(kernel)].occupancy));
  }
  QVERIFY(child<QLabel>("occupancyAnswer")->text().contains("Achieved:"));
  // If the measurement is of the GPU whose roofs are drawn, points from hardware counters replace
  // those counted in the code.
  raise("roofline");
  const auto candidate = window().measuring().shownCandidate();
  measure::KeptMeasurement same = *candidate->measurement;
  same.times.machine = machine::Machine().title;
  documents().apply(document::SetMeasurement{candidate->id, same});
  RooflineView &view = window().roofline().view();
  const auto has = [&](cost::Origin origin) {
    return std::ranges::find(view.chart().origins, origin) != view.chart().origins.end();
  };
  QTRY_VERIFY(has(cost::Origin::Measured));
  QVERIFY(!has(cost::Origin::Static));
}

QTEST_MAIN(TestWindowHosts)
#include "tst_window_hosts.moc"
