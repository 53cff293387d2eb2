// SPDX-License-Identifier: GPL-3.0-or-later
#include "../test_pipelines.h"
#include "views/tables/problem_model.h"
#include "views/tables/sample_list_model.h"
#include "views/tables/stage_table_model.h"
#include "views/flows/selection.h"
#include "views/settings/recent_files.h"
#include "views/text/access_text.h"
#include "tests/support/build_paths.h"

#include <QAbstractItemModelTester>
#include <QSettings>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTemporaryDir>
#include <QTest>

using namespace tessera;
using namespace tessera::views;

class TestModels : public QObject {
  Q_OBJECT
private slots:
  void stageTable();
  void stageTableShowsASchedule();
  void problems();
  void samples();
  void samplesDescribeWhatShips();
  void recentFiles();
  void selectionMergesWishes();
  void accessTexts_data();
  void accessTexts();
};

void TestModels::stageTable() {
  StageTableModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  QSortFilterProxyModel proxy;
  proxy.setSourceModel(&model);
  proxy.setSortRole(StageTableModel::SortRole);
  const QAbstractItemModelTester proxyTester(&proxy);
  model.setPipeline(views::test::smallPipeline());
  QCOMPARE(model.rowCount(), 4);
  const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
  QCOMPARE(text(0, StageTableModel::Name), "input");
  QCOMPARE(text(0, StageTableModel::Kind), "input");
  QCOMPARE(text(0, StageTableModel::Extents), "66×48");
  QCOMPARE(text(1, StageTableModel::Name), "blur_x");
  QCOMPARE(text(1, StageTableModel::Operations), "2");
  QCOMPARE(text(1, StageTableModel::Loads), "1");
  QCOMPARE(text(1, StageTableModel::Bytes), "12.0 KiB"); // 64 · 48 elements of 4 bytes
  QCOMPARE(text(3, StageTableModel::Name), "blur_y.update(0)");
  QCOMPARE(text(3, StageTableModel::Kind), "reduction, output");
  QCOMPARE(text(3, StageTableModel::Extents), "64×48×3");
  QCOMPARE(model.rowOf(Subject::stage(pipeline::StageId{2})), std::optional(3));
  proxy.sort(StageTableModel::Points, Qt::DescendingOrder);
  QCOMPARE(proxy.index(0, StageTableModel::Name).data().toString(), "blur_y.update(0)");
  model.setPipeline(views::test::externPipeline());
  QCOMPARE(text(1, StageTableModel::Kind), "extern stage");
  QCOMPARE(text(1, StageTableModel::Operations), "0");
  model.setPipeline(nullptr);
  QCOMPARE(model.rowCount(), 0);
}

void TestModels::stageTableShowsASchedule() {
  StageTableModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  QSortFilterProxyModel proxy;
  proxy.setSourceModel(&model);
  proxy.setSortRole(StageTableModel::SortRole);
  const QAbstractItemModelTester proxyTester(&proxy);
  const auto small = views::test::smallPipeline();
  model.setSchedule(
      showSchedule(views::test::defaultFound(small), "h200")); // there are no rows yet
  model.setPipeline(small);
  const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
  for (int row = 0; row < 4; ++row) {
    QCOMPARE(text(row, StageTableModel::Kernel), "");
    QCOMPARE(text(row, StageTableModel::Predicted), "");
  }
  ShownSchedule schedule = *showSchedule(views::test::defaultFound(small), "h200");
  schedule.places = {{.kernel = 1}, {.kernel = 1, .ownsBlocks = true, .seconds = 43.12e-6}, {}};
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  model.setSchedule(std::make_shared<const ShownSchedule>(schedule));
  QCOMPARE(changed.size(), 1);
  QCOMPARE(text(0, StageTableModel::Kernel), ""); // an input
  QCOMPARE(text(1, StageTableModel::Kernel), "1");
  QCOMPARE(text(1, StageTableModel::Predicted), "in 1");
  QCOMPARE(text(2, StageTableModel::Predicted), "43.1");
  QCOMPARE(model.index(2, StageTableModel::Predicted).data(StageTableModel::SortRole).toDouble(),
           43.12e-6 * 1e6);
  proxy.sort(StageTableModel::Predicted, Qt::DescendingOrder);
  QCOMPARE(proxy.index(0, StageTableModel::Name).data().toString(), "blur_y");
  QCOMPARE(proxy.index(1, StageTableModel::Name).data().toString(), "blur_x");
  schedule.places[0] = {.isInlined = true};
  model.setSchedule(std::make_shared<const ShownSchedule>(schedule));
  QCOMPARE(text(1, StageTableModel::Kernel), "inlined");
  QCOMPARE(text(1, StageTableModel::Predicted), "");
  proxy.sort(StageTableModel::Kernel);
  QCOMPARE(proxy.index(0, StageTableModel::Name).data().toString(), "blur_y");
  QCOMPARE(proxy.index(1, StageTableModel::Name).data().toString(), "blur_x");
  model.setSchedule(nullptr);
  QCOMPARE(text(2, StageTableModel::Kernel), "");
}

void TestModels::problems() {
  ProblemModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  QCOMPARE(model.countsText(), "");
  model.setPipeline(views::test::smallPipeline());
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(model.countsText(), "1 warning");
  QCOMPARE(model.subjectAt(0), std::optional(Subject::stage(pipeline::StageId{0})));
  model.setError("x.hlpipe", Error{ErrorCode::InputRefused, "is truncated", "Write it again."});
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.errors(), 1);
  QVERIFY(model.countsText().startsWith("1 error"));
  QCOMPARE(model.index(0, ProblemModel::About).data().toString(), "x.hlpipe");
  QVERIFY(model.index(0, ProblemModel::Text).data().toString().contains("truncated"));
  QVERIFY(model.index(0, 0).data(Qt::AccessibleTextRole).toString().startsWith("Error"));
  QVERIFY(!model.subjectAt(0));
  // A row shows the first error of a compiler, the tool tip all that it said.
  const std::string said = "The compiler (c++) on '/a/b.cpp' ended with exit code 1:\n"
                           "In file included from /a/b.cpp:1:\n"
                           "/a/c.h:7:3: error: no 'x'\n/a/b.cpp:9:1: error: no 'y'";
  model.setError("b.cpp", Error{ErrorCode::InputRefused, said, ""});
  const QModelIndex row = model.index(0, ProblemModel::Text);
  QCOMPARE(row.data().toString(), "c.h:7:3: error: no 'x'");
  QCOMPARE(row.data(Qt::ToolTipRole).toString(), QString::fromStdString(said));
  model.setError("b.cpp", Error{ErrorCode::InputRefused, "It ended:\nno symbol", "Link it."});
  QCOMPARE(model.index(0, ProblemModel::Text).data().toString(), "It ended: no symbol — Link it.");
  model.setError({}, std::nullopt);
  QCOMPARE(model.rowCount(), 1);
  pipeline::PipelineParts parts = views::test::smallPipeline()->parts();
  parts.conflicts.found = {{"input", "it is accessed at 69"}};
  model.setPipeline(*pipeline::Pipeline::create(parts));
  QCOMPARE(model.countsText(), "2 warnings");
  QCOMPARE(model.subjectAt(0), std::optional(Subject::input(pipeline::InputId{0})));
  QVERIFY(model.index(0, ProblemModel::Text).data().toString().contains("accessed at 69"));
}

void TestModels::samples() {
  const QTemporaryDir folder;
  for (const char *name : {"blur.hlpipe", "mine.hlpipe", "blur.manual.hlpipe"}) {
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
  }
  SampleListModel model(findSamples(
      folder.path(), R"([{"name":"blur","stages":2,"description":"soft"},{"name":"absent"}])"));
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  QCOMPARE(model.rowCount(), 2); // one described sample that exists, and one without a description
  QCOMPARE(model.index(0).data().toString(), "blur");
  QCOMPARE(model.index(0).data(SampleListModel::CountRole).toInt(), 2);
  QCOMPARE(model.index(1).data().toString(), "mine");
  QCOMPARE(findSamples({}, "no json").size(), std::size_t(0));
}

void TestModels::samplesDescribeWhatShips() {
  QFile file(QString::fromStdString(tessera::test::sourcePath("resources/texts/samples.json")));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const auto samples =
      findSamples(QString::fromStdString(tessera::test::sharePath("samples")), file.readAll());
  if (samples.empty()) QSKIP("the samples are not built");
  for (const Sample &sample : samples) {
    QVERIFY2(!sample.description.isEmpty(), qPrintable(sample.name));
  }
}

void TestModels::recentFiles() {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
  RecentFiles recent(settings);
  for (int i = 0; i < 14; ++i)
    recent.add(QString("/f%1").arg(i));
  recent.add("/f7");
  QCOMPARE(recent.paths().size(), RecentFiles::kMost);
  QCOMPARE(recent.paths().front(), "/f7");
  QCOMPARE(recent.paths().count("/f7"), 1);
  QCOMPARE(RecentFiles(settings).paths(), recent.paths());
  recent.clear();
  QVERIFY(RecentFiles(settings).paths().isEmpty());
}

void TestModels::selectionMergesWishes() {
  Selection selection;
  QSignalSpy spy(&selection, &Selection::changed);
  const Subject a = Subject::stage(pipeline::StageId{1}), b = Subject::input(pipeline::InputId{0});
  selection.select(a);
  selection.toggle(b);
  selection.hover(a);
  QVERIFY(spy.isEmpty());
  QVERIFY(spy.wait());
  QCOMPARE(spy.size(), 1);
  QCOMPARE(selection.selected(), (std::vector{a, b}));
  QCOMPARE(selection.active(), std::optional(b));
  selection.toggle(b); // off and on again, so there is no change to announce
  selection.toggle(b);
  QCoreApplication::processEvents();
  QCOMPARE(spy.size(), 1);
  selection.reset();
  QCOMPARE(spy.size(), 2); // reset() announces the change at once
  QVERIFY(!selection.active());
}

void TestModels::accessTexts_data() {
  using namespace pipeline;
  QTest::addColumn<IndexMap>("map");
  QTest::addColumn<QString>("text");
  const auto atom = [](Atom a) {
    IndexMap map;
    map.atoms.push_back(std::move(a));
    return map;
  };
  QTest::newRow("plain") << atom({.terms = {{0, 1}}}) << "x";
  QTest::newRow("stencil") << atom({.terms = {{0, 1}}, .offset = {-1, 1}}) << "x + [-1, 1]";
  QTest::newRow("minus") << atom({.terms = {{0, 1}}, .offset = {-3, -3}}) << "x - 3";
  QTest::newRow("clamped") << atom({.terms = {{0, 1}}, .offset = {-1, 1}, .clamp = {0, 1535}})
                           << "clamp(x + [-1, 1], 0, 1535)";
  QTest::newRow("half clamp") << atom({.terms = {{1, 1}}, .clamp = {0, kPlusInfinity}})
                              << "max(y, 0)";
  QTest::newRow("scaled") << atom({.terms = {{0, 2}, {2, -1}}, .offset = {1, 1}}) << "2*x - r + 1";
  QTest::newRow("halved") << atom({.terms = {{0, 1}}, .offset = {1, 1}, .divisor = 2})
                          << "(x + 1)/2";
  QTest::newRow("outer scale") << atom({.scale = 4, .terms = {{0, 1}}, .divisor = 4}) << "4*(x/4)";
  IndexMap whole;
  whole.offset = {0, 255};
  QTest::newRow("interval") << whole << "[0, 255]";
  whole.offset = kEverything;
  QTest::newRow("everything") << whole << "[…, …]";
  whole.offset = {7, 7};
  QTest::newRow("constant") << whole << "7";
}

void TestModels::accessTexts() {
  QFETCH(const tessera::pipeline::IndexMap, map);
  QFETCH(const QString, text);
  using pipeline::LoopDim;
  const std::vector<LoopDim> loops{{"x", LoopDim::Kind::Pure, {}},
                                   {"y", LoopDim::Kind::Pure, {}},
                                   {"r", LoopDim::Kind::Reduction, {}}};
  QCOMPARE(QString::fromStdString(indexText(map, loops)), text);
}

QTEST_GUILESS_MAIN(TestModels)
#include "tst_tables.moc"
