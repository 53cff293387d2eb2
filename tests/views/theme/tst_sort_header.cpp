// SPDX-License-Identifier: GPL-3.0-or-later
// The arrow of a sorted column is beside its title, never on it.
#include "views/theme/sort_header.h"
#include "views/theme/table_look.h"

#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

using namespace tessera::views;

class TestSortHeader : public QObject {
  Q_OBJECT
private slots:
  void init();
  void theArrowIsBesideTheTitle_data();
  void theArrowIsBesideTheTitle();
  void sortingMovesNoColumn();
  void aClickSorts();

private:
  SortHeader &header() { return *qobject_cast<SortHeader *>(m_table->horizontalHeader()); }

  QStandardItemModel m_model{3, 3};
  std::unique_ptr<QTableView> m_table;
};

void TestSortHeader::init() {
  m_model.setHorizontalHeaderLabels({"Candidate", "Predicted", "A title that is much too long"});
  m_model.setHeaderData(1, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter),
                        Qt::TextAlignmentRole);
  m_model.setHeaderData(2, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter),
                        Qt::TextAlignmentRole);
  m_table = std::make_unique<QTableView>();
  m_table->setModel(&m_model);
  makeReadable(*m_table, 8);
  m_table->resize(500, 200);
  m_table->show();
}

void TestSortHeader::theArrowIsBesideTheTitle_data() {
  QTest::addColumn<int>("section");
  QTest::addColumn<int>("width");
  QTest::addColumn<bool>("isRight");
  QTest::newRow("left") << 0 << 140 << false;
  QTest::newRow("right") << 1 << 140 << true;
  QTest::newRow("right, no room") << 2 << 60 << true;
}

void TestSortHeader::theArrowIsBesideTheTitle() {
  QFETCH(const int, section);
  QFETCH(const int, width);
  QFETCH(const bool, isRight);
  m_table->setColumnWidth(section, width);
  m_table->sortByColumn(section, Qt::AscendingOrder);
  const SortHeader::Parts parts = header().partsOf(section);
  const QRect whole(header().sectionViewportPosition(section), 0, width, header().height());
  QVERIFY(parts.arrow.isValid());
  QVERIFY(whole.contains(parts.arrow) && whole.contains(parts.title));
  QVERIFY(!parts.arrow.intersects(parts.title));
  QCOMPARE(parts.arrow.left() < parts.title.left(), isRight);
  QVERIFY(header().partsOf((section + 1) % 3).arrow.isEmpty());
}

void TestSortHeader::sortingMovesNoColumn() {
  m_table->sortByColumn(0, Qt::AscendingOrder);
  m_table->resizeColumnToContents(1);
  const int before = m_table->columnWidth(1);
  m_table->sortByColumn(1, Qt::AscendingOrder);
  m_table->resizeColumnToContents(1);
  QCOMPARE(m_table->columnWidth(1), before);
  const int width = header().partsOf(1).title.width();
  QCOMPARE(header().fontMetrics().elidedText("Predicted", Qt::ElideRight, width), "Predicted");
}

void TestSortHeader::aClickSorts() {
  const QPoint at(header().sectionViewportPosition(1) + 20, header().height() / 2);
  QTest::mouseClick(header().viewport(), Qt::LeftButton, {}, at);
  QCOMPARE(header().sortIndicatorSection(), 1);
  const Qt::SortOrder first = header().sortIndicatorOrder();
  QTest::mouseClick(header().viewport(), Qt::LeftButton, {}, at);
  QVERIFY(header().sortIndicatorOrder() != first);
}

QTEST_MAIN(TestSortHeader)
#include "tst_sort_header.moc"
