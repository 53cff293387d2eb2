// SPDX-License-Identifier: GPL-3.0-or-later
// The chart of measured over predicted times: where its points are and what is drawn.
#include "views/candidates/time_scatter.h"
#include "views/theme/theme.h"

#include <QTest>

using namespace tessera::views;

namespace {
const std::vector<ScatterPoint> kPoints{{1, "as predicted", 1e-4, 1e-4}, {2, "slower", 1e-4, 1e-3}};
} // namespace

class TestTimeScatter : public QObject {
  Q_OBJECT
private slots:
  void slowerIsHigher();
  void drawsTheDiagonal();
};

void TestTimeScatter::slowerIsHigher() {
  const QRectF field(10, 10, 200, 100);
  const Scatter scatter = scatterOf(kPoints, field);
  QVERIFY(scatter.places[1].y() < scatter.places[0].y());
  QCOMPARE(scatter.at(scatter.places[1] + QPointF(3, 3)), std::optional<std::size_t>(1));
  QVERIFY(!scatter.at(field.bottomRight()));
  QVERIFY(scatterOf({}, field).places.empty());
}

// A dashed line is drawn where both times are equal, and nothing beside it.
void TestTimeScatter::drawsTheDiagonal() {
  applyAppearance(Appearance::Light, false);
  TimeScatter chart;
  chart.setPoints(kPoints);
  chart.resize(400, 300);
  chart.show();
  QVERIFY(QTest::qWaitForWindowExposed(&chart));
  const ChartWindow all = chart.scatter().window;
  const QPointF from = chart.drawnPlaceOf(all.leastX, all.leastX);
  const QPointF to = chart.drawnPlaceOf(all.mostX, all.mostX);
  const QImage picture = chart.grab().toImage();
  const QRgb canvas = Colors(chart.palette()).canvas.rgb();
  const auto drawnAlong = [&](QPointF moved) {
    int drawn = 0;
    for (int i = 60; i < 90; ++i) { // percent of the diagonal: the part right of all points
      const QPoint at = (from + (to - from) * i / 100.0 + moved).toPoint();
      for (int y = -1; y <= 1; ++y)
        if (picture.pixelColor(at + QPoint(0, y)).rgb() != canvas) {
          ++drawn;
          break;
        }
    }
    return drawn;
  };
  QVERIFY(drawnAlong({}) >= 15);
  QCOMPARE(drawnAlong({0, 25}), 0);
}

QTEST_MAIN(TestTimeScatter)
#include "tst_time_scatter.moc"
