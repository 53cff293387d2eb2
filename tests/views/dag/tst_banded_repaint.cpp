// SPDX-License-Identifier: GPL-3.0-or-later
// A large DAG that changes its look is painted band by band and completely, also while it is
// panned.
#include "../test_pipelines.h"
#include "views/dag/dag_panel.h"
#include "views/flows/bridge.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QImage>
#include <QPaintEvent>
#include <QTest>

#include <algorithm>
#include <functional>
#include <memory>

using namespace tessera;
using namespace tessera::views;

namespace {

// Records which parts of a viewport are painted, event by event.
class Paints : public QObject {
public:
  explicit Paints(QWidget &viewport) : m_viewport(viewport) { viewport.installEventFilter(this); }

  void start() {
    left = m_viewport.rect();
    largest = 0;
  }

  QRegion left;       // not yet painted
  double largest = 0; // the largest part of the viewport that one event painted

private:
  bool eventFilter(QObject *watched, QEvent *event) override {
    if (event->type() == QEvent::Paint) {
      const QRegion &region = static_cast<QPaintEvent *>(event)->region();
      left -= region;
      double area = 0;
      for (const QRect &rect : region)
        area += double(rect.width()) * rect.height();
      largest = std::max(largest, area / (double(m_viewport.width()) * m_viewport.height()));
    }
    return QObject::eventFilter(watched, event);
  }

  QWidget &m_viewport;
};

} // namespace

class TestBandedRepaint : public QObject {
  Q_OBJECT
private slots:
  void anotherScheduleComesInBands();
  void aPanInBetweenLeavesNothingOut();
  void aZoomIsADraftAndThenBands();
  void otherColoursAreADraftAndThenBands();
  void ofFewNodesItIsOnePaint();

private:
  void open(std::uint32_t funcs);
  void showAnother();
  void isPaintedTwice(const std::function<void()> &change);

  Bridge m_bridge;
  Selection m_selection;
  std::unique_ptr<DagPanel> m_panel;
  std::unique_ptr<Paints> m_paints;
  ShownSchedulePtr m_schedule;
  int m_turns = 0;
};

void TestBandedRepaint::open(std::uint32_t funcs) {
  m_panel = std::make_unique<DagPanel>(m_selection, m_bridge, DagLayouter::Graphviz());
  m_panel->resize(900, 700);
  const pipeline::PipelinePtr pipeline = test::layeredPipeline(funcs, 1);
  m_panel->setPipeline(pipeline);
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
  QTRY_VERIFY(m_panel->isLaidOut());
  m_schedule = showSchedule(test::defaultFound(pipeline), "h200");
  m_panel->showSchedule(m_schedule);
  QTRY_VERIFY(m_panel->isDrawn() && !m_panel->view().isRepainting());
  QCoreApplication::processEvents();
  m_paints = std::make_unique<Paints>(*m_panel->view().viewport());
}

// Shows another schedule, in which the kernels are rotated among the nodes.
void TestBandedRepaint::showAnother() {
  ShownSchedule other = *m_schedule;
  std::ranges::rotate(other.places, other.places.begin() + ++m_turns);
  m_paints->start();
  m_panel->showSchedule(std::make_shared<const ShownSchedule>(other), DagPanel::Stage::Provisional);
}

void TestBandedRepaint::anotherScheduleComesInBands() {
  open(400);
  showAnother();
  QVERIFY(m_panel->view().isRepainting());
  QTRY_VERIFY(!m_panel->view().isRepainting());
  QVERIFY(m_paints->left.isEmpty());
  QVERIFY2(m_paints->largest <= 1.5 / BandedRepaint::kBands,
           qPrintable(QString::number(m_paints->largest)));
  // If a schedule is shown while another one is still being painted, the repaint goes on with the
  // next band, until all bands are painted.
  showAnother();
  QTRY_VERIFY(m_paints->largest > 0);
  showAnother();
  QTRY_VERIFY(!m_panel->view().isRepainting());
  QVERIFY(m_paints->left.isEmpty());
}

void TestBandedRepaint::aPanInBetweenLeavesNothingOut() {
  open(400);
  m_panel->view().zoomTo(0.7);
  QTRY_VERIFY(!m_panel->view().isRepainting());
  QCoreApplication::processEvents();
  for (const QPoint step : {QPoint(40, 0), QPoint(-30, 60), QPoint(0, -200), QPoint(700, 500)}) {
    showAnother();
    QTRY_VERIFY(m_paints->largest > 0); // the first band has been painted
    const QRect all = m_panel->view().viewport()->rect();
    m_panel->view().panBy(step);
    // Painted and unpainted pixels move with the pan. Pixels that come in at the edges have to be
    // painted.
    m_paints->left = (m_paints->left.translated(-step.x(), -step.y()) & all) +
                     QRegion(all).subtracted(QRegion(all.translated(-step.x(), -step.y())));
    QTRY_VERIFY(!m_panel->view().isRepainting() && m_paints->left.isEmpty());
  }
}

// Expects that `change` first paints the whole viewport at once, and then once more in bands.
void TestBandedRepaint::isPaintedTwice(const std::function<void()> &change) {
  m_paints->start();
  change();
  QTRY_VERIFY(m_paints->left.isEmpty());
  QVERIFY(m_panel->view().isRepainting());
  m_paints->start();
  QTRY_VERIFY(!m_panel->view().isRepainting());
  QVERIFY(m_paints->left.isEmpty());
  QVERIFY2(m_paints->largest <= 1.5 / BandedRepaint::kBands,
           qPrintable(QString::number(m_paints->largest)));
}

void TestBandedRepaint::aZoomIsADraftAndThenBands() {
  open(400);
  isPaintedTwice([this] { m_panel->view().zoomTo(0.9); });
  isPaintedTwice([this] {
    for (int i = 0; i < 3; ++i)
      m_panel->view().zoomBy(1.1);
  });
}

void TestBandedRepaint::otherColoursAreADraftAndThenBands() {
  open(400);
  const QPalette before = QApplication::palette();
  isPaintedTwice([] { applyAppearance(Appearance::Dark, false); });
  const QImage dark = m_panel->view().viewport()->grab().toImage();
  QVERIFY(dark.pixelColor(3, 3).lightness() < 128);
  QApplication::setPalette(before);
}

void TestBandedRepaint::ofFewNodesItIsOnePaint() {
  open(40);
  showAnother();
  QVERIFY(!m_panel->view().isRepainting());
  QTRY_VERIFY(m_paints->left.isEmpty());
  QCOMPARE(m_paints->largest, 1.0);
}

QTEST_MAIN(TestBandedRepaint)
#include "tst_banded_repaint.moc"
