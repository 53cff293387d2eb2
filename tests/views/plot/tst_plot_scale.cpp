// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of zoom, pan and ticks, without a chart.
#include "views/plot/plot_scale.h"

#include <QTest>

#include <cmath>

using namespace tessera::views;

class TestPlotScale : public QObject {
  Q_OBJECT
private slots:
  void valuesAndPlacesAreInverse();
  void zoomKeepsWhatIsUnderThePointer();
  void besideTheFieldOneAxisIsZoomed();
  void zoomHasEnds();
  void stepsAreRound();
};

void TestPlotScale::valuesAndPlacesAreInverse() {
  const QRectF field(40, 10, 300, 200);
  for (const bool isLog : {false, true}) {
    const PlotScale scale({isLog, isLog, true}, {2, 200, 3, 3000}, field);
    QCOMPARE(scale.placeOf(2, 3), field.bottomLeft());
    QCOMPARE(scale.placeOf(200, 3000), field.topRight());
    for (const double value : {4.0, 20.0, 77.0}) {
      QCOMPARE(scale.xAt(scale.xOf(value)), value);
      QCOMPARE(scale.yAt(scale.yOf(value)), value);
    }
  }
  // On a logarithmic axis, equal factors have equal lengths.
  const PlotScale log({true, true, true}, {1, 100, 1, 100}, field);
  QCOMPARE(log.xOf(10), field.center().x());
  // The rectangle that the whole range fills while a quarter of the range is visible.
  const PlotScale quarter({}, {25, 50, 0, 1}, field);
  QCOMPARE(quarter.stretched({0, 100, 0, 1}), QRectF(40 - 300, 10, 1200, 200));
}

void TestPlotScale::zoomKeepsWhatIsUnderThePointer() {
  const ChartWindow whole{1e-6, 1e-2, 1e-6, 1e-2};
  const QRectF field(40, 10, 300, 200);
  const PlotAxes axes{true, true, true};
  const PlotScale before(axes, whole, field);
  const QPointF at(123, 77);
  const auto window = before.zoomed(1.3, at, whole);
  QVERIFY(window);
  const PlotScale after(axes, *window, field);
  QVERIFY(std::abs(after.xAt(at.x()) / before.xAt(at.x()) - 1) < 1e-9);
  QVERIFY(std::abs(after.yAt(at.y()) / before.yAt(at.y()) - 1) < 1e-9);
  QVERIFY(window->mostX / window->leastX < whole.mostX / whole.leastX);
  // A pan moves the content by the same number of pixels.
  const PlotScale panned(axes, before.panned({30, -20}, whole), field);
  QVERIFY(std::abs(panned.xAt(at.x() + 30) / before.xAt(at.x()) - 1) < 1e-9);
  QVERIFY(std::abs(panned.yAt(at.y() - 20) / before.yAt(at.y()) - 1) < 1e-9);
}

void TestPlotScale::besideTheFieldOneAxisIsZoomed() {
  const ChartWindow whole{1, 1e4, 1, 1e4};
  const PlotScale scale({true, true, true}, whole, {40, 10, 300, 200});
  const auto onlyY = scale.zoomed(2, {10, 100}, whole);
  QVERIFY(onlyY && onlyY->leastX == whole.leastX && onlyY->mostX == whole.mostX);
  QVERIFY(onlyY->leastY > whole.leastY);
  const auto onlyX = scale.zoomed(2, {100, 230}, whole);
  QVERIFY(onlyX && onlyX->leastY == whole.leastY && onlyX->mostY == whole.mostY);
  QVERIFY(onlyX->leastX > whole.leastX);
}

void TestPlotScale::zoomHasEnds() {
  const QRectF field(0, 0, 100, 100);
  const ChartWindow whole{0, 100, 0, 1};
  const PlotScale part({}, {40, 60, 0, 1}, field);
  QCOMPARE(part.zoomed(0.01, {50, 50}, whole), std::optional(whole)); // limited to `whole`
  QCOMPARE(part.panned({1000, 0}, whole), (ChartWindow{0, 20, 0, 1}));
  QCOMPARE(part.panned({-1000, 0}, whole), (ChartWindow{80, 100, 0, 1}));
  QVERIFY(!PlotScale({}, {50, 50.01, 0, 1}, field).zoomed(2, {50, 50}, whole));
  const PlotAxes log{true, true, true};
  QVERIFY(!PlotScale(log, {1, 1.011, 1, 10}, field).zoomed(2, {50, 50}, whole));
  QVERIFY(!PlotScale(log, {1e-6, 1e5, 1, 10}, field).zoomed(0.5, {50, 50}, whole));
}

void TestPlotScale::stepsAreRound() {
  const std::vector<double> fifths = linearSteps(0, 1, 5);
  QCOMPARE(fifths.size(), std::size_t(6));
  for (std::size_t i = 0; i < fifths.size(); ++i)
    QCOMPARE(fifths[i], double(i) / 5);
  QCOMPARE(linearSteps(0, 100, 3), (std::vector<double>{0, 50, 100}));
  QCOMPARE(linearSteps(13, 38, 3), (std::vector<double>{20, 30}));
  QVERIFY(linearSteps(1, 1, 4).empty());
  QVERIFY(linearSteps(0, 1, 0).empty());
}

QTEST_GUILESS_MAIN(TestPlotScale)
#include "tst_plot_scale.moc"
