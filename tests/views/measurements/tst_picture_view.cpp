// SPDX-License-Identifier: GPL-3.0-or-later
// A view of a picture: zoom by the wheel and the keys, move by dragging, numbers computed by hand.
#include "views/measurements/picture_view.h"

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <memory>

using namespace tessera::views;

class TestPictureView : public QObject {
  Q_OBJECT
private slots:
  void init();
  void fitsWhatItShows();
  void theWheelKeepsWhatIsPointedAt();
  void draggingMovesIt();
  void someOfItStaysInSight();
  void keysDoWhatTheMouseDoes();
  void aPictureOfTheSameSizeKeepsItsPlace();
  void tellsWhatIsPointedAt();
  void paintsThePixels();

private:
  void wheel(QPointF at, int delta);
  void drag(QPoint from, QPoint to);

  std::unique_ptr<PictureView> m_view;
};

// A picture of 100×50 pixels in a widget of 400×300: each pixel of the picture covers 4×4 pixels of
// the widget, and 50 rows of the widget stay free above and below.
void TestPictureView::init() {
  m_view = std::make_unique<PictureView>();
  m_view->resize(400, 300);
  m_view->QWidget::show();
  QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
  QImage image(100, 50, QImage::Format_RGB32);
  image.fill(Qt::black);
  image.setPixelColor(10, 20, Qt::red);
  m_view->show(withHalves(image));
}

void TestPictureView::wheel(QPointF at, int delta) {
  QWheelEvent event(at, m_view->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, {},
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(m_view.get(), &event);
  QVERIFY(event.isAccepted()); // accepted, so the event scrolls no other widget
}

void TestPictureView::drag(QPoint from, QPoint to) {
  QTest::mousePress(m_view.get(), Qt::LeftButton, {}, from);
  QTest::mouseMove(m_view.get(), (from + to) / 2);
  QTest::mouseMove(m_view.get(), to);
  QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, to);
}

void TestPictureView::fitsWhatItShows() {
  QCOMPARE(m_view->scale(), 4.0);
  QCOMPARE(m_view->placeOf({0, 0}), QPointF(2, 52));
  QCOMPARE(m_view->pixelAt({399, 249}), std::optional(QPoint(99, 49)));
  QVERIFY(!m_view->pixelAt({10, 49}));
  m_view->resize(200, 300);
  // The picture is fitted as long as nobody has zoomed or moved it.
  QTRY_COMPARE(m_view->scale(), 2.0);
}

void TestPictureView::theWheelKeepsWhatIsPointedAt() {
  const QPointF at(42, 132); // a place in pixel (10, 20) of the picture
  wheel(at, 120);
  QCOMPARE(m_view->scale(), 5.0);
  QCOMPARE(m_view->pixelAt(at), std::optional(QPoint(10, 20)));
  QCOMPARE(m_view->placeOf({10, 20}), at); // the pointer was at the middle of this pixel
  wheel(at, -240);                         // two steps of the wheel in one event
  QCOMPARE(m_view->scale(), 3.2);
  QCOMPARE(m_view->pixelAt(at), std::optional(QPoint(10, 20)));
  for (int i = 0; i < 60; ++i)
    wheel(at, 120);
  QCOMPARE(m_view->scale(), 64.0);
  QCOMPARE(m_view->pixelAt(at), std::optional(QPoint(10, 20)));
  for (int i = 0; i < 60; ++i)
    wheel(at, -120);
  QCOMPARE(m_view->scale(), 1.0); // 1 is the smallest scale
  wheel(at, 0);                   // a sideways wheel does not zoom
  QCOMPARE(m_view->scale(), 1.0);
}

void TestPictureView::draggingMovesIt() {
  const QPointF before = m_view->placeOf({10, 20});
  drag({200, 150}, {230, 110});
  QCOMPARE(m_view->placeOf({10, 20}), before + QPointF(30, -40));
  QCOMPARE(m_view->scale(), 4.0);
  QTest::mouseMove(m_view.get(), {50, 50}); // no button is down
  QCOMPARE(m_view->placeOf({10, 20}), before + QPointF(30, -40));
  m_view->resize(420, 300); // a picture that was moved is not fitted to a new size
  QCOMPARE(m_view->scale(), 4.0);
  QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, {5, 5});
  QCOMPARE(m_view->scale(), 4.2);
}

// After a drag to the limit, a corner of the picture is in the middle of the widget.
void TestPictureView::someOfItStaysInSight() {
  for (int i = 0; i < 6; ++i)
    drag({10, 10}, {390, 290});
  QCOMPARE(m_view->placeOf({0, 0}), QPointF(202, 152));
  for (int i = 0; i < 12; ++i)
    drag({390, 290}, {10, 10});
  QCOMPARE(m_view->placeOf({99, 49}), QPointF(198, 148));
}

void TestPictureView::keysDoWhatTheMouseDoes() {
  QTest::keyClick(m_view.get(), Qt::Key_Plus);
  QCOMPARE(m_view->scale(), 5.0);
  const QPointF before = m_view->placeOf({50, 25});
  QTest::keyClick(m_view.get(), Qt::Key_Left);
  QCOMPARE(m_view->placeOf({50, 25}), before + QPointF(48, 0));
  QTest::keyClick(m_view.get(), Qt::Key_Down);
  QCOMPARE(m_view->placeOf({50, 25}), before + QPointF(48, -48));
  QTest::keyClick(m_view.get(), Qt::Key_Minus);
  QCOMPARE(m_view->scale(), 4.0);
  QTest::keyClick(m_view.get(), Qt::Key_1);
  QCOMPARE(m_view->scale(), 1.0);
  QTest::keyClick(m_view.get(), Qt::Key_0);
  QCOMPARE(m_view->scale(), 4.0);
  QCOMPARE(m_view->placeOf({0, 0}), QPointF(2, 52));
}

void TestPictureView::aPictureOfTheSameSizeKeepsItsPlace() {
  wheel({42, 132}, 240);
  const QPointF place = m_view->placeOf({10, 20});
  m_view->show(withHalves(QImage(100, 50, QImage::Format_RGB32)));
  QCOMPARE(m_view->placeOf({10, 20}), place);
  m_view->show(withHalves(QImage(50, 100, QImage::Format_RGB32)));
  QCOMPARE(m_view->scale(), 3.0);
}

void TestPictureView::tellsWhatIsPointedAt() {
  QSignalSpy pointed(m_view.get(), &PictureView::pointedAt);
  QTest::mouseMove(m_view.get(), {42, 132});
  QTRY_VERIFY(!pointed.isEmpty());
  QCOMPARE(pointed.last()[0].value<std::optional<QPoint>>(), std::optional(QPoint(10, 20)));
  QTest::mouseMove(m_view.get(), {42, 10}); // beside the picture
  QTRY_COMPARE(pointed.last()[0].value<std::optional<QPoint>>(), std::optional<QPoint>());
}

void TestPictureView::paintsThePixels() {
  const auto colourAt = [&](QPoint place) { return m_view->grab().toImage().pixelColor(place); };
  QCOMPARE(colourAt({42, 132}), QColor(Qt::red));
  QCOMPARE(colourAt({46, 132}), QColor(Qt::black)); // the neighbouring pixel
  drag({200, 150}, {230, 110});
  QCOMPARE(colourAt({72, 92}), QColor(Qt::red));
  m_view->lookAt({10, 20}); // scale 8, with this pixel in the middle
  QCOMPARE(m_view->scale(), 8.0);
  QCOMPARE(m_view->placeOf({10, 20}), QPointF(200, 150));
}

QTEST_MAIN(TestPictureView)
#include "tst_picture_view.moc"
