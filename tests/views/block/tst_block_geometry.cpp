// SPDX-License-Identifier: GPL-3.0-or-later
// Places of threads and elements, the rows of memory that a warp touches, and the table of
// accesses.
#include "views/block/access_view.h"
#include "views/block/block_geometry.h"
#include "views/tables/access_table_model.h"
#include "views/tables/occupancy_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace tessera;
using namespace tessera::views;

class TestBlockGeometry : public QObject {
  Q_OBJECT
private slots:
  void placesAndThreadsAreInverse_data();
  void placesAndThreadsAreInverse();
  void elementsAndPlacesAreInverse();
  void everyBlockOfAGridHasAPlace_data();
  void everyBlockOfAGridHasAPlace();
  void slicesUseTheWidth();
  void aRowOfFloatsIsALine();
  void aColumnPilesUpInOneBank();
  void theTableHasTheNumbersOfTheAccesses();
};

void TestBlockGeometry::placesAndThreadsAreInverse_data() {
  QTest::addColumn<int>("x");
  QTest::addColumn<int>("y");
  QTest::addColumn<int>("z");
  QTest::newRow("plane") << 32 << 8 << 1;
  QTest::newRow("layers") << 8 << 4 << 3;
  QTest::newRow("one") << 1 << 1 << 1;
  QTest::newRow("long") << 1024 << 1 << 1;
  QTest::newRow("long, not whole warps") << 100 << 3 << 2;
}

void TestBlockGeometry::placesAndThreadsAreInverse() {
  QFETCH(int, x);
  QFETCH(int, y);
  QFETCH(int, z);
  const QRectF room(5, 7, 300, 200);
  const ThreadGrid grid({x, y, z}, 32, room);
  QCOMPARE(grid.isWrapped(), x > 64);
  for (std::int64_t thread = 0; thread < std::int64_t(x) * y * z; ++thread) {
    const QRectF cell = grid.cellOf(thread);
    QCOMPARE(grid.at(cell.center()), std::optional(thread));
    QVERIFY(room.adjusted(-0.01, -0.01, 0.01, 0.01).contains(cell));
    QVERIFY(grid.area().adjusted(-0.01, -0.01, 0.01, 0.01).contains(cell));
  }
  QCOMPARE(grid.at({0, 0}), std::nullopt);
}

void TestBlockGeometry::elementsAndPlacesAreInverse() {
  block::OwnerMap owners;
  owners.down = 1;
  owners.x = {10, 41};
  owners.y = {-2, 5};
  const ElementGrid grid(owners, QRectF(0, 0, 320, 100));
  for (std::int64_t y = -2; y <= 5; ++y)
    for (std::int64_t x = 10; x <= 41; ++x) {
      const auto at = grid.at(grid.cellOf(x, y).center());
      QVERIFY(at);
      QCOMPARE(at->first, x);
      QCOMPARE(at->second, y);
    }
  QCOMPARE(grid.boxOf({10, 41}, {-2, 5}), grid.area());
  QVERIFY(grid.boxOf({50, 60}, {0, 0}).isEmpty());
}

namespace {

block::WarpPattern patternOf(cost::MemorySpace space, std::int64_t stride) {
  block::WarpPattern pattern;
  pattern.load.space = space;
  pattern.load.access.bytes = 4;
  for (int lane = 0; lane < 32; ++lane)
    pattern.lanes.push_back({lane, {lane, 0, 0}, {lane}, lane * stride});
  return pattern;
}

} // namespace

void TestBlockGeometry::everyBlockOfAGridHasAPlace_data() {
  QTest::addColumn<int>("x");
  QTest::addColumn<int>("y");
  QTest::addColumn<int>("z");
  QTest::newRow("one") << 1 << 1 << 1;
  QTest::newRow("plane") << 12 << 40 << 1;
  QTest::newRow("slices") << 7 << 5 << 4;
  QTest::newRow("slices, the last row of them not full") << 6 << 3 << 5;
  QTest::newRow("too many slices") << 2 << 1 << int(SliceGrid::kMostSlices + 1);
}

void TestBlockGeometry::everyBlockOfAGridHasAPlace() {
  QFETCH(int, x);
  QFETCH(int, y);
  QFETCH(int, z);
  const QRectF room(8, 8, 500, 300);
  const SliceGrid places({x, y, z}, room);
  QCOMPARE(places.across() * places.down() * places.slices(), std::int64_t(x) * y * z);
  std::int64_t block = 0;
  for (std::int64_t slice = 0; slice < places.slices(); ++slice) {
    const QRectF area = places.slice(slice);
    QVERIFY(room.adjusted(-0.01, -0.01, 0.01, 0.01).contains(area));
    for (std::int64_t row = 0; row < places.down(); ++row)
      for (std::int64_t column = 0; column < places.across(); ++column, ++block)
        QCOMPARE(places.at({area.left() + area.width() * (double(column) + 0.5) / places.across(),
                            area.top() + area.height() * (double(row) + 0.5) / places.down()}),
                 std::optional(block));
  }
  QCOMPARE(places.at({2, 2}), std::nullopt);
}

// The four slices of 72 by 52 blocks, in a dock that is wider than it is high.
void TestBlockGeometry::slicesUseTheWidth() {
  const SliceGrid places({72, 52, 4}, {0, 0, 580, 360});
  QCOMPARE(places.slices(), 4);
  QVERIFY(places.slice(1).left() > places.slice(0).right());
  QVERIFY(places.slice(0).width() > 200); // all four below one another leave them 125
}

void TestBlockGeometry::aRowOfFloatsIsALine() {
  const AccessRows rows = accessRowsOf(patternOf(cost::MemorySpace::Global, 4));
  QCOMPARE(rows.rows, 1);
  QCOMPARE(rows.sectors.size(), std::size_t(4));
  QCOMPARE(rows.cells.size(), std::size_t(32));
  QCOMPARE(rows.cells[7].column, 7);
  QCOMPARE(rows.cells[7].lanes, std::vector<int>{7});
  // The lanes read every second element. That takes two lines, and in each line every second word
  // has a lane.
  const AccessRows apart = accessRowsOf(patternOf(cost::MemorySpace::Global, 8));
  QCOMPARE(apart.rows, 2);
  QCOMPARE(apart.sectors.size(), std::size_t(8));
  QCOMPARE(apart.cells[16].row, 1);
  QCOMPARE(apart.cells[17].column, 2);
}

void TestBlockGeometry::aColumnPilesUpInOneBank() {
  const AccessRows column = accessRowsOf(patternOf(cost::MemorySpace::Shared, 128));
  QVERIFY(column.isBanks);
  QCOMPARE(column.rows, 32);
  QVERIFY(
      std::ranges::all_of(column.cells, [](const AccessCell &cell) { return cell.column == 0; }));
  const AccessRows row = accessRowsOf(patternOf(cost::MemorySpace::Shared, 4));
  QCOMPARE(row.rows, 1);
  // All lanes at one word share it.
  const AccessRows one = accessRowsOf(patternOf(cost::MemorySpace::Shared, 0));
  QCOMPARE(one.cells.size(), std::size_t(1));
  QCOMPARE(one.cells.front().lanes.size(), std::size_t(32));
}

void TestBlockGeometry::theTableHasTheNumbersOfTheAccesses() {
  AccessTableModel model;
  const QAbstractItemModelTester tester(&model);
  QCOMPARE(model.rowCount(), 0);
  const auto blockOf = [](double sectors) {
    auto block = std::make_shared<block::StageBlock>();
    block->accesses = {patternOf(cost::MemorySpace::Global, 4),
                       patternOf(cost::MemorySpace::Shared, 128)};
    block->accesses[0].array = "in";
    block->accesses[0].load.source = 0;
    block->accesses[0].load.requests = 3;
    block->accesses[0].load.sectors = sectors;
    block->accesses[0].load.access.strides = {4, 0, 0};
    block->accesses[0].load.access.first = 0;
    block->accesses[1].load.passes = 32;
    return block;
  };
  model.setBlock(blockOf(4));
  QCOMPARE(model.rowCount(), 2);
  const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
  QCOMPARE(text(0, AccessTableModel::Array), QString("in"));
  QCOMPARE(text(0, AccessTableModel::Sectors), QString("4"));
  QCOMPARE(text(0, AccessTableModel::Efficiency), percentText(1));
  QCOMPARE(text(0, AccessTableModel::Passes), QString()); // only shared memory has passes
  QCOMPARE(text(1, AccessTableModel::Passes), QString("32"));
  QCOMPARE(text(1, AccessTableModel::Sectors), QString());
  // If only numbers of the accesses change, the rows stay, for example while a handle is pulled.
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  model.setBlock(blockOf(4.875));
  QCOMPARE(changed.size(), 1);
  QCOMPARE(reset.size(), 0);
  QCOMPARE(text(0, AccessTableModel::Sectors), averageText(4.875));
  model.setBlock(nullptr);
  QCOMPARE(model.rowCount(), 0);
}

QTEST_MAIN(TestBlockGeometry)
#include "tst_block_geometry.moc"
