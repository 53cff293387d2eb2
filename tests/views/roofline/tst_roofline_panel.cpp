// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline dock: the engine's numbers, marks that select, zoom with its own history, arrows
// from the previous schedule, and files equal to those of the command line.
#include "../test_pipelines.h"
#include "views/roofline/roofline_panel.h"
#include "engine/chart/roofline_csv.h"
#include "engine/chart/roofline_svg.h"
#include "engine/cost/roofline/roofline_work.h"
#include "views/kernels/kernel_table.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

using namespace tessera;
using namespace tessera::views;

class TestRooflinePanel : public QObject {
  Q_OBJECT
private slots:
  void init();

  void tableHasTheNumbersOfTheEngine();
  void comparedKernelsShowBothValues();
  void aClickOnAMarkSelectsTheKernel();
  void theSelectionMarksAKernel();
  void hoveringAMarkHoversTheStage();
  void marksThatMoveAreNotHovered();
  void aRectangleIsZoomedInto();
  void aWheelThatTurnsIsOneStep();
  void zoomHasItsOwnWayBack();
  void keysGoFromKernelToKernel();
  void arrowsLeadFromTheScheduleBefore();
  void keepsWhatToCompareWith();
  void kernelsOfWhatIsComparedHaveMarks();
  void toolTipsSayWhatIsLeft();
  void theKeyNamesRoofsWithoutRoom();
  void writesTheFilesOfTheCommandLine();
  void writesWhatWasShownWhenTheDialogOpened();
  void saysWhyAFileCannotBeWritten();
  void passesOnWhatTheChartTells();
  void sizeMakesNoDifferenceToValues();

private:
  ShownSchedulePtr scheduled(double times = 1) const; // multiplies the kernels' times by `times`
  void show(const ShownSchedulePtr &shown);
  cost::Roofline expected() const;
  QPoint markOf(int kernel);
  RooflineView &view() { return m_panel->view(); }
  QAction *action(const char *name) { return m_panel->findChild<QAction *>(name); }
  void drag(QPoint from, QPoint to);
  void wheel(QPoint at, int steps);
  QByteArray written(const QString &name);

  QTemporaryDir m_folder;
  std::unique_ptr<Bridge> m_bridge;
  std::unique_ptr<Selection> m_selection;
  std::unique_ptr<ShownKernels> m_kernels;
  std::unique_ptr<RooflinePanel> m_panel;
  pipeline::PipelinePtr m_pipeline;
};

void TestRooflinePanel::init() {
  m_panel.reset();
  m_kernels.reset();
  m_selection = std::make_unique<Selection>();
  m_bridge = std::make_unique<Bridge>(1);
  m_kernels = std::make_unique<ShownKernels>(test::cannedKernelService(), *m_bridge, *m_selection);
  m_panel = std::make_unique<RooflinePanel>(*m_kernels, *m_bridge);
  m_panel->resize(760, 600);
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
  m_pipeline = test::smallPipeline();
}

ShownSchedulePtr TestRooflinePanel::scheduled(double times) const {
  FoundSchedule found = test::defaultFound(m_pipeline);
  for (cost::Prediction::Kernel &kernel : found.prediction.kernels)
    kernel.time.seconds *= times;
  found.prediction.seconds *= times;
  return showSchedule(std::move(found), "h200");
}

void TestRooflinePanel::show(const ShownSchedulePtr &shown) {
  m_kernels->setSchedule(shown, ShownKernels::Stage::Settled);
  QTRY_COMPARE(m_kernels->schedule(), shown);
}

cost::Roofline TestRooflinePanel::expected() const {
  const FoundSchedule &found = m_kernels->schedule()->found;
  const machine::Machine machine;
  return cost::rooflineOf(found.prediction, found.schedule, machine, cost::ceilingsOf(machine));
}

QPoint TestRooflinePanel::markOf(int kernel) {
  for (const chart::MarkRow &row : view().chart().rows)
    if (row.series == 0 && !row.isWhole && int(row.work) == kernel)
      return QPointF(row.marks.front().at.x, row.marks.front().at.y).toPoint();
  return {};
}

void TestRooflinePanel::drag(QPoint from, QPoint to) {
  QTest::mousePress(&view(), Qt::LeftButton, {}, from);
  QMouseEvent move(QEvent::MouseMove, to, view().mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                   Qt::NoModifier);
  QApplication::sendEvent(&view(), &move);
  QTest::mouseRelease(&view(), Qt::LeftButton, {}, to);
}

void TestRooflinePanel::wheel(QPoint at, int steps) {
  QWheelEvent turn(at, view().mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                   Qt::NoScrollPhase, false);
  QApplication::sendEvent(&view(), &turn);
}

void TestRooflinePanel::tableHasTheNumbersOfTheEngine() {
  RooflineTableModel model;
  const QAbstractItemModelTester tester(&model);
  QCOMPARE(model.rowCount(), 0);
  show(scheduled());
  const cost::Roofline roofline = expected();
  model.setRoofline(std::make_shared<const cost::Roofline>(roofline));
  QCOMPARE(model.rowCount(), int(roofline.kernels.size()));
  QVERIFY(model.rowCount() > 1);
  double shares = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const cost::Placed &placed = roofline.kernels[std::size_t(row)];
    const auto key = [&](int column) {
      return model.index(row, column).data(RooflineTableModel::SortRole);
    };
    QCOMPARE(model.index(row, RooflineTableModel::Name).data().toString().toStdString(),
             placed.work.name);
    QCOMPARE(key(RooflineTableModel::Time).toDouble(), placed.work.seconds);
    QCOMPARE(key(RooflineTableModel::Reached).toDouble(), placed.reached());
    QCOMPARE(key(RooflineTableModel::Dram).toDouble(), *placed.work.traffic.dram);
    QCOMPARE(key(RooflineTableModel::Operations).toDouble(),
             placed.work.operations.of(roofline.counted));
    QCOMPARE(model.index(row, RooflineTableModel::Binding).data().toString(),
             roofText(placed.binding));
    shares +=
        model.index(row, RooflineTableModel::Share).data().toString().section(' ', 0, 0).toDouble();
  }
  QVERIFY(std::abs(shares - 100) <= model.rowCount());
  // The summary equals the subtitle of the command line's drawing.
  QCOMPARE(m_panel->findChild<QLabel *>("rooflineSummary")->text().toStdString(),
           chart::chartOf(roofline, {}).subtitle);
}

void TestRooflinePanel::comparedKernelsShowBothValues() {
  show(scheduled());
  const QAbstractItemModel &rows = *m_panel->table().model();
  const auto time = [&] { return rows.index(0, RooflineTableModel::Time).data().toString(); };
  const QString before = time();
  show(scheduled(2));
  QTRY_VERIFY(time() != before);
  const QString now = time();
  QAction *only = m_panel->table().onlyDifferent();
  QVERIFY(only->isEnabled());
  only->trigger();
  QCOMPARE(time(), QString("%1 ≠ %2").arg(now, before));
  QVERIFY(rows.index(0, 0).data(RooflineTableModel::DifferentRole).toBool());
  only->trigger();
  QCOMPARE(time(), now);
}

void TestRooflinePanel::aClickOnAMarkSelectsTheKernel() {
  show(scheduled());
  QTest::mouseClick(&view(), Qt::LeftButton, {}, markOf(1));
  QCOMPARE(m_selection->active(), std::optional(m_kernels->subjects(1).front()));
  QCOMPARE(m_selection->selected().size(), m_kernels->subjects(1).size());
  QTRY_COMPARE(m_panel->table().currentIndex().row(), 1);
  // A click beside all marks keeps the selection.
  QTest::mouseClick(&view(), Qt::LeftButton, {}, QPoint(int(kLeftRoom) + 3, int(kTopRoom) + 3));
  QCOMPARE(m_selection->active(), std::optional(m_kernels->subjects(1).front()));
}

void TestRooflinePanel::theSelectionMarksAKernel() {
  show(scheduled());
  const auto picture = [&] { return view().grab().toImage(); };
  m_selection->select(m_kernels->subjects(0).front());
  QTRY_COMPARE(m_panel->table().currentIndex().row(), 0);
  const QImage first = picture();
  m_selection->select(m_kernels->subjects(1).front());
  QTRY_COMPARE(m_panel->table().currentIndex().row(), 1);
  QVERIFY(picture() != first);
  m_selection->select(m_kernels->subjects(0).front());
  QTRY_COMPARE(m_panel->table().currentIndex().row(), 0);
  QCOMPARE(picture(), first);
}

void TestRooflinePanel::hoveringAMarkHoversTheStage() {
  show(scheduled());
  QTest::mouseMove(&view(), markOf(0));
  QTRY_COMPARE(m_selection->hovered(), std::optional(m_kernels->subjects(0).front()));
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&view(), &leave);
  QVERIFY(!m_selection->hovered());
}

// After zooming, or in another schedule, there is another mark, or none, under the pointer.
void TestRooflinePanel::marksThatMoveAreNotHovered() {
  show(scheduled());
  const auto hover = [&] {
    const QPoint at = markOf(0);
    QMouseEvent move(QEvent::MouseMove, at, view().mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&view(), &move);
    return m_selection->hovered() == m_kernels->subjects(0).front() &&
           view().cursor().shape() == Qt::PointingHandCursor;
  };
  const auto isCleared = [&] {
    return !m_selection->hovered() && view().cursor().shape() == Qt::ArrowCursor;
  };
  QVERIFY(hover());
  view().zoomBy(1.3);
  QVERIFY(isCleared());
  view().zoomToAll();
  QVERIFY(hover());
  show(scheduled(0.5));
  QVERIFY(isCleared());
  QVERIFY(hover());
  QTest::mousePress(&view(), Qt::MiddleButton, {}, markOf(0));
  const QPoint to = markOf(0) + QPoint(30, 0);
  QMouseEvent move(QEvent::MouseMove, to, view().mapToGlobal(to), Qt::NoButton, Qt::MiddleButton,
                   Qt::NoModifier);
  QApplication::sendEvent(&view(), &move);
  QCOMPARE(view().cursor().shape(), Qt::ClosedHandCursor);
  QVERIFY(!m_selection->hovered());
  QTest::mouseRelease(&view(), Qt::MiddleButton, {}, to);
}

void TestRooflinePanel::aRectangleIsZoomedInto() {
  show(scheduled());
  const chart::RooflineChart before = view().chart();
  const QPoint from(200, 80), to(400, 260);
  drag(from, to);
  const auto &window = view().zoom().now();
  QVERIFY(window);
  QCOMPARE(window->leastX, before.x.valueAt(from.x()));
  QCOMPARE(window->mostX, before.x.valueAt(to.x()));
  QCOMPARE(window->mostY, before.y.valueAt(from.y()));
  QCOMPARE(window->leastY, before.y.valueAt(to.y()));
  QVERIFY(std::abs(view().chart().x.valueAt(view().chart().frame.left) / window->leastX - 1) <
          1e-9);
  QVERIFY(!m_selection->active()); // a drag is no click
}

void TestRooflinePanel::aWheelThatTurnsIsOneStep() {
  show(scheduled());
  const QPoint at(300, 150);
  const double x = view().chart().x.valueAt(at.x());
  drag({200, 80}, {400, 260});
  const auto zoomed = view().zoom().now();
  const double under = view().chart().x.valueAt(at.x());
  wheel(at, 1);
  wheel(at, 1);
  // The value under the pointer stays there.
  QVERIFY(std::abs(view().chart().x.valueAt(at.x()) / under - 1) < 1e-9);
  view().zoomBack();
  QCOMPARE(view().zoom().now(), zoomed);
  view().zoomBack();
  QVERIFY(std::abs(view().chart().x.valueAt(at.x()) / x - 1) < 1e-9);
}

void TestRooflinePanel::zoomHasItsOwnWayBack() {
  show(scheduled());
  QVERIFY(!action("zoom-back")->isEnabled());
  drag({200, 80}, {400, 260});
  const auto first = view().zoom().now();
  drag({150, 100}, {300, 200});
  const auto second = view().zoom().now();
  QVERIFY(first != second);
  QTest::keyClick(&view(), Qt::Key_Backspace);
  QCOMPARE(view().zoom().now(), first);
  action("zoom-forward")->trigger();
  QCOMPARE(view().zoom().now(), second);
  QVERIFY(!action("zoom-forward")->isEnabled());
  QTest::keyClick(&view(), Qt::Key_Escape);
  QVERIFY(!view().zoom().now());
  QVERIFY(!action("fit")->isEnabled());
  action("zoom-back")->trigger(); // Escape, which shows everything, was a step of the zoom history
  QCOMPARE(view().zoom().now(), second);
  show(scheduled(2)); // another schedule keeps the zoom
  QCOMPARE(view().zoom().now(), second);
}

void TestRooflinePanel::keysGoFromKernelToKernel() {
  show(scheduled());
  const int count = m_kernels->count();
  m_selection->select(m_kernels->subjects(0).front());
  for (int i = 1; i <= count; ++i) {
    QTest::keyClick(&view(), Qt::Key_Right);
    QCOMPARE(m_kernels->current(), i % count);
  }
  QTest::keyClick(&view(), Qt::Key_Left);
  QCOMPARE(m_kernels->current(), count - 1);
  QTest::keyClick(&view(), Qt::Key_Plus);
  QVERIFY(view().zoom().now());
}

void TestRooflinePanel::arrowsLeadFromTheScheduleBefore() {
  show(scheduled());
  QVERIFY(view().chart().arrows.empty());
  show(scheduled(0.5));
  const auto &arrows = view().chart().arrows;
  QCOMPARE(arrows.size(), std::size_t(m_kernels->count()) + 1);
  for (const chart::Arrow &arrow : arrows)
    QCOMPARE(arrow.text, std::string("+100 %"));
}

void TestRooflinePanel::keepsWhatToCompareWith() {
  show(scheduled(4));
  action("pin")->trigger();
  QVERIFY(m_kernels->comparesWithKept());
  show(scheduled(2));
  show(scheduled(1));
  QCOMPARE(view().chart().arrows.back().text, std::string("+300 %"));
  action("pin")->trigger();
  QCOMPARE(view().chart().arrows.back().text, std::string("+100 %"));
}

void TestRooflinePanel::kernelsOfWhatIsComparedHaveMarks() {
  show(scheduled(2));
  show(scheduled());
  const auto &rows = view().chart().rows;
  const auto old = std::ranges::find_if(
      rows, [](const chart::MarkRow &row) { return row.series == 1 && !row.isWhole; });
  QVERIFY(old != rows.end() && old->ours);
  QCOMPARE(old->marks.size(), std::size_t(1));
  const QPoint at = QPointF(old->marks[0].at.x, old->marks[0].at.y).toPoint();
  const int kernel = int(*old->ours);
  QTest::mouseClick(&view(), Qt::LeftButton, {}, at); // selects the kernel of the shown schedule
  QCOMPARE(m_selection->active(), std::optional(m_kernels->subjects(kernel).front()));
}

void TestRooflinePanel::toolTipsSayWhatIsLeft() {
  show(scheduled(2));
  show(scheduled());
  const cost::Roofline roofline = expected();
  const auto &rows = view().chart().rows;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const QString tip = view().toolTipOf(r);
    QVERIFY(tip.contains("Headroom below the roof of"));
    QCOMPARE(tip.contains("times the floor"), rows[r].isWhole);
    QCOMPARE(tip.contains("+100 %"), rows[r].series == 0);
    QCOMPARE(tip.startsWith("before"), rows[r].series == 1);
    if (rows[r].series == 0 && !rows[r].isWhole)
      QVERIFY(tip.startsWith(QString::fromStdString(roofline.kernels[rows[r].work].work.name)));
  }
}

// If the chart has too little height to label a roof, the tool tip of the key (legend) names the
// roof.
void TestRooflinePanel::theKeyNamesRoofsWithoutRoom() {
  show(scheduled());
  view().setFixedSize(260, 200);
  QCoreApplication::processEvents();
  const auto &chart = view().chart();
  QVERIFY(!chart.apart.empty());
  const QStringList lines = view().toolTipOfKey().split('\n');
  QCOMPARE(std::size_t(lines.size()), chart.apart.size());
  QCOMPARE(lines.front(), QString::fromStdString(chart.apart.front()));
  QHelpEvent help(QEvent::ToolTip, {100, 195}, view().mapToGlobal(QPoint(100, 195)));
  QCoreApplication::sendEvent(&view(), &help);
  QTRY_COMPARE(QToolTip::text(), view().toolTipOfKey());
}

QByteArray TestRooflinePanel::written(const QString &name) {
  QSignalSpy told(m_panel.get(), &RooflinePanel::told);
  m_panel->exportTo(m_folder.filePath(name));
  if (!told.wait(10'000) || told[0][1].toBool()) return {};
  QFile file(m_folder.filePath(name));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestRooflinePanel::writesTheFilesOfTheCommandLine() {
  show(scheduled());
  const cost::Roofline roofline = expected();
  const machine::Machine machine;
  QCOMPARE(written("r.svg").toStdString(),
           chart::svgOf(chart::chartOf(roofline, {m_pipeline->name(), machine.title})));
  QCOMPARE(written("r.csv").toStdString(), chart::csvOf(roofline));
  const QByteArray pdf = written("r.pdf");
  QVERIFY(pdf.startsWith("%PDF"));
  QVERIFY(pdf.size() > 4000); // has fonts and lines, so the page is not empty
  show(scheduled(0.5));
  QVERIFY(written("r.svg").contains(">+100 %</text>"));
}

// The schedule disappears while the dialog is open, as it does when a changed pipeline is read
// again.
void TestRooflinePanel::writesWhatWasShownWhenTheDialogOpened() {
  show(scheduled());
  const QByteArray expected = written("expected.svg");
  QVERIFY(!expected.isEmpty());
  action("export")->trigger();
  auto *dialog = m_panel->findChild<QFileDialog *>();
  QVERIFY(dialog);
  m_kernels->setSchedule(nullptr, ShownKernels::Stage::Settled);
  QVERIFY(!m_kernels->schedule());
  QSignalSpy told(m_panel.get(), &RooflinePanel::told);
  emit dialog->fileSelected(m_folder.filePath("late.svg"));
  QVERIFY(told.wait(10'000));
  QVERIFY(!told[0][1].toBool());
  QFile file(m_folder.filePath("late.svg"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.readAll(), expected);
  dialog->reject();
  // Without a schedule, a message says so.
  m_panel->exportTo(m_folder.filePath("none.svg"));
  QCOMPARE(told.size(), 2);
  QVERIFY(told[1][1].toBool());
  QVERIFY(!QFile::exists(m_folder.filePath("none.svg")));
}

void TestRooflinePanel::saysWhyAFileCannotBeWritten() {
  show(scheduled());
  QSignalSpy told(m_panel.get(), &RooflinePanel::told);
  m_panel->exportTo("/proc/none/r.svg");
  QVERIFY(told.wait(10'000));
  QVERIFY(told[0][1].toBool());
  QVERIFY(told[0][0].toString().contains("/proc/none"));
}

void TestRooflinePanel::passesOnWhatTheChartTells() {
  QSignalSpy told(m_panel.get(), &RooflinePanel::told);
  emit view().told("Saved to here", false);
  QCOMPARE(told.size(), 1);
  QCOMPARE(told[0], QVariantList({"Saved to here", false}));
}

void TestRooflinePanel::sizeMakesNoDifferenceToValues() {
  show(scheduled());
  const auto valueOf = [&] {
    const chart::RooflineChart &now = view().chart();
    return now.x.valueAt(now.rows.back().marks.front().at.x);
  };
  const double before = valueOf();
  m_panel->resize(500, 900);
  QTRY_COMPARE(m_panel->width(), 500);
  QVERIFY(std::abs(valueOf() / before - 1) < 1e-9);
}

QTEST_MAIN(TestRooflinePanel)
#include "tst_roofline_panel.moc"
