// SPDX-License-Identifier: GPL-3.0-or-later
// What all charts share: zoom and pan with a history, by mouse and by keys, pictures as files,
// texts for screen readers, and QCustomPlot drawing where PlotScale places things.
#include "views/candidates/search_curve.h"
#include "views/candidates/time_scatter.h"
#include "views/measurements/timeline_view.h"
#include "views/occupancy/curve_chart.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <array>
#include <cmath>
#include <memory>

using namespace tessera;
using namespace tessera::views;

class TestPlot : public QObject {
  Q_OBJECT
private slots:
  void init();

  void drawsWhereTheGeometrySays();
  void wheelZoomsAndBackspaceGoesBack();
  void dragsPanInOneStep();
  void rectangleIsZoomedInto();
  void escapeEndsADrag();
  void aDragEndsWithItsData();
  void askingEndsWithItsData();
  void onlyTheLeftButtonShowsAll();
  void keysZoomAndPan();
  void arrowsStillChoosePoints();
  void pointsArriveWhileOneLooks();
  void otherDataForgetTheZoom();
  void occupancyIsAskedAtTheZoom();
  void barsAreFoundAtTheZoom();
  void menuOffersTheSame();
  void picturesAreWritten();
  void picturesAreLight();
  void saysWhyAPictureCannotBeWritten();
  void refusesOtherFormats();
  void saysWhenNothingCouldBeDrawn();
  void screenReadersAreTold();
  void anotherThemeIsDrawn();
  void anEmptyChartHasNothing();

private:
  std::array<PlotView *, 4> charts() {
    return {m_scatter.get(), m_curve.get(), m_occupancy.get(), m_timeline.get()};
  }
  static void wheel(QWidget &chart, QPointF at, int steps);
  static void drag(QWidget &chart, QPointF from, QPointF to, Qt::MouseButton button,
                   Qt::KeyboardModifiers keys = {});
  static void moveHeld(QWidget &chart, QPointF to, Qt::MouseButton button,
                       Qt::KeyboardModifiers keys = {});
  void fillAll();
  void emptyAll();
  QByteArray saved(PlotView &chart, const QString &name);

  QTemporaryDir m_folder;
  Selection m_selection;
  std::unique_ptr<TimeScatter> m_scatter;
  std::unique_ptr<SearchCurve> m_curve;
  std::unique_ptr<CurveChart> m_occupancy;
  std::unique_ptr<TimelineView> m_timeline;
};

void TestPlot::init() {
  applyAppearance(Appearance::Light, false);
  m_scatter = std::make_unique<TimeScatter>();
  m_curve = std::make_unique<SearchCurve>();
  m_occupancy = std::make_unique<CurveChart>(BlockNumber::Threads);
  m_timeline = std::make_unique<TimelineView>(m_selection);
  fillAll();
  for (PlotView *chart : charts()) {
    chart->resize(400, 240);
    static_cast<QWidget *>(chart)->show();
    QVERIFY(QTest::qWaitForWindowExposed(chart));
  }
}

void TestPlot::fillAll() {
  m_scatter->setPoints({{1, "auto 1", 31e-6, 42e-6, true},
                        {2, "manual", 58e-6, 61e-6},
                        {3, "default", 2.6e-3, 3.9e-3, false, true}});
  for (int i = 0; i < 8; ++i)
    m_curve->add({i * 0.25, 8 * std::pow(0.8, i)});
  m_occupancy->show(machine::Machine(), {256, 40, 8192}, {256, 40, 8192});
  auto profile = std::make_shared<measure::RunProfile>();
  profile->isTimed = true;
  profile->kernels = {{"a", {}, 1, 10e-6, 0, 100}, {"b", {}, 1, 30e-6, 10e-6, 50}};
  profile->peakBytes = 100;
  m_timeline->show(
      profile, {{Subject::stage(pipeline::StageId{0})}, {Subject::stage(pipeline::StageId{1})}});
}

void TestPlot::emptyAll() {
  m_scatter->setPoints({});
  m_occupancy->clear();
  m_timeline->show(nullptr, {});
  m_curve->clear();
}

void TestPlot::wheel(QWidget &chart, QPointF at, int steps) {
  QWheelEvent turn(at, chart.mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                   Qt::NoScrollPhase, false);
  QApplication::sendEvent(&chart, &turn);
}

void TestPlot::drag(QWidget &chart, QPointF from, QPointF to, Qt::MouseButton button,
                    Qt::KeyboardModifiers keys) {
  QTest::mousePress(&chart, button, keys, from.toPoint());
  for (const double part : {0.5, 1.0})
    moveHeld(chart, from + (to - from) * part, button, keys);
  QTest::mouseRelease(&chart, button, keys, to.toPoint());
}

void TestPlot::moveHeld(QWidget &chart, QPointF to, Qt::MouseButton button,
                        Qt::KeyboardModifiers keys) {
  QMouseEvent move(QEvent::MouseMove, to, chart.mapToGlobal(to), Qt::NoButton, button, keys);
  QApplication::sendEvent(&chart, &move);
}

// PlotScale must give for each value the place at which QCustomPlot has drawn it.
void TestPlot::drawsWhereTheGeometrySays() {
  const auto isSame = [](QPointF drawn, QPointF said) {
    const QPointF away = drawn - said;
    return std::abs(away.x()) < 1e-6 && std::abs(away.y()) < 1e-6;
  };
  for (const QSize size : {QSize(400, 240), QSize(333, 217)})
    for (const int steps : {0, 3}) {
      for (PlotView *chart : charts()) {
        chart->resize(size);
        wheel(*chart, chart->field().center(), steps);
      }
      const Scatter scatter = m_scatter->scatter();
      for (std::size_t i = 0; i < scatter.places.size(); ++i) {
        const ScatterPoint &point = m_scatter->points()[i];
        QVERIFY(
            isSame(m_scatter->drawnPlaceOf(point.predicted, point.measured), scatter.places[i]));
      }
      const double fraction = occupancy(machine::Machine(), {256, 40, 8192}).fraction;
      QVERIFY(isSame(m_occupancy->drawnPlaceOf(256, fraction), m_occupancy->actualPoint()));
      const Timeline timeline = m_timeline->timeline();
      QVERIFY(isSame(m_timeline->drawnPlaceOf(10e-6, 1), timeline.parts[1].place.topLeft()));
      const auto &last = m_curve->points().back();
      QVERIFY(isSame(m_curve->drawnPlaceOf(last.seconds, last.predicted),
                     m_curve->scale().placeOf(last.seconds, last.predicted)));
    }
}

void TestPlot::wheelZoomsAndBackspaceGoesBack() {
  for (PlotView *chart : charts()) {
    const QPointF at = chart->field().center() + QPointF(31, 0);
    const double under = chart->scale().xAt(at.x());
    QSignalSpy changed(chart, &PlotView::zoomChanged);
    wheel(*chart, at, 1);
    wheel(*chart, at, 2);
    QCOMPARE(changed.size(), 2);
    QVERIFY(chart->zoom().now());
    QVERIFY(std::abs(chart->scale().xAt(at.x()) / under - 1) < 1e-9);
    const auto near = chart->zoom().now();
    // All steps of the wheel were one step of the zoom history.
    QTest::keyClick(chart, Qt::Key_Backspace);
    QVERIFY(!chart->zoom().now());
    QTest::keyClick(chart, Qt::Key_Backspace, Qt::ShiftModifier);
    QCOMPARE(chart->zoom().now(), near);
    QTest::keyClick(chart, Qt::Key_Escape);
    QVERIFY(!chart->zoom().now());
  }
}

void TestPlot::dragsPanInOneStep() {
  for (PlotView *chart : charts())
    for (const auto &[button, keys] :
         {std::pair(Qt::MiddleButton, Qt::KeyboardModifiers()),
          {Qt::LeftButton, Qt::KeyboardModifiers(Qt::ShiftModifier)}}) {
      chart->zoomToAll();
      wheel(*chart, chart->field().center(), 4);
      const auto zoomed = chart->zoom().now();
      const QPointF from = chart->field().center(), to = from + QPointF(40, 10);
      const double under = chart->scale().xAt(from.toPoint().x());
      drag(*chart, from, to, button, keys);
      QVERIFY(chart->zoom().now() != zoomed);
      // The drag moves by whole pixels, hence the tolerance.
      QVERIFY(std::abs(chart->scale().xAt(to.x()) / under - 1) < 0.05);
      chart->zoomBack();
      QCOMPARE(chart->zoom().now(), zoomed);
    }
  QVERIFY(!m_selection.active()); // a drag is no click
}

void TestPlot::rectangleIsZoomedInto() {
  for (PlotView *chart :
       {static_cast<PlotView *>(m_scatter.get()), static_cast<PlotView *>(m_timeline.get())}) {
    const PlotScale before = chart->scale();
    const QPointF from = chart->field().topLeft() + QPointF(50, 20), to = from + QPointF(100, 40);
    drag(*chart, from, to, Qt::LeftButton);
    const auto window = chart->zoom().now();
    QVERIFY(window);
    QCOMPARE(window->leastX, before.xAt(from.x()));
    QCOMPARE(window->mostX, before.xAt(to.x()));
    const bool isBoth = chart == m_scatter.get();
    QCOMPARE(window->mostY, isBoth ? before.yAt(from.y()) : before.window().mostY);
    QCOMPARE(window->leastY, isBoth ? before.yAt(to.y()) : before.window().leastY);
  }
}

void TestPlot::escapeEndsADrag() {
  const QPointF from = m_scatter->field().center();
  QTest::mousePress(m_scatter.get(), Qt::LeftButton, {}, from.toPoint());
  const QPointF to = from + QPointF(50, 40);
  moveHeld(*m_scatter, to, Qt::LeftButton);
  QTest::keyClick(m_scatter.get(), Qt::Key_Escape);
  QTest::mouseRelease(m_scatter.get(), Qt::LeftButton, {}, to.toPoint());
  QVERIFY(!m_scatter->zoom().now());
}

// The data may go while the button is held, for example when Ctrl+R starts another search.
void TestPlot::aDragEndsWithItsData() {
  for (const auto &[button, keys] : {std::pair(Qt::LeftButton, Qt::KeyboardModifiers()),
                                     {Qt::LeftButton, Qt::KeyboardModifiers(Qt::ShiftModifier)},
                                     {Qt::MiddleButton, Qt::KeyboardModifiers()}}) {
    const QPointF from = m_scatter->field().center(), to = from + QPointF(50, 40);
    for (PlotView *chart : charts()) {
      wheel(*chart, from, 4);
      QTest::mousePress(chart, button, keys, from.toPoint());
      moveHeld(*chart, to, button, keys);
    }
    emptyAll();
    for (PlotView *chart : charts()) {
      QCOMPARE(chart->cursor().shape(), Qt::ArrowCursor);
      moveHeld(*chart, to + QPointF(9, 9), button, keys);
    }
    fillAll(); // the drag has ended, so it does not move the new data
    for (PlotView *chart : charts()) {
      chart->zoomToAll();
      moveHeld(*chart, to, button, keys);
      QTest::mouseRelease(chart, button, keys, to.toPoint());
      QVERIFY(!chart->zoom().now());
    }
    emptyAll();
    fillAll();
  }
}

void TestPlot::askingEndsWithItsData() {
  const QPointF at = m_occupancy->field().center();
  QTest::mousePress(m_occupancy.get(), Qt::LeftButton, {}, at.toPoint());
  emptyAll();
  fillAll();
  QSignalSpy asked(m_occupancy.get(), &CurveChart::asked);
  moveHeld(*m_occupancy, at + QPointF(50, 0), Qt::LeftButton);
  QTest::mouseRelease(m_occupancy.get(), Qt::LeftButton, {}, at.toPoint());
  QVERIFY(asked.empty());
}

void TestPlot::onlyTheLeftButtonShowsAll() {
  const QPoint at = m_curve->field().center().toPoint();
  wheel(*m_curve, at, 4);
  const auto zoomed = m_curve->zoom().now();
  for (const auto button : {Qt::RightButton, Qt::MiddleButton}) {
    QTest::mouseDClick(m_curve.get(), button, {}, at);
    QTest::mouseRelease(m_curve.get(), button, {}, at);
    QCOMPARE(m_curve->zoom().now(), zoomed);
  }
  QTest::mouseDClick(m_curve.get(), Qt::LeftButton, {}, at);
  QTest::mouseRelease(m_curve.get(), Qt::LeftButton, {}, at);
  QVERIFY(!m_curve->zoom().now());
}

void TestPlot::keysZoomAndPan() {
  for (PlotView *chart : charts()) {
    QTest::keyClick(chart, Qt::Key_Plus);
    QTest::keyClick(chart, Qt::Key_Plus);
    QVERIFY(chart->zoom().now());
    const ChartWindow before = *chart->zoom().now();
    QTest::keyClick(chart, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(chart->zoom().now()->leastX > before.leastX);
    QTest::keyClick(chart, Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(std::abs(chart->zoom().now()->leastX / before.leastX - 1) < 1e-9);
    QTest::keyClick(chart, Qt::Key_Minus);
    QVERIFY(!chart->zoom().now() || chart->zoom().now()->leastX < before.leastX);
  }
  QVERIFY(!m_selection.active());
  QTest::keyClick(m_scatter.get(), Qt::Key_Up, Qt::ShiftModifier);
  QTest::keyClick(m_scatter.get(), Qt::Key_Home);
  QVERIFY(!m_scatter->zoom().now());
}

void TestPlot::arrowsStillChoosePoints() {
  QSignalSpy wanted(m_scatter.get(), &TimeScatter::loadWanted);
  for (int i = 0; i < 2; ++i)
    QTest::keyClick(m_scatter.get(), Qt::Key_Right);
  QVERIFY(m_scatter->accessibleDescription().contains("manual"));
  QTest::keyClick(m_scatter.get(), Qt::Key_Return);
  QCOMPARE(wanted.size(), 1);
  QCOMPARE(wanted[0][0].toULongLong(), 2ULL);
  QTest::keyClick(m_timeline.get(), Qt::Key_Right);
  QTest::keyClick(m_timeline.get(), Qt::Key_Right);
  QCOMPARE(m_timeline->current(), std::optional<std::size_t>(1));
}

// While a search adds points, the axis grows with them, except after the user has zoomed.
void TestPlot::pointsArriveWhileOneLooks() {
  const double right = m_curve->field().right();
  const auto rightmost = [&] {
    const auto &last = m_curve->points().back();
    return m_curve->drawnPlaceOf(last.seconds, last.predicted).x();
  };
  QVERIFY(std::abs(rightmost() - right) < 1e-6);
  const QImage before = m_curve->grab().toImage();
  m_curve->add({4, 0.5});
  QVERIFY(std::abs(rightmost() - right) < 1e-6);
  QVERIFY(m_curve->grab().toImage() != before);
  wheel(*m_curve, m_curve->field().center(), 3);
  const auto seen = m_curve->scale().window();
  m_curve->add({5, 0.4});
  QCOMPARE(m_curve->scale().window(), seen);
  m_curve->clear(); // another search starts
  m_curve->add({0, 3});
  m_curve->add({1, 2});
  QVERIFY(!m_curve->zoom().now());
  QVERIFY(std::abs(rightmost() - right) < 1e-6);
  // Measurements that arrive keep the zoom.
  wheel(*m_scatter, m_scatter->field().center(), 3);
  const auto zoomed = m_scatter->zoom().now();
  auto points = m_scatter->points();
  points.push_back({4, "auto 2", 1e-4, 2e-4});
  m_scatter->setPoints(points);
  QCOMPARE(m_scatter->zoom().now(), zoomed);
  QCOMPARE(m_scatter->scatter().places.size(), std::size_t(4));
}

// Backspace does not lead back to a zoom window of data that are gone.
void TestPlot::otherDataForgetTheZoom() {
  const std::array<PlotView *, 3> forgetful{m_scatter.get(), m_curve.get(), m_timeline.get()};
  for (PlotView *chart : forgetful) {
    wheel(*chart, chart->field().center(), 3);
    chart->zoomToAll();
    wheel(*chart, chart->field().center(), 3);
    QVERIFY(chart->zoom().now() && chart->zoom().canGoBack());
  }
  emptyAll();
  fillAll();
  for (PlotView *chart : forgetful) {
    QVERIFY(!chart->zoom().now());
    QTest::keyClick(chart, Qt::Key_Backspace);
    QVERIFY(!chart->zoom().now() && !chart->zoom().canGoForward());
  }
  // The timeline's profile is replaced by another one during a drag.
  const QPointF from = m_timeline->field().center(), to = from + QPointF(50, 0);
  wheel(*m_timeline, from, 4);
  QTest::mousePress(m_timeline.get(), Qt::MiddleButton, {}, from.toPoint());
  moveHeld(*m_timeline, to, Qt::MiddleButton);
  auto other = std::make_shared<measure::RunProfile>();
  other->kernels = {{"c", {}, 1, 5e-6, 0, 0}};
  m_timeline->show(other, {{Subject::stage(pipeline::StageId{0})}});
  moveHeld(*m_timeline, from, Qt::MiddleButton);
  QTest::mouseRelease(m_timeline.get(), Qt::MiddleButton, {}, from.toPoint());
  QVERIFY(!m_timeline->zoom().now() && !m_timeline->zoom().canGoBack());
}

void TestPlot::occupancyIsAskedAtTheZoom() {
  QSignalSpy asked(m_occupancy.get(), &CurveChart::asked);
  wheel(*m_occupancy, m_occupancy->field().center(), 6);
  const double at = m_occupancy->curve().xOf(544);
  QVERIFY(at > m_occupancy->field().left() && at < m_occupancy->field().right());
  QTest::mouseClick(m_occupancy.get(), Qt::LeftButton, {},
                    QPoint(qRound(at), m_occupancy->rect().center().y()));
  QCOMPARE(asked.size(), 1);
  QCOMPARE(asked[0][1].toLongLong(), 544LL);
  QTest::keyClick(m_occupancy.get(), Qt::Key_Home); // sets the what-if value and does not zoom
  QCOMPARE(asked.back()[1].toLongLong(), 32LL);
  QVERIFY(m_occupancy->zoom().now());
}

void TestPlot::barsAreFoundAtTheZoom() {
  const QPointF at = m_timeline->timeline().parts[0].place.center();
  wheel(*m_timeline, at, 3);
  const Timeline near = m_timeline->timeline();
  QVERIFY(near.parts[0].place.width() > m_timeline->field().width() * 0.4);
  QTest::mouseClick(m_timeline.get(), Qt::LeftButton, {}, at.toPoint());
  QCOMPARE(m_timeline->current(), std::optional<std::size_t>(0));
  // A mark that is outside of the field cannot be clicked.
  const QPointF beside(m_timeline->field().left() - 20, at.y());
  QTest::mouseClick(m_timeline.get(), Qt::LeftButton, {}, beside.toPoint());
  QCOMPARE(m_timeline->current(), std::optional<std::size_t>(0));
}

void TestPlot::menuOffersTheSame() {
  QContextMenuEvent wish(QContextMenuEvent::Keyboard, {}, m_scatter->mapToGlobal(QPoint(9, 9)));
  QApplication::sendEvent(m_scatter.get(), &wish);
  auto *menu = m_scatter->findChild<QMenu *>("plotMenu");
  QVERIFY(menu);
  const auto action = [&](const char *name) { return menu->findChild<QAction *>(name); };
  QVERIFY(!action("zoom-back")->isEnabled());
  QVERIFY(!action("fit")->isEnabled());
  action("zoom-in")->trigger();
  QVERIFY(m_scatter->zoom().now());
  QSignalSpy told(m_scatter.get(), &PlotView::told);
  action("plotSave")->trigger();
  auto *dialog = m_scatter->findChild<QFileDialog *>("plotSaveDialog");
  QVERIFY(dialog);
  const QString path = m_folder.filePath("from the menu.pdf");
  emit dialog->fileSelected(path);
  QCOMPARE(told.size(), 1);
  QVERIFY(told[0][0].toString().contains("from the menu.pdf"));
  QVERIFY(!told[0][1].toBool());
  QVERIFY(QFile::exists(path));
  dialog->reject();
  menu->close();
}

QByteArray TestPlot::saved(PlotView &chart, const QString &name) {
  const QString path = m_folder.filePath(name);
  if (!chart.savePicture(path)) return {};
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TestPlot::picturesAreWritten() {
  for (PlotView *chart : charts()) {
    const QByteArray pdf = saved(*chart, "chart.pdf");
    QVERIFY(pdf.startsWith("%PDF"));
    QVERIFY(pdf.contains("/Font"));               // text is text, not outlines
    QVERIFY(pdf.contains("MediaBox [0 0 300.0")); // 400×240 pixels, in points
    const QByteArray svg = saved(*chart, "chart.svg");
    QVERIFY(svg.contains("<svg") && svg.contains("<text"));
    QVERIFY(svg.contains(chart->accessibleName().toUtf8()));
    const QImage png = QImage::fromData(saved(*chart, "chart.png"), "PNG");
    QCOMPARE(png.size(), chart->size() * 2);
  }
  QVERIFY(saved(*m_scatter, "scatter.svg").contains("predicted"));
}

// A saved picture is light even if the window is dark, and has no focus frame.
void TestPlot::picturesAreLight() {
  const QByteArray light = saved(*m_scatter, "light.svg");
  applyAppearance(Appearance::Dark, false);
  m_scatter->setFocus();
  QTRY_VERIFY(isDark(m_scatter->palette()));
  QCOMPARE(saved(*m_scatter, "dark.svg"), light);
  const QColor corner = m_scatter->grab().toImage().pixelColor(4, 4);
  QVERIFY(corner.lightness() < 100); // the window is still dark
}

void TestPlot::saysWhyAPictureCannotBeWritten() {
  const Status saved = m_scatter->savePicture("/proc/none/chart.pdf");
  QVERIFY(!saved);
  QVERIFY(QString::fromStdString(saved.error().message).contains("/proc/none"));
}

void TestPlot::refusesOtherFormats() {
  for (const char *name : {"chart.jpg", "chart"}) {
    const QString path = m_folder.filePath(QLatin1String(name));
    const Status saved = m_scatter->savePicture(path);
    QVERIFY(!saved);
    QCOMPARE(QString::fromStdString(saved.error().message),
             path + " does not end in .pdf, .svg or .png.");
    QVERIFY(!QFile::exists(path));
  }
  QVERIFY(saved(*m_scatter, "CHART.PDF").startsWith("%PDF"));
}

// A chart without an area has no pixels.
void TestPlot::saysWhenNothingCouldBeDrawn() {
  QWidget parent;
  TimeScatter chart(&parent);
  chart.setPoints(m_scatter->points());
  chart.resize(0, 0);
  const QString path = m_folder.filePath("nothing.png");
  const Status saved = chart.savePicture(path);
  QVERIFY(!saved);
  QVERIFY(QString::fromStdString(saved.error().message).contains("PNG"));
  QVERIFY(!QFile::exists(path));
}

void TestPlot::screenReadersAreTold() {
  for (PlotView *chart : charts()) {
    QAccessibleInterface *told = QAccessible::queryAccessibleInterface(chart);
    QVERIFY(told);
    QCOMPARE(told->role(), QAccessible::Chart);
    QVERIFY(!told->text(QAccessible::Name).isEmpty());
    QVERIFY(!told->text(QAccessible::Description).isEmpty());
    QCOMPARE(told->childCount(), 0); // QCustomPlot's own widget is hidden
    QCOMPARE(chart->focusPolicy(), Qt::StrongFocus);
  }
}

void TestPlot::anotherThemeIsDrawn() {
  for (PlotView *chart : charts()) {
    const QImage light = chart->grab().toImage();
    QCOMPARE(light.pixelColor(3, 3), lightPalette().color(QPalette::Base));
  }
  applyAppearance(Appearance::Dark, false);
  for (PlotView *chart : charts()) {
    QTRY_VERIFY(isDark(chart->palette()));
    QCOMPARE(chart->grab().toImage().pixelColor(3, 3), darkPalette().color(QPalette::Base));
  }
}

void TestPlot::anEmptyChartHasNothing() {
  emptyAll();
  for (PlotView *chart : charts()) {
    wheel(*chart, QPointF(100, 100), 2);
    QTest::keyClick(chart, Qt::Key_Plus);
    QTest::keyClick(chart, Qt::Key_Right);
    QTest::mouseClick(chart, Qt::LeftButton, {}, QPoint(100, 100));
    QVERIFY(!chart->zoom().now());
    QImage all(chart->size(), QImage::Format_RGB32);
    all.fill(lightPalette().color(QPalette::Base));
    QCOMPARE(chart->grab().toImage().convertToFormat(QImage::Format_RGB32).pixel(200, 120),
             all.pixel(200, 120));
  }
}

QTEST_MAIN(TestPlot)
#include "tst_plot.moc"
