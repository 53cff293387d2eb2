// SPDX-License-Identifier: GPL-3.0-or-later
// What a search decided and tried, as a table: filled by each search, filtered, and its rows select
// funcs. It has to be quick with as many rows as a trace may have.
#include "../test_pipelines.h"
#include "views/problems/trace_panel.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <ctime>
#include <memory>

using namespace tessera;
using namespace tessera::views;

namespace {

search::Trace smallTrace() {
  using search::TraceOutcome;
  search::Trace trace{"s", {}, 3};
  trace.rows.push_back({"pre-pass", "inline", {"blur_x"}, 1e-6, {}, TraceOutcome::Frozen});
  trace.rows.push_back({"grouping",
                        "merge into blur_y",
                        {"blur_x", "blur_y"},
                        2.5e-6,
                        -4e-7,
                        TraceOutcome::Refused,
                        "it is not faster"});
  trace.rows.push_back({"grouping", "copies", {"a_copy"}, {}, {}, TraceOutcome::Taken});
  trace.rows.push_back(
      {"passes", "pass 1", {}, 3e-6, {}, TraceOutcome::Tried, {}, {{"evaluated", 12}}});
  return trace;
}

search::Trace longTrace() {
  search::Trace trace{"s", {}, 0};
  for (std::size_t row = 0; row < search::kMostTraceRows; ++row)
    trace.rows.push_back({"grouping",
                          "tiles, 32×8 threads",
                          {row % 2 ? "blur_x" : "blur_y"},
                          1e-6,
                          1e-9 * double(row),
                          search::TraceOutcome::Refused,
                          "it gains too little"});
  return trace;
}

} // namespace

class TestTracePanel : public QObject {
  Q_OBJECT
private slots:
  void init();
  void isEmptyUntilASearchEnds();
  void saysWhatWasTried();
  void rowsSelectTheirFuncs();
  void keysWalkThroughTheRows();
  void filtersByTextAndOutcome();
  void sortsByNumbersAndGoesBackToTheOrder();
  void isForgottenWithThePipeline();
  void isQuickWithAllRows();

private:
  [[nodiscard]] bool search(search::Trace trace);
  QString text(int row, TraceModel::Column column) {
    return m_panel->table().model()->index(row, column).data().toString();
  }

  search::Trace m_trace;
  std::unique_ptr<Bridge> m_bridge;
  std::unique_ptr<ScheduleFlow> m_flow;
  std::unique_ptr<Selection> m_selection;
  std::unique_ptr<TracePanel> m_panel;
};

void TestTracePanel::init() {
  m_panel.reset();
  m_flow.reset();
  ScheduleService service = views::test::cannedScheduleService();
  service.run = [this](const ScheduleRequest &request, std::stop_token,
                       const job::ProgressCallback &,
                       const ScheduleService::Found &) -> Result<FoundSchedule> {
    FoundSchedule found = views::test::defaultFound(request.pipeline);
    found.trace = std::make_shared<const search::Trace>(m_trace);
    return found;
  };
  m_bridge = std::make_unique<Bridge>();
  m_flow = std::make_unique<ScheduleFlow>(std::move(service), *m_bridge);
  m_selection = std::make_unique<Selection>();
  m_panel = std::make_unique<TracePanel>(*m_flow, *m_selection);
  m_panel->resize(900, 260);
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

bool TestTracePanel::search(search::Trace trace) {
  m_trace = std::move(trace);
  QSignalSpy found(m_flow.get(), &ScheduleFlow::found);
  m_flow->setPipeline(views::test::smallPipeline());
  m_flow->start({.algorithm = "auto", .machine = "h200"});
  return QTest::qWaitFor([&] { return !found.isEmpty(); });
}

void TestTracePanel::isEmptyUntilASearchEnds() {
  QCOMPARE(m_panel->table().model()->rowCount(), 0);
  QCOMPARE(m_panel->countText(), "0 steps");
}

void TestTracePanel::saysWhatWasTried() {
  QVERIFY(search(smallTrace()));
  const QAbstractItemModelTester tester(m_panel->table().model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  QCOMPARE(m_panel->table().model()->rowCount(), 4);
  QCOMPARE(m_panel->countText(), "4 steps, 3 more left out");
  QCOMPARE(text(0, TraceModel::Outcome), "frozen");
  QCOMPARE(text(0, TraceModel::Cost), "1.00");
  QCOMPARE(text(0, TraceModel::Benefit), "");
  QCOMPARE(text(1, TraceModel::Step), "2");
  QCOMPARE(text(1, TraceModel::Phase), "grouping");
  QCOMPARE(text(1, TraceModel::What), "merge into blur_y");
  QCOMPARE(text(1, TraceModel::Funcs), "blur_x, blur_y");
  QCOMPARE(text(1, TraceModel::Benefit), QLocale().negativeSign() + "0.400");
  QCOMPARE(text(1, TraceModel::Why), "it is not faster");
  QCOMPARE(text(3, TraceModel::Why), "12 evaluated");
}

void TestTracePanel::rowsSelectTheirFuncs() {
  QVERIFY(search(smallTrace()));
  const auto selected = [&] { return m_selection->selected(); };
  m_panel->table().selectRow(1);
  const Subject x = Subject::stage(pipeline::StageId{0}), y = Subject::stage(pipeline::StageId{1});
  QCOMPARE(selected(), (std::vector{x, y}));
  QCOMPARE(m_selection->active(), std::optional(x));
  m_panel->table().selectRow(0);
  QCOMPARE(selected(), std::vector{x});
  m_panel->table().selectRow(2); // a func that the search added is in no panel
  QCOMPARE(selected(), std::vector{x});
}

void TestTracePanel::keysWalkThroughTheRows() {
  QVERIFY(search(smallTrace()));
  m_panel->table().selectRow(0);
  m_panel->table().setFocus();
  QTest::keyClick(&m_panel->table(), Qt::Key_Down);
  QCOMPARE(m_selection->selected().size(), std::size_t(2));
  QTest::keyClick(&m_panel->table(), Qt::Key_Up);
  QCOMPARE(m_selection->selected().size(), std::size_t(1));
}

void TestTracePanel::filtersByTextAndOutcome() {
  QVERIFY(search(smallTrace()));
  m_panel->filterLine().setText("NOT FASTER");
  QCOMPARE(m_panel->table().model()->rowCount(), 1);
  QCOMPARE(m_panel->countText(), "1 of 4, 3 more left out");
  m_panel->filterLine().clear();
  m_panel->outcomes().setCurrentText("taken");
  QCOMPARE(m_panel->table().model()->rowCount(), 1);
  QCOMPARE(text(0, TraceModel::What), "copies");
  m_panel->outcomes().setCurrentIndex(0);
  QCOMPARE(m_panel->table().model()->rowCount(), 4);
}

void TestTracePanel::sortsByNumbersAndGoesBackToTheOrder() {
  QVERIFY(search(smallTrace()));
  m_panel->table().sortByColumn(TraceModel::Cost, Qt::DescendingOrder);
  QCOMPARE(text(0, TraceModel::What), "pass 1");
  QCOMPARE(text(3, TraceModel::What), "copies"); // it has no cost
  m_panel->table().sortByColumn(TraceModel::Step, Qt::AscendingOrder);
  QCOMPARE(text(0, TraceModel::What), "inline");
}

void TestTracePanel::isForgottenWithThePipeline() {
  QVERIFY(search(smallTrace()));
  m_panel->table().selectRow(1);
  m_flow->setPipeline(nullptr);
  QCOMPARE(m_panel->table().model()->rowCount(), 0);
  QCOMPARE(m_panel->countText(), "0 steps");
}

// In processor time, so that a busy computer does not count. The limits are far above what it
// takes, and far below what a widget for each row would.
void TestTracePanel::isQuickWithAllRows() {
  const auto takesLess = [&](int milliseconds, auto &&act) {
    const std::clock_t begin = std::clock();
    act();
    QCoreApplication::processEvents();
    m_panel->grab();
    const double took = 1e3 * double(std::clock() - begin) / CLOCKS_PER_SEC;
    if (took >= milliseconds) qWarning("it took %.0f ms", took);
    return took < milliseconds;
  };
  QVERIFY(search(longTrace()));
  QVERIFY(takesLess(400, [&] { m_panel->table().scrollToBottom(); }));
  QVERIFY(takesLess(400, [&] { m_panel->table().selectRow(5000); }));
  QVERIFY(takesLess(2000, [&] { m_panel->filterLine().setText("blur_x"); }));
  QCOMPARE(m_panel->table().model()->rowCount(), int(search::kMostTraceRows) / 2);
  QVERIFY(takesLess(2000, [&] {
    m_panel->filterLine().clear();
    m_panel->table().sortByColumn(TraceModel::Benefit, Qt::DescendingOrder);
  }));
  QCOMPARE(text(0, TraceModel::Step), QLocale().toString(int(search::kMostTraceRows)));
  QVERIFY(takesLess(2000, [&] { m_panel->table().selectAll(); }));
  QCOMPARE(m_selection->selected().size(), std::size_t(2));
}

QTEST_MAIN(TestTracePanel)
#include "tst_trace_panel.moc"
