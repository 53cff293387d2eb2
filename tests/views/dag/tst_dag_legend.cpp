// SPDX-License-Identifier: GPL-3.0-or-later
// The legend says what the DAG shows, and changes nothing else.
#include "views/dag/dag_legend.h"
#include "views/theme/theme.h"

#include <QLabel>
#include <QPointer>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace tessera::views;

class TestDagLegend : public QObject {
  Q_OBJECT
private slots:
  void init() {
    m_legend = std::make_unique<DagLegend>();
    m_legend->setPalette(lightPalette());
    m_legend->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_legend.get()));
  }

  void saysWhatIsShown() {
    QVERIFY(isShown("reduction"));
    QVERIFY(!isShown("inlined"));
    m_legend->describe({true, false, false});
    QVERIFY(isShown("inlined"));
    QVERIFY(!isShown("no time … most time"));
    QVERIFY(!isShown("added by the schedule"));
    m_legend->describe({true, true, true});
    QVERIFY(isShown("no time … most time"));
    QVERIFY(isShown("added by the schedule"));
    QVERIFY(!isShown("frozen by the search"));
    m_legend->describe({true, false, false, false, true});
    QVERIFY(isShown("frozen by the search"));
    m_legend->describe({false, true, true}); // without a schedule, nothing has a cost
    QVERIFY(!isShown("no time … most time"));
    QVERIFY(isShown("reduction"));
  }

  // The second row has no height while it has no entry.
  void givesTheRoomOfAnEmptyRowBack() {
    const int before = m_legend->sizeHint().height();
    m_legend->describe({true, false, false});
    const int with = m_legend->sizeHint().height();
    QVERIFY(with > before);
    m_legend->describe({});
    QTRY_COMPARE(m_legend->sizeHint().height(), before);
  }

  void keepsItsWordsAndDrawsItsMarksForAnotherPalette() {
    const QPointer<QLabel> words = labelOf("reduction");
    QVERIFY(words);
    const auto *mark = words->parentWidget()->findChild<QLabel *>(); // stands before the words
    const QImage light = mark->pixmap().toImage();
    QVERIFY(!light.isNull());
    m_legend->describe({true, true, true});
    QVERIFY(words);
    QCOMPARE(mark->pixmap().toImage(), light);
    m_legend->setPalette(darkPalette());
    QVERIFY(words);
    QVERIFY(mark->pixmap().toImage() != light);
  }

  void hasTheZoom() {
    m_legend->setZoom(0.58);
    QVERIFY(isShown("58 %"));
  }

private:
  QLabel *labelOf(const char *words) const {
    const auto labels = m_legend->findChildren<QLabel *>();
    const auto at = std::ranges::find(labels, QString::fromUtf8(words), &QLabel::text);
    return at == labels.end() ? nullptr : *at;
  }
  bool isShown(const char *words) const {
    const QLabel *label = labelOf(words);
    return label && label->isVisible();
  }

  std::unique_ptr<DagLegend> m_legend;
};

QTEST_MAIN(TestDagLegend)
#include "tst_dag_legend.moc"
