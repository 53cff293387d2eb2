// SPDX-License-Identifier: GPL-3.0-or-later
// The occupancy dock shows the engine's numbers, and what-if changes nothing else.
#include "../test_pipelines.h"
#include "views/occupancy/occupancy_panel.h"
#include "engine/schedule/edits/edits.h"
#include "views/kernels/kernel_table.h"
#include "views/text/stage_summary.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace tessera;
using namespace tessera::views;
using machine::BlockUse;

class TestOccupancyPanel : public QObject {
  Q_OBJECT
private slots:
  void init();

  void curvesAreThoseOfTheEngine();
  void stepsAreDrawnUpToTheNextPoint();
  void placesAndValuesAreInverse();
  void tableHasTheNumbersOfTheEngine();
  void comparedKernelsShowBothValues();
  void tableAndSelectionFollowEachOther();
  void saysWhyItIsEmpty();
  void draggingAsksWhatIf();
  void keysAskWhatIf();
  void anotherKernelForgetsWhatWasAsked();
  void saysWhatCannotBeLaunched();
  void hiddenItComputesNothing();
  void countsWithTheRegistersOfPtxas();
  void saysWhatSpills();
  void passesOnWhatTheChartsTell();

private:
  void schedule();
  QString text(const char *name) { return m_panel->findChild<QLabel *>(name)->text(); }
  CurveChart &chart(BlockNumber number) { return m_panel->chart(number); }

  std::unique_ptr<Bridge> m_bridge;
  std::unique_ptr<Selection> m_selection;
  std::unique_ptr<ShownKernels> m_kernels;
  std::unique_ptr<OccupancyPanel> m_panel;
  pipeline::PipelinePtr m_pipeline;
};

void TestOccupancyPanel::init() {
  m_panel.reset();
  m_kernels.reset();
  m_selection = std::make_unique<Selection>();
  m_bridge = std::make_unique<Bridge>(1);
  m_kernels = std::make_unique<ShownKernels>(test::cannedKernelService(), *m_bridge, *m_selection);
  m_panel = std::make_unique<OccupancyPanel>(*m_kernels);
  m_panel->resize(700, 500);
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
  m_pipeline = test::smallPipeline();
}

void TestOccupancyPanel::schedule() {
  m_kernels->setSchedule(showSchedule(test::defaultFound(m_pipeline), "h200"),
                         ShownKernels::Stage::Settled);
  QTRY_VERIFY(m_kernels->count() > 0);
}

void TestOccupancyPanel::curvesAreThoseOfTheEngine() {
  const machine::Machine machine;
  const BlockUse use{256, 40, 8192};
  const QRectF plot(50, 10, 300, 100);
  const OccupancyCurve curve(curveOver(machine, use, BlockNumber::Registers),
                             BlockNumber::Registers, plot);
  const auto points = overRegisters(machine, use);
  QCOMPARE(curve.points().size(), points.size());
  QCOMPARE(curve.yOf(1), plot.top());
  QCOMPARE(curve.yOf(0), plot.bottom());
  // The bands adjoin, cover the whole axis, and name the resource that limits the occupancy there.
  QCOMPARE(curve.bands().front().from, plot.left());
  QCOMPARE(curve.bands().back().to, plot.right());
  QCOMPARE(curve.bands().back().limiting, machine::Resource::Registers);
  for (std::size_t i = 1; i < curve.bands().size(); ++i) {
    QCOMPARE(curve.bands()[i].from, curve.bands()[i - 1].to);
    QVERIFY(curve.bands()[i].limiting != curve.bands()[i - 1].limiting);
  }
}

// Only whole blocks fit, so a value between two points has the occupancy of the next higher point.
void TestOccupancyPanel::stepsAreDrawnUpToTheNextPoint() {
  applyAppearance(Appearance::Light, false);
  const machine::Machine machine;
  const BlockUse use{256, 40, 8192};
  CurveChart chart(BlockNumber::Threads);
  chart.resize(700, 300);
  chart.show(machine, use, use);
  static_cast<QWidget &>(chart).show();
  QVERIFY(QTest::qWaitForWindowExposed(&chart));
  const auto points = overThreads(machine, use);
  std::vector<QPointF> places;
  for (const machine::OccupancyPoint &point : points)
    places.push_back(chart.drawnPlaceOf(double(point.value), point.occupancy.fraction));
  const QImage picture = chart.grab().toImage();
  const QColor accent = Colors(chart.palette()).accent;
  const auto isLine = [&](int x, double at) {
    for (int y = qRound(at) - 1; y <= qRound(at) + 1; ++y) {
      const QColor color = picture.pixelColor(x, y);
      if (std::abs(color.red() - accent.red()) + std::abs(color.green() - accent.green()) +
              std::abs(color.blue() - accent.blue()) <
          100)
        return true;
    }
    return false;
  };
  int steps = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const QPointF before = places[i - 1], next = places[i];
    const bool isStep = std::abs(next.y() - before.y()) > 8;
    if (!isStep || std::abs(next.x() - chart.actualPoint().x()) < 30) continue;
    const int x = qRound((before.x() + next.x()) / 2);
    QVERIFY(isLine(x, next.y()));
    QVERIFY(!isLine(x, before.y()));
    ++steps;
  }
  QVERIFY(steps >= 2);
}

void TestOccupancyPanel::placesAndValuesAreInverse() {
  const machine::Machine machine;
  for (int n = 0; n < kBlockNumbers; ++n) {
    const auto number = BlockNumber(n);
    const OccupancyCurve curve(curveOver(machine, {256, 40, 8192}, number), number,
                               QRectF(50, 10, 300, 100));
    for (std::int64_t value = curve.least(); value <= curve.most(); value += curve.step())
      QCOMPARE(curve.valueAt(curve.xOf(value)), value);
    QCOMPARE(curve.valueAt(-1000), curve.least());
    QCOMPARE(curve.valueAt(1000), curve.most());
  }
}

void TestOccupancyPanel::tableHasTheNumbersOfTheEngine() {
  OccupancyTableModel model(*m_kernels);
  const QAbstractItemModelTester tester(&model);
  schedule();
  model.reload();
  QCOMPARE(model.rowCount(), m_kernels->count());
  QVERIFY(model.rowCount() > 1);
  for (int row = 0; row < model.rowCount(); ++row) {
    const cost::Prediction::Kernel &kernel = m_kernels->kernel(row);
    const auto key = [&](int column) {
      return model.index(row, column).data(OccupancyTableModel::SortRole);
    };
    QCOMPARE(key(OccupancyTableModel::Fraction).toDouble(), kernel.time.occupancy.fraction);
    QCOMPARE(key(OccupancyTableModel::Blocks).toLongLong(), kernel.time.occupancy.blocks);
    QCOMPARE(key(OccupancyTableModel::Warps).toLongLong(), kernel.time.occupancy.warps);
    QCOMPARE(key(OccupancyTableModel::Registers).toInt(), kernel.time.registers);
    QCOMPARE(key(OccupancyTableModel::SharedBytes).toLongLong(), kernel.load.sharedBytes);
    QCOMPARE(model.index(row, OccupancyTableModel::Limiting).data().toString(),
             resourceText(kernel.time.occupancy.limiting));
    QCOMPARE(model.index(row, OccupancyTableModel::Fraction).data().toString(),
             percentText(kernel.time.occupancy.fraction));
  }
  m_kernels->setSchedule(nullptr, ShownKernels::Stage::Settled);
  model.reload();
  QCOMPARE(model.rowCount(), 0);
}

// Only one of the kernels is changed.
void TestOccupancyPanel::comparedKernelsShowBothValues() {
  schedule();
  KernelTable &table = *m_panel->findChild<KernelTable *>("occupancyTable");
  const QAbstractItemModel &rows = *table.model();
  const int all = rows.rowCount();
  QVERIFY(!table.onlyDifferent()->isEnabled()); // there is nothing to compare with
  FoundSchedule other = test::defaultFound(m_pipeline);
  const auto sizes = schedule::resizings(other.schedule, pipeline::StageId{0}, 16);
  const auto edit = std::ranges::find_if(
      sizes, [](const schedule::Edit &one) { return one.value.starts_with("x_thread"); });
  QVERIFY(edit != sizes.end());
  other.schedule.set(edit->decision.func, edit->plan);
  other.prediction = cost::predict(other.schedule, machine::Machine{});
  m_kernels->setSchedule(showSchedule(other, "h200"), ShownKernels::Stage::Settled);
  QTRY_VERIFY(table.onlyDifferent()->isEnabled());
  const auto threads = [&] {
    for (int row = 0; row < rows.rowCount(); ++row)
      if (rows.index(row, OccupancyTableModel::Name).data().toString() == "blur_x")
        return rows.index(row, OccupancyTableModel::Threads).data().toString();
    return QString();
  };
  const QString now = threads();
  QVERIFY(!now.contains("≠"));
  table.onlyDifferent()->trigger();
  QCOMPARE(rows.rowCount(), 1);
  QVERIFY2(threads().startsWith(now + " ≠ "), qPrintable(threads()));
  QVERIFY(rows.index(0, 0).data(OccupancyTableModel::DifferentRole).toBool());
  table.onlyDifferent()->trigger();
  QCOMPARE(rows.rowCount(), all);
  QCOMPARE(threads(), now);
}

void TestOccupancyPanel::tableAndSelectionFollowEachOther() {
  schedule();
  KernelTable &table = m_panel->table();
  const int last = m_kernels->count() - 1;
  const QModelIndex row = table.model()->index(last, OccupancyTableModel::Name);
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(row).center());
  QCOMPARE(m_selection->active(), std::optional(m_kernels->subjects(last).front()));
  QTRY_VERIFY(text("occupancyAnswer").contains(m_kernels->name(last)));

  m_selection->select(m_kernels->subjects(0).front());
  QTRY_COMPARE(table.currentIndex().row(), 0);
  QVERIFY(text("occupancyAnswer").contains(m_kernels->name(0)));
  QVERIFY(
      text("occupancyAnswer").contains(percentText(m_kernels->kernel(0).time.occupancy.fraction)));
}

void TestOccupancyPanel::saysWhyItIsEmpty() {
  const auto shownText = [&] { return m_panel->currentWidget()->findChild<QLabel *>()->text(); };
  QVERIFY(shownText().contains("no schedule"));
  m_kernels->setSchedule(showSchedule(test::defaultFound(m_pipeline), "lost"),
                         ShownKernels::Stage::Settled);
  QTRY_VERIFY(shownText().contains("'lost' is not a machine"));
}

void TestOccupancyPanel::draggingAsksWhatIf() {
  schedule();
  CurveChart &registers = chart(BlockNumber::Registers);
  const BlockUse before = m_panel->asked();
  const QPointF from = registers.actualPoint();
  const double to = registers.curve().xOf(200);
  QTest::mousePress(&registers, Qt::LeftButton, {}, from.toPoint());
  QTest::mouseMove(&registers, QPoint(int(to), int(from.y())));
  QMouseEvent move(QEvent::MouseMove, QPointF(to, from.y()), registers.mapToGlobal(QPointF(to, 0)),
                   Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&registers, &move);
  QTest::mouseRelease(&registers, Qt::LeftButton, {}, QPoint(int(to), int(from.y())));

  QCOMPARE(m_panel->asked(), with(before, BlockNumber::Registers, 200));
  const auto then = occupancy(m_kernels->facts().machine, m_panel->asked());
  QVERIFY(text("occupancyWhatIf").contains(percentText(then.fraction)));
  const double now = occupancy(m_kernels->facts().machine, before).fraction;
  QVERIFY2(text("occupancyWhatIf")
               .contains(QStringLiteral("(−%1 points)")
                             .arg(QLocale().toString((now - then.fraction) * 100, 'f', 1))),
           qPrintable(text("occupancyWhatIf")));
  // All curves belong to the what-if block. The kernel's own point has not moved.
  QCOMPARE(chart(BlockNumber::Threads).askedPoint().y(),
           chart(BlockNumber::Threads).curve().yOf(then.fraction));
  QCOMPARE(registers.actualPoint(), from);
  QCOMPARE(m_kernels->kernel(m_kernels->current()).time.registers, int(before.registers));

  QTest::mouseClick(m_panel->findChild<QPushButton *>("occupancyReset"), Qt::LeftButton);
  QCOMPARE(m_panel->asked(), before);
  QVERIFY(!m_panel->findChild<QPushButton *>("occupancyReset")->isEnabled());
}

void TestOccupancyPanel::keysAskWhatIf() {
  schedule();
  const BlockUse before = m_panel->asked();
  CurveChart &threads = chart(BlockNumber::Threads);
  QTest::keyClick(&threads, Qt::Key_Home);
  QCOMPARE(m_panel->asked().threads, 32);
  QTest::keyClick(&threads, Qt::Key_Right);
  QCOMPARE(m_panel->asked().threads, 64);
  QTest::keyClick(&threads, Qt::Key_End);
  QTest::keyClick(&threads, Qt::Key_Left);
  QCOMPARE(m_panel->asked().threads, 1024 - 32);
  // From a value between two steps, the key goes to the next step.
  m_panel->ask(BlockNumber::Threads, 33);
  QTest::keyClick(&threads, Qt::Key_Left);
  QCOMPARE(m_panel->asked().threads, 32);
  QTest::keyClick(&threads, Qt::Key_Escape);
  QCOMPARE(m_panel->asked(), before);
}

void TestOccupancyPanel::anotherKernelForgetsWhatWasAsked() {
  schedule();
  const int other = m_kernels->current() == 0 ? 1 : 0;
  m_panel->ask(BlockNumber::Registers, 255);
  m_selection->select(m_kernels->subjects(other).front());
  QTRY_COMPARE(m_panel->asked(), blockUse(*m_kernels, other));
}

void TestOccupancyPanel::saysWhatCannotBeLaunched() {
  schedule();
  m_panel->ask(BlockNumber::Threads, 1024);
  m_panel->ask(BlockNumber::Registers, 255);
  QVERIFY(text("occupancyWhatIf").contains("cannot be launched"));
  QVERIFY(text("occupancyWhatIf").contains("registers"));
}

void TestOccupancyPanel::hiddenItComputesNothing() {
  m_panel->hide();
  schedule();
  QCOMPARE(m_panel->table().model()->rowCount(), 0);
  m_panel->show();
  QCOMPARE(m_panel->table().model()->rowCount(), m_kernels->count());
}

void TestOccupancyPanel::countsWithTheRegistersOfPtxas() {
  schedule();
  m_selection->select(m_kernels->subjects(0).front());
  QTRY_COMPARE(m_kernels->current(), 0);
  QSignalSpy wanted(m_panel.get(), &OccupancyPanel::assemblerWanted);
  QTest::mouseClick(m_panel->findChild<QPushButton *>("occupancyAssemble"), Qt::LeftButton);
  QCOMPARE(wanted.size(), 1);

  report::KernelReport report;
  const QString name = m_kernels->name(0);
  report.stages = {{name.section('.', 0, 0).toStdString(), 0}};
  report.assembler = report::AssemblerReport{200, 0, 0, 0};
  m_kernels->setCompiled(std::make_shared<const std::vector<report::KernelReport>>(1, report));
  BlockUse use = m_panel->asked();
  QCOMPARE(use.registers, 200);
  const auto expected = occupancy(m_kernels->facts().machine, use);
  QVERIFY(text("occupancyAnswer").contains(percentText(expected.fraction)));
  QVERIFY(text("occupancyAnswer").contains("ptxas"));
  QCOMPARE(m_panel->table()
               .model()
               ->index(0, OccupancyTableModel::Registers)
               .data(OccupancyTableModel::SortRole)
               .toInt(),
           200);
  m_kernels->setCompiled(std::make_shared<const std::vector<report::KernelReport>>());
  QVERIFY(m_panel->findChild<QPushButton *>("occupancyAssemble")->text().contains("No ptxas"));
  schedule(); // another schedule, without an answer from ptxas
  QTRY_VERIFY(!text("occupancyAnswer").contains("ptxas"));
}

void TestOccupancyPanel::saysWhatSpills() {
  schedule();
  QVERIFY(!text("occupancyAnswer").contains("local memory"));
  FoundSchedule found = test::defaultFound(m_pipeline);
  for (cost::Prediction::Kernel &kernel : found.prediction.kernels)
    kernel.time.spilled = 31.6;
  m_kernels->setSchedule(showSchedule(found, "h200"), ShownKernels::Stage::Settled);
  QTRY_VERIFY(text("occupancyAnswer").contains("about 32 of a thread's values spill"));
  m_selection->select(m_kernels->subjects(0).front());
  QTRY_COMPARE(m_kernels->current(), 0);
  const auto tip = [this] {
    const QAbstractItemModel &model = *m_panel->table().model();
    return model.index(0, OccupancyTableModel::Registers).data(Qt::ToolTipRole).toString();
  };
  QVERIFY(tip().contains("about 32 of a thread's values spill"));

  // What ptxas says replaces the estimate.
  report::KernelReport report;
  report.stages = {{m_kernels->name(0).section('.', 0, 0).toStdString(), 0}};
  report.assembler = report::AssemblerReport{64, 0, 0, 0};
  m_kernels->setCompiled(std::make_shared<const std::vector<report::KernelReport>>(1, report));
  QVERIFY(!text("occupancyAnswer").contains("local memory"));
  QVERIFY(!tip().contains("local memory"));
  report.assembler = report::AssemblerReport{64, 48, 16, 24};
  m_kernels->setCompiled(std::make_shared<const std::vector<report::KernelReport>>(1, report));
  QVERIFY(text("occupancyAnswer").contains("48 bytes in local memory"));
  QVERIFY(tip().contains("48 bytes in local memory"));
}

void TestOccupancyPanel::passesOnWhatTheChartsTell() {
  QSignalSpy told(m_panel.get(), &OccupancyPanel::told);
  for (int i = 0; i < kBlockNumbers; ++i)
    emit chart(BlockNumber(i)).told("Saved to here", false);
  QCOMPARE(told.size(), kBlockNumbers);
}

QTEST_MAIN(TestOccupancyPanel)
#include "tst_occupancy_panel.moc"
