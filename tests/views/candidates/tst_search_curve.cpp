// SPDX-License-Identifier: GPL-3.0-or-later
// The curve of a search's best time: where its corners lie, and when it is shown.
#include "views/candidates/search_curve.h"

#include <QTest>

#include <cmath>

using namespace tessera::views;

class TestSearchCurve : public QObject {
  Q_OBJECT
private slots:
  void goesDownInSteps();
  void onePointHasNoCurve();
  void takesRoomOnceThereIsACurve();
};

void TestSearchCurve::goesDownInSteps() {
  const auto corners = stepsIn({{0, 8}, {1, 4}, {4, 2}}, QRectF(10, 20, 400, 100));
  QCOMPARE(corners.size(), std::size_t(5)); // a step has two corners
  QCOMPARE(corners.front().x(), 10.0);
  QCOMPARE(corners.back().x(), 410.0); // the last point is at the right end
  QCOMPARE(corners[1].x(), corners[2].x());
  QCOMPARE(corners[0].y(), corners[1].y());
  for (std::size_t i = 1; i < corners.size(); ++i)
    QVERIFY(corners[i].y() >= corners[i - 1].y()); // faster is lower
  // Times are on a logarithmic axis, so each halving of the time has the same height.
  QVERIFY(std::abs((corners[2].y() - corners[0].y()) - (corners[4].y() - corners[2].y())) < 1e-9);
}

void TestSearchCurve::onePointHasNoCurve() {
  QVERIFY(stepsIn({{0, 8}}, QRectF(0, 0, 9, 9)).empty());
}

// For a search that ends at once, the curve is hidden: it would show one step and take the height
// of four rows of candidates.
void TestSearchCurve::takesRoomOnceThereIsACurve() {
  QWidget parent;
  SearchCurve curve(&parent);
  curve.clear();
  QVERIFY(curve.isHidden());
  curve.add({0, 8});
  curve.add({0.1, 4});
  QVERIFY(curve.isHidden());
  curve.add({0.2, 3});
  QVERIFY(!curve.isHidden());
  curve.clear();
  QVERIFY(curve.isHidden());
}

QTEST_MAIN(TestSearchCurve)
#include "tst_search_curve.moc"
