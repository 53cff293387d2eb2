// SPDX-License-Identifier: GPL-3.0-or-later
// The cards of the footprint dock as numbers, and its table.
#include "../test_pipelines.h"
#include "views/footprint/footprint_layout.h"
#include "engine/schedule/edits/default_schedule.h"
#include "views/tables/footprint_model.h"
#include "views/tables/occupancy_table_model.h"
#include "views/text/stage_summary.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace tessera;
using namespace tessera::views;
using footprint::Level;

class TestFootprintLayout : public QObject {
  Q_OBJECT
private slots:
  void init();

  void cardsLieInRowsAndDoNotMeet();
  void boxesHaveTheShapeOfTheirExtents();
  void haloIsBetweenBoxAndCore();
  void keptScaleMakesTheBoxLongerOnly();
  void tableHasTheNumbersOfTheEngine();
  void whatManyTilesNeedIsCountedInTiles();
  void tableKeepsRowsWhileNumbersChange();

private:
  KernelFootprintPtr kernelAt(std::size_t number) {
    return std::make_shared<const footprint::KernelFootprint>(
        m_footprints->of(m_footprints->kernels()[number]));
  }
  // blur_x reads three elements of a row of the input.
  KernelFootprintPtr m_kernel;
  FootprintAxes m_axes{Level::Block, 0, 1};
  std::unique_ptr<footprint::Footprints> m_footprints;
};

void TestFootprintLayout::init() {
  const schedule::Schedule schedule = schedule::defaultSchedule(test::smallPipeline());
  m_footprints = std::make_unique<footprint::Footprints>(schedule, machine::Machine{});
  QVERIFY(m_footprints->kernels().size() > 1);
  m_kernel = kernelAt(0);
  QVERIFY(m_kernel->entries.size() > 1);
}

void TestFootprintLayout::cardsLieInRowsAndDoNotMeet() {
  for (const double width : {200., 420., 2000.}) {
    const FootprintLayout layout = layoutFootprint(*m_kernel, m_axes, width, 16);
    QCOMPARE(layout.cards.size(), m_kernel->entries.size());
    for (std::size_t a = 0; a < layout.cards.size(); ++a) {
      QCOMPARE(layout.cards[a].entry, a);
      QVERIFY(layout.cards[a].frame.contains(layout.cards[a].box));
      QVERIFY(QRectF(QPointF(), layout.size).contains(layout.cards[a].frame));
      for (std::size_t b = 0; b < a; ++b)
        QVERIFY(!layout.cards[a].frame.intersects(layout.cards[b].frame));
    }
  }
}

void TestFootprintLayout::boxesHaveTheShapeOfTheirExtents() {
  for (const Level level : footprint::kAllLevels) {
    const FootprintLayout layout = layoutFootprint(*m_kernel, {level, 0, 1}, 600, 16);
    for (const FootprintCard &card : layout.cards) {
      const footprint::LevelBox &box = m_kernel->entries[card.entry].at(level);
      if (!card.across) continue;
      const double extent = double(box.sides[*card.across].range.extent());
      if (card.box.width() > 6) QCOMPARE(card.box.width(), extent * card.pixelsAcross);
    }
  }
}

void TestFootprintLayout::haloIsBetweenBoxAndCore() {
  const FootprintLayout layout = layoutFootprint(*m_kernel, m_axes, 600, 16);
  bool hasHalo = false;
  for (const FootprintCard &card : layout.cards) {
    const footprint::LevelBox &box = m_kernel->entries[card.entry].at(Level::Block);
    QVERIFY(card.box.contains(card.core));
    if (!card.across || box.sides[*card.across].after <= 0) continue;
    hasHalo = true;
    QCOMPARE(box.sides[*card.across].after, std::int64_t(2));
    QVERIFY(card.core.width() < card.box.width());
    QCOMPARE(card.core.left(), card.box.left());
    QVERIFY(card.next.left() < card.box.right()); // the next tile needs two columns of this box
  }
  QVERIFY(hasHalo);
}

void TestFootprintLayout::keptScaleMakesTheBoxLongerOnly() {
  const FootprintLayout before = layoutFootprint(*m_kernel, m_axes, 600, 16);
  const FootprintCard &output = before.cards.front();
  const KeptScale kept{output.pixelsAcross * 2, output.pixelsDown};
  const FootprintLayout after = layoutFootprint(*m_kernel, m_axes, 600, 16, kept);
  QCOMPARE(after.cards.front().box.width(), output.box.width() * 2);
  QCOMPARE(after.cards.front().box.height(), output.box.height());
  QVERIFY(after.cards.front().frame.contains(after.cards.front().box));
}

void TestFootprintLayout::tableHasTheNumbersOfTheEngine() {
  FootprintModel model;
  const QAbstractItemModelTester tester(&model);
  for (std::size_t kernel = 0; kernel < m_footprints->kernels().size(); ++kernel)
    for (const Level level : footprint::kAllLevels) {
      const KernelFootprintPtr of = kernelAt(kernel);
      model.show(of, level);
      QCOMPARE(model.rowCount(), int(of->entries.size()));
      for (int row = 0; row < model.rowCount(); ++row) {
        const footprint::Entry &entry = of->entries[std::size_t(row)];
        const auto number = [&](int column) {
          return model.index(row, column).data(FootprintModel::NumberRole).toDouble();
        };
        QCOMPARE(number(FootprintModel::Box), entry.at(level).points);
        QCOMPARE(number(FootprintModel::Shared), entry.at(level).shared() * 100);
        QCOMPARE(number(FootprintModel::Bytes), double(entry.at(level).bytes));
        QVERIFY(!model.index(row, FootprintModel::Box).data(Qt::ToolTipRole).toString().isEmpty());
      }
    }
  model.show(nullptr, Level::Block);
  QCOMPARE(model.rowCount(), 0);
}

void TestFootprintLayout::whatManyTilesNeedIsCountedInTiles() {
  footprint::LevelBox box;
  box.own = 3;
  box.points = 4;
  QCOMPARE(sharedText(box), QStringLiteral("33.3 %"));
  box.points = 32;
  QCOMPARE(sharedText(box), percentText(29. / 3));
  box.points = 3 * 14980;
  QCOMPARE(sharedText(box), QStringLiteral("%1 tiles").arg(countText(14980)));
}

void TestFootprintLayout::tableKeepsRowsWhileNumbersChange() {
  FootprintModel model;
  const QAbstractItemModelTester tester(&model);
  model.show(m_kernel, Level::Block);
  const QPersistentModelIndex kept(model.index(1, 0));
  model.show(m_kernel, Level::Thread);
  QVERIFY(kept.isValid()); // so that a selection stays while an edge is dragged
  model.show(kernelAt(1), Level::Thread);
  QVERIFY(!kept.isValid());
}

QTEST_MAIN(TestFootprintLayout)
#include "tst_footprint_layout.moc"
