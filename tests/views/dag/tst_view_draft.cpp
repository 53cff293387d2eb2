// SPDX-License-Identifier: GPL-3.0-or-later
// While everything is repainted the picture is a draft. At rest it is smooth.
#include "views/dag/view_draft.h"

#include <QElapsedTimer>
#include <QGraphicsRectItem>
#include <QGraphicsScene>
#include <QGraphicsView>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace tessera::views;

namespace {

// Records whether it was painted as a draft or a sketch.
class Probe : public QGraphicsRectItem {
public:
  using QGraphicsRectItem::QGraphicsRectItem;
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override {
    wasDraft = isDraft(*painter);
    wasSketch = isSketch(*painter);
  }
  bool wasDraft = false, wasSketch = false;
};

// A view whose draft behaves like that of DagView.
class DraftedView : public QGraphicsView {
public:
  using QGraphicsView::QGraphicsView;
  ViewDraft draft;

protected:
  void drawBackground(QPainter *painter, const QRectF &rect) override {
    draft.mark(*painter);
    QGraphicsView::drawBackground(painter, rect);
  }
  void paintEvent(QPaintEvent *event) override {
    QGraphicsView::paintEvent(event);
    draft.painted();
  }
};

} // namespace

class TestViewDraft : public QObject {
  Q_OBJECT
private slots:
  void init();
  void oneChangeIsADraftForOneFrame();
  void quickChangesAreDraftsUntilTheyRest();
  void ofFewNodesNothingIsLeftOut();
  void otherColoursAreASketch();
  void filesAreWhole();

private:
  std::unique_ptr<QGraphicsScene> m_scene;
  std::unique_ptr<DraftedView> m_view;
  Probe *m_probe = nullptr;
};

void TestViewDraft::init() {
  m_view.reset();
  m_scene = std::make_unique<QGraphicsScene>();
  m_probe = new Probe(0, 0, 50, 50);
  m_scene->addItem(m_probe);
  m_view = std::make_unique<DraftedView>(m_scene.get());
  m_view->setOptimizationFlags(QGraphicsView::DontSavePainterState); // as in DagView
  m_view->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
}

void TestViewDraft::oneChangeIsADraftForOneFrame() {
  QSignalSpy ended(&m_view->draft, &ViewDraft::ended);
  m_view->draft.begin(ViewDraft::kManyNodes);
  m_view->viewport()->repaint();
  QVERIFY(m_probe->wasDraft);
  QElapsedTimer clock;
  clock.start();
  QVERIFY(ended.wait());
  QVERIFY2(clock.elapsed() < ViewDraft::kRestMilliseconds, "it waited for more to come");
  m_view->viewport()->repaint();
  QVERIFY(!m_probe->wasDraft);
}

void TestViewDraft::quickChangesAreDraftsUntilTheyRest() {
  QSignalSpy ended(&m_view->draft, &ViewDraft::ended);
  m_view->draft.begin(ViewDraft::kManyNodes);
  m_view->draft.begin(ViewDraft::kManyNodes);
  m_view->viewport()->repaint();
  QCoreApplication::processEvents();
  QVERIFY(m_view->draft.isActive());
  QCOMPARE(ended.count(), 0);
  QVERIFY(ended.wait());
  QVERIFY(!m_view->draft.isActive());
  m_view->viewport()->repaint();
  QVERIFY(!m_probe->wasDraft);
}

void TestViewDraft::ofFewNodesNothingIsLeftOut() {
  for (int i = 0; i < 3; ++i)
    m_view->draft.begin(ViewDraft::kManyNodes - 1);
  QVERIFY(!m_view->draft.isActive());
}

void TestViewDraft::otherColoursAreASketch() {
  m_view->draft.begin(ViewDraft::kManyNodes, ViewDraft::Kind::Sketch);
  m_view->viewport()->repaint();
  QVERIFY(m_probe->wasDraft && m_probe->wasSketch);
  m_view->draft.begin(ViewDraft::kManyNodes); // another zoom step comes before the draft has ended
  m_view->viewport()->repaint();
  QVERIFY(m_probe->wasDraft && !m_probe->wasSketch);
  QTRY_VERIFY(!m_view->draft.isActive());
  m_view->viewport()->repaint();
  QVERIFY(!m_probe->wasDraft && !m_probe->wasSketch);
}

void TestViewDraft::filesAreWhole() {
  m_view->draft.begin(ViewDraft::kManyNodes);
  m_view->viewport()->repaint();
  QVERIFY(m_probe->wasDraft);
  QImage image(100, 100, QImage::Format_ARGB32_Premultiplied);
  QPainter painter(&image);
  m_scene->render(&painter);
  QVERIFY(!m_probe->wasDraft);
}

QTEST_MAIN(TestViewDraft)
#include "tst_view_draft.moc"
