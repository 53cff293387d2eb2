// SPDX-License-Identifier: GPL-3.0-or-later
// The log by itself: its model under Qt's model tester, lines from many threads, its limits, its
// filter.
#include "../test_pipelines.h"
#include "views/tables/log_filter.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTest>

#include <thread>
#include <vector>

using namespace tessera;
using namespace tessera::views;

using Kind = LogLine::Kind;
using Severity = Problem::Severity;

class TestLog : public QObject {
  Q_OBJECT
private slots:
  void linesAndDetails();
  void whatComesAtOnceIsOneInsertion();
  void theOldestGo();
  void textsAndDetailsAreBounded();
  void linesComeFromAnyThread();
  void filters();
  void aPipelineIsNotKept();

private:
  static LogLine line(const QString &text, Kind kind = Kind::File,
                      std::optional<Severity> severity = {}) {
    return {kind, severity, text, {}, {}, {}};
  }
  static QString cell(const QAbstractItemModel &model, int row, int column = LogModel::Text) {
    return model.index(row, column).data().toString();
  }
};

void TestLog::linesAndDetails() {
  LogModel log;
  const QAbstractItemModelTester tester(&log,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  LogLine compiled = line("compiled", Kind::Compile, Severity::Warning);
  compiled.details = {{"kernel 1", {}}, {"kernel 2", {}}};
  log.add(line("opened"));
  log.add(compiled);
  QTRY_COMPARE(log.rowCount(), 2);
  QCOMPARE(cell(log, 0), "opened");
  QCOMPARE(cell(log, 1, LogModel::Kind), "Compile");
  const QModelIndex parent = log.index(1, 0);
  QCOMPARE(log.rowCount(parent), 2);
  QCOMPARE(log.index(1, LogModel::Text, parent).data().toString(), "kernel 2");
  QCOMPARE(log.index(1, LogModel::Text, parent).parent(), parent);
  // The accessible text says what colour and shape show.
  QCOMPARE(parent.data(Qt::AccessibleTextRole).toString(),
           "Compile, Warning: compiled; has details");
  const QString whole = parent.data(LogModel::TextRole).toString();
  QVERIFY2(whole.endsWith("  Compile  Warning: compiled\n    kernel 1\n    kernel 2"),
           qPrintable(whole));
  QVERIFY(QDateTime::fromString(whole.left(19), "yyyy-MM-dd HH:mm:ss").isValid());
  log.clear();
  QCOMPARE(log.rowCount(), 0);
}

void TestLog::whatComesAtOnceIsOneInsertion() {
  LogModel log;
  QSignalSpy inserted(&log, &QAbstractItemModel::rowsInserted);
  for (int i = 0; i < 500; ++i)
    log.add(line(QString::number(i)));
  QCOMPARE(log.rowCount(), 0); // views get new lines later, in one batch
  QTRY_COMPARE(log.rowCount(), 500);
  QCOMPARE(inserted.count(), 1);
  // A line that is cleared before it is shown never appears.
  log.add(line("late"));
  log.clear();
  QCoreApplication::processEvents();
  QCOMPARE(log.rowCount(), 0);
}

void TestLog::theOldestGo() {
  LogModel log;
  const QAbstractItemModelTester tester(&log,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  LogLine kept = line("kept");
  kept.details = {{"detail", {}}};
  for (int i = 0; i < LogModel::kMostLines - 1; ++i)
    log.add(line(QString::number(i)));
  log.add(kept);
  QTRY_COMPARE(log.rowCount(), LogModel::kMostLines);
  QCOMPARE(log.gone(), 0);
  const QPersistentModelIndex detail(
      log.index(0, LogModel::Text, log.index(LogModel::kMostLines - 1, 0)));
  for (int i = 0; i < 10; ++i)
    log.add(line("new"));
  QTRY_COMPARE(log.gone(), 10);
  QCOMPARE(log.rowCount(), LogModel::kMostLines);
  QCOMPARE(cell(log, 0), "10");
  QCOMPARE(detail.data().toString(), "detail");
  QCOMPARE(detail.parent().row(), LogModel::kMostLines - 11);
  for (int i = 0; i < LogModel::kMostLines + 5; ++i) // more lines at once than there is room for
    log.add(line("flood"));
  QTRY_COMPARE(cell(log, 0), "flood");
  QCOMPARE(log.rowCount(), LogModel::kMostLines);
  QCOMPARE(log.gone(), LogModel::kMostLines + 15);
  QVERIFY(!detail.isValid());
}

void TestLog::textsAndDetailsAreBounded() {
  LogModel log;
  LogLine huge = line(QString(100'000, 'x'));
  huge.details.assign(1000, {QString(100'000, 'y'), {}});
  log.add(huge);
  QTRY_COMPARE(log.rowCount(), 1);
  QCOMPARE(cell(log, 0).size(), LogModel::kLongestText);
  const QModelIndex parent = log.index(0, 0);
  QCOMPARE(log.rowCount(parent), LogModel::kMostDetails);
  QCOMPARE(log.index(0, LogModel::Text, parent).data().toString().size(), LogModel::kLongestText);
  QCOMPARE(log.index(LogModel::kMostDetails - 1, LogModel::Text, parent).data().toString(),
           "and 801 more");
}

void TestLog::linesComeFromAnyThread() {
  constexpr int kThreads = 4, kEach = 3000;
  LogModel log;
  const QAbstractItemModelTester tester(&log,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&log, t] {
      for (int i = 0; i < kEach; ++i)
        log.add(line(QStringLiteral("%1 %2").arg(t).arg(i)));
    });
  // Waits, because the threads still write.
  QTRY_COMPARE(log.gone() + log.rowCount(), qint64(kThreads) * kEach);
  threads.clear();
  QCOMPARE(log.rowCount(), LogModel::kMostLines);
  // The lines of one thread keep their order.
  std::vector<int> last(kThreads, -1);
  for (int row = 0; row < log.rowCount(); ++row) {
    const QStringList parts = cell(log, row).split(' ');
    QVERIFY(parts[1].toInt() > last[std::size_t(parts[0].toInt())]);
    last[std::size_t(parts[0].toInt())] = parts[1].toInt();
  }
}

void TestLog::filters() {
  LogModel log;
  LogFilter seen(log);
  const QAbstractItemModelTester tester(&seen,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  LogLine search = line("The search ended", Kind::Search);
  search.details = {{"Kernel 1, of blur_y", {}}};
  log.add(line("blur.hlpipe was opened"));
  log.add(search);
  log.add(line("wrong", Kind::Measure, Severity::Error));
  log.add(line("changed", Kind::File, Severity::Remark));
  QTRY_COMPARE(seen.rowCount(), 4);
  seen.setKind(Kind::File);
  QCOMPARE(seen.rowCount(), 2);
  seen.setKind({});
  seen.setTroubleOnly(true);
  QCOMPARE(seen.rowCount(), 1);
  QCOMPARE(cell(seen, 0), "wrong");
  seen.setTroubleOnly(false);
  seen.setWords("BLUR");
  // One of the two lines matches only in its details, which stay visible.
  QCOMPARE(seen.rowCount(), 2);
  QCOMPARE(seen.rowCount(seen.index(1, 0)), 1);
  seen.setWords("ended blur");
  QCOMPARE(seen.rowCount(), 1);
  QVERIFY(seen.text().endsWith("Search  The search ended\n    Kernel 1, of blur_y\n"));
  log.add(line("ended: blur", Kind::Compile)); // new lines are filtered as well
  log.add(line("other"));
  QTRY_COMPARE(seen.rowCount(), 2);
}

void TestLog::aPipelineIsNotKept() {
  LogModel log;
  pipeline::PipelinePtr pipeline = test::smallPipeline();
  LogLine of = line("of a candidate");
  of.target = {pipeline, {}, 3, {}};
  of.details = {{"of a stage", {pipeline, Subject::stage(pipeline::StageId{1}), 0, {}}},
                {"of nothing by itself", {}}};
  log.add(of);
  QTRY_COMPARE(log.rowCount(), 1);
  const QModelIndex parent = log.index(0, LogModel::When);
  QCOMPARE(log.targetAt(parent).candidate, 3U);
  QCOMPARE(log.targetAt(log.index(0, LogModel::Text, parent)).subject,
           std::optional(Subject::stage(pipeline::StageId{1})));
  QCOMPARE(log.targetAt(log.index(1, LogModel::Text, parent)).candidate, 3U);
  QCOMPARE(log.targetAt(parent).of.lock(), pipeline);
  pipeline.reset();
  QVERIFY(log.targetAt(parent).of.expired());
}

QTEST_MAIN(TestLog)
#include "tst_log.moc"
