// SPDX-License-Identifier: GPL-3.0-or-later
// The curve of a search's best time: where its steps are drawn, and when it is shown.
#include "views/candidates/search_curve.h"
#include "views/theme/theme.h"

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
  applyAppearance(Appearance::Light, false);
  SearchCurve curve;
  curve.resize(400, 240);
  const std::vector<SearchCurve::Point> points{{0, 8}, {1, 4}, {4, 2}};
  for (const SearchCurve::Point &point : points)
    curve.add(point);
  QVERIFY(QTest::qWaitForWindowExposed(&curve));
  std::vector<QPointF> places;
  for (const SearchCurve::Point &point : points)
    places.push_back(curve.drawnPlaceOf(point.seconds, point.predicted));
  QVERIFY(std::abs(places[0].x() - curve.field().left()) < 1e-6);
  QVERIFY(std::abs(places[2].x() - curve.field().right()) < 1e-6);
  // Times are on a logarithmic axis, and faster is lower: each halving has the same height.
  const double halving = places[1].y() - places[0].y();
  QVERIFY(halving > 20);
  QVERIFY(std::abs(places[2].y() - places[1].y() - halving) < 1e-6);
  // Between two points, the curve keeps the height of the earlier one.
  const QImage picture = curve.grab().toImage();
  for (const std::size_t i : {0, 1}) {
    const int x = qRound((places[i].x() + places[i + 1].x()) / 2);
    int y = qRound(places[i].y()) - 10;
    const QColor canvas = picture.pixelColor(x, y);
    while (y < picture.height() - 1 && picture.pixelColor(x, y) == canvas)
      ++y;
    QVERIFY(std::abs(y - places[i].y()) <= 2);
  }
}

void TestSearchCurve::onePointHasNoCurve() {
  SearchCurve curve;
  curve.resize(400, 240);
  curve.add({0, 8});
  const QImage one = curve.grab().toImage();
  QImage nothing(one.size(), one.format());
  nothing.fill(one.pixelColor(0, 0));
  QCOMPARE(one, nothing);
  curve.add({1, 4});
  QVERIFY(curve.grab().toImage() != nothing);
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
