// SPDX-License-Identifier: GPL-3.0-or-later
// A column gets the width of its widest text, though not all of its texts are measured.
#include "views/theme/table_look.h"

#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

using namespace tessera::views;

class TestTableLook : public QObject {
  Q_OBJECT
private slots:
  void aColumnIsAsWideAsItsTexts_data() {
    QTest::addColumn<QStringList>("texts");
    QTest::newRow("none") << QStringList();
    QTest::newRow("one") << QStringList("remapped_1");
    QTest::newRow("wide letters") << QStringList{"iiiiiiiiiiii", "WWWWWWWWWW", "a"};
    // The longest text by its letters stands there many times, and the widest one once.
    QStringList many(11, QStringLiteral("iiiiiiiiiiiiiiii"));
    many << QStringLiteral("WWWWWWWWWWWWWW");
    QTest::newRow("repeated") << many;
    QTest::newRow("short") << QStringList{"1", "22", "333"};
  }
  void aColumnIsAsWideAsItsTexts() {
    QFETCH(const QStringList, texts);
    QStandardItemModel model(int(texts.size()), 1);
    model.setHorizontalHeaderLabels({"Kernel"});
    for (int row = 0; row < texts.size(); ++row)
      model.setItem(row, new QStandardItem(texts[row]));
    QTableView table;
    makeReadable(table, 6);
    table.setModel(&model);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    table.resizeColumnToContents(0); // measures all
    QCOMPARE(contentWidth(table, 0), table.columnWidth(0));
  }
};

QTEST_MAIN(TestTableLook)
#include "tst_table_look.moc"
