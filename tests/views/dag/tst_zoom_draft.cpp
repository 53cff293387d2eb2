// SPDX-License-Identifier: GPL-3.0-or-later
// Quick steps of a zoom are drafts, and what rests is smooth.
#include "views/dag/zoom_draft.h"

#include <QGraphicsRectItem>
#include <QGraphicsScene>
#include <QGraphicsView>
#include <QImage>
#include <QPainter>
#include <QTest>

#include <memory>

using namespace tessera::views;

namespace {

// Remembers how it was asked to paint.
class Probe : public QGraphicsRectItem {
public:
  using QGraphicsRectItem::QGraphicsRectItem;
  void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override {
    wasDraft = isDraft(*painter);
  }
  bool wasDraft = false;
};

} // namespace

class TestZoomDraft : public QObject {
  Q_OBJECT
private slots:
  void init();
  void oneStepIsWhole();
  void quickStepsAreDraftsUntilItRests();
  void ofFewNodesNothingIsLeftOut();
  void filesAreWhole();

private:
  std::unique_ptr<QGraphicsScene> m_scene;
  std::unique_ptr<QGraphicsView> m_view;
  Probe *m_probe = nullptr;
  ZoomDraft *m_draft = nullptr;
};

void TestZoomDraft::init() {
  m_view.reset();
  m_scene = std::make_unique<QGraphicsScene>();
  m_probe = new Probe(0, 0, 50, 50);
  m_scene->addItem(m_probe);
  m_view = std::make_unique<QGraphicsView>(m_scene.get());
  m_draft = new ZoomDraft(*m_view);
  m_view->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
}

void TestZoomDraft::oneStepIsWhole() {
  m_draft->zoomed(ZoomDraft::kManyNodes);
  m_view->viewport()->repaint();
  QVERIFY(!m_probe->wasDraft);
}

void TestZoomDraft::quickStepsAreDraftsUntilItRests() {
  m_draft->zoomed(ZoomDraft::kManyNodes);
  m_draft->zoomed(ZoomDraft::kManyNodes);
  QVERIFY(m_draft->isActive());
  m_view->viewport()->repaint();
  QVERIFY(m_probe->wasDraft);
  QTRY_VERIFY(!m_draft->isActive());
  QTRY_VERIFY(!m_probe->wasDraft); // painted anew by itself
}

void TestZoomDraft::ofFewNodesNothingIsLeftOut() {
  for (int i = 0; i < 3; ++i)
    m_draft->zoomed(ZoomDraft::kManyNodes - 1);
  QVERIFY(!m_draft->isActive());
}

void TestZoomDraft::filesAreWhole() {
  m_draft->zoomed(ZoomDraft::kManyNodes);
  m_draft->zoomed(ZoomDraft::kManyNodes);
  m_view->viewport()->repaint();
  QVERIFY(m_probe->wasDraft);
  QImage image(100, 100, QImage::Format_ARGB32_Premultiplied);
  QPainter painter(&image);
  m_scene->render(&painter);
  QVERIFY(!m_probe->wasDraft);
}

QTEST_MAIN(TestZoomDraft)
#include "tst_zoom_draft.moc"
