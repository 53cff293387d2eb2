// SPDX-License-Identifier: GPL-3.0-or-later
// The footprint dock on real samples: levels, loops, tiles, and the edges of the tile, with pointer
// and keys.
#include "../real_services.h"
#include "views/footprint/edge_handle.h"
#include "views/footprint/footprint_panel.h"
#include "views/footprint/footprint_view.h"
#include "views/footprint/tile_drag.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QSettings>
#include <QSlider>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace tessera;
using namespace tessera::views;
using footprint::Level;

class TestFootprintPanel : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup() { m_window.reset(); }

  void levelsAndLoopsAreChosen_data() { samples(); }
  void levelsAndLoopsAreChosen();
  void slidersLookAtOtherTiles();
  void aClickMarksAndSelects_data() { samples(); }
  void aClickMarksAndSelects();
  void draggingAnEdgeIsOneStep_data() { samples(); }
  void draggingAnEdgeIsOneStep();
  void keysMoveAnEdge_data() { samples(); }
  void keysMoveAnEdge();
  void escapeTakesBack();
  void aRefusedSizeSaysWhyAtTheHandle();
  void anEdgeThatIsFixedSaysWhy();
  void aSearchEndsADrag();
  void saysWhyItIsEmpty();
  void closedItMeasuresNothing();

private:
  static void samples();
  bool open(const QString &sample);
  bool isSettled() {
    return QTest::qWaitFor([&] { return m_window->bridge().running().empty(); }, 60'000);
  }
  // Chooses a kernel whose tile has an edge that can be moved across or down.
  bool chooseMovable(Qt::Orientation along);
  void press(EdgeHandle &handle) {
    QTest::mousePress(&handle, Qt::LeftButton, {}, handle.rect().center());
  }
  // Drags to where the tile would have this size.
  void dragTo(EdgeHandle &handle, double size);
  void release(EdgeHandle &handle) {
    QTest::mouseRelease(&handle, Qt::LeftButton, {}, handle.rect().center());
  }
  std::int64_t size(Qt::Orientation along);
  DocumentFlow &documents() { return m_window->documents(); }
  ScheduleFlow &schedule() { return m_window->schedule(); }
  FootprintView &view() { return m_panel->view(); }
  template <typename T>
  T &child(const char *name) {
    return *m_panel->findChild<T *>(name);
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<MainWindow> m_window;
  FootprintPanel *m_panel = nullptr;
};

void TestFootprintPanel::samples() {
  QTest::addColumn<QString>("sample");
  for (const char *name : {"harris", "local_laplacian", "synthetic100"})
    QTest::newRow(name) << name;
}

void TestFootprintPanel::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  m_window = std::make_unique<MainWindow>(views::test::realServices(m_folder->path()), *m_settings);
  m_window->resize(1500, 950);
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
  QApplication::setActiveWindow(m_window.get());
  m_panel = &m_window->footprint();
}

bool TestFootprintPanel::open(const QString &sample) {
  if (!QFile::exists(views::test::kBin + "/tessera-halide") ||
      !QFile::exists(views::test::kSamples + "/" + sample + ".hlpipe"))
    return false;
  m_window->openFile(views::test::kSamples + "/" + sample + ".hlpipe");
  if (!QTest::qWaitFor(
          [&] { return documents().hasDocument() && !documents().document().candidates().empty(); },
          60'000))
    return false;
  documents().load(documents().document().candidates().front()->id);
  if (!QTest::qWaitFor([&] { return schedule().shown() != nullptr; }, 60'000) || !isSettled())
    return false;
  m_window->findChild<QAction *>("goTo.footprint")->trigger();
  return QTest::qWaitFor([&] { return m_panel->isVisible() && m_panel->kernel(); }, 10'000);
}

#define OPEN(sample)                                                                               \
  if (!open(sample)) QSKIP("the samples or tessera-halide are not built")

bool TestFootprintPanel::chooseMovable(Qt::Orientation along) {
  ShownKernels &kernels = m_window->kernels();
  m_panel->setLevel(Level::Block);
  for (int kernel = 0; kernel < kernels.count(); ++kernel) {
    kernels.select(kernel);
    QCoreApplication::processEvents();
    const EdgeHandle &handle = view().handle(along);
    if (handle.isVisible() && !handle.isFixed()) return true;
  }
  return false;
}

void TestFootprintPanel::dragTo(EdgeHandle &handle, double wanted) {
  const FootprintCard &card = view().drawn().cards.front();
  const bool isAcross = handle.along() == Qt::Horizontal;
  // The handle keeps its present distance from the edge.
  const QPointF now = handle.geometry().center();
  const double scale = isAcross ? card.pixelsAcross : card.pixelsDown;
  const double by = (wanted - view().sizeAt(handle.along(), now)) * scale;
  const QPointF place = now + (isAcross ? QPointF(by, 0) : QPointF(0, by));
  const QPointF local = handle.mapFromParent(place);
  QMouseEvent move(QEvent::MouseMove, local, handle.mapToGlobal(local), Qt::NoButton,
                   Qt::LeftButton, {});
  QCoreApplication::sendEvent(&handle, &move);
}

std::int64_t TestFootprintPanel::size(Qt::Orientation along) {
  const FootprintAxes &axes = m_panel->axes();
  const std::uint32_t loop = along == Qt::Horizontal ? axes.across : axes.down.value_or(0);
  return m_panel->kernel()->tile(axes.level).sides[loop].range.extent();
}

void TestFootprintPanel::levelsAndLoopsAreChosen() {
  QFETCH(const QString, sample);
  OPEN(sample);
  auto &level = child<QComboBox>("footprintLevel");
  QCOMPARE(level.currentText(), levelText(Level::Block));
  for (int i = 0; i < level.count(); ++i) {
    level.setFocus();
    level.setCurrentIndex(i);
    const auto shown = Level(level.currentData().toInt());
    QCOMPARE(view().axes().level, shown);
    const footprint::Entry &output = m_panel->kernel()->entries.front();
    QCOMPARE(m_panel->table().model()->index(0, FootprintModel::Box).data().toString(),
             extentText(output.at(shown)));
  }
  auto &across = child<QComboBox>("footprintLoopAcross");
  auto &down = child<QComboBox>("footprintLoopDown");
  if (across.count() < 2) return;
  const QString first = across.currentText(), second = down.currentText();
  QVERIFY(first != second);
  across.setCurrentText(second); // the loop that is drawn down now, so the two swap
  QCOMPARE(down.currentText(), first);
  QCOMPARE(view().axes().across, 1U);
  QCOMPARE(view().axes().down, std::optional(0U));
}

void TestFootprintPanel::slidersLookAtOtherTiles() {
  OPEN("local_laplacian");
  ShownKernels &kernels = m_window->kernels();
  m_panel->setLevel(Level::Thread);
  for (int kernel = 0; kernel < kernels.count(); ++kernel) {
    kernels.select(kernel);
    QCoreApplication::processEvents();
    const QList<QSlider *> sliders = m_panel->findChildren<QSlider *>();
    if (sliders.isEmpty()) continue;
    QSlider &slider = *sliders.front();
    const QString loop = slider.objectName().section('_', 1);
    const auto side = [&] {
      const auto &loops = m_panel->kernel()->loops;
      const auto at = std::ranges::find(loops, loop.toStdString()) - loops.begin();
      return m_panel->kernel()->tile(Level::Thread).sides[std::size_t(at)];
    };
    const int other = slider.value() == 0 ? slider.maximum() : 0;
    slider.setValue(other);
    QCOMPARE(side().index, std::int64_t(other));
    QVERIFY(slider.toolTip().contains(QString::number(slider.maximum() + 1)));
    return;
  }
  QFAIL("no kernel has a third loop");
}

void TestFootprintPanel::aClickMarksAndSelects() {
  QFETCH(const QString, sample);
  OPEN(sample);
  const FootprintLayout layout = view().drawn();
  for (const FootprintCard &card : layout.cards) {
    QTest::mouseClick(&view(), Qt::LeftButton, {}, card.title.center().toPoint());
    QCOMPARE(m_panel->table().currentIndex().row(), int(card.entry));
  }
  // A click on the first row of the table selects the kernel's stage.
  QTest::mouseClick(m_panel->table().viewport(), Qt::LeftButton, {},
                    m_panel->table().visualRect(m_panel->table().model()->index(0, 0)).center());
  QVERIFY(m_window->selection().active());
  const pipeline::StageId active = m_window->selection().active()->stageId();
  QCOMPARE(documents().document().pipeline()->stageName(active), m_panel->kernel()->name);
}

void TestFootprintPanel::draggingAnEdgeIsOneStep() {
  QFETCH(const QString, sample);
  OPEN(sample);
  if (!chooseMovable(Qt::Vertical) && !chooseMovable(Qt::Horizontal)) QFAIL("no kernel has a tile");
  const Qt::Orientation along =
      view().handle(Qt::Vertical).isVisible() && !view().handle(Qt::Vertical).isFixed()
          ? Qt::Vertical
          : Qt::Horizontal;
  EdgeHandle &handle = view().handle(along);
  const schedule::Schedule before = schedule().shown()->found.schedule;
  const std::int64_t old = size(along);
  press(handle);
  QVERIFY(m_panel->drag().isActive());
  QTRY_VERIFY(!m_panel->drag().finder().isLooking());
  // Each size that is offered has a mark, and so has the present size.
  QCOMPARE(view().stops().size(), m_panel->drag().finder().options().size() + 1);
  int legal = 0;
  const std::vector<TileFinder::Option> options = m_panel->drag().finder().options();
  for (const TileFinder::Option &option : options) {
    dragTo(handle, double(option.size));
    if (!option.isLegal()) continue;
    ++legal;
    // The draft is shown at once, here and in all docks.
    QVERIFY(schedule().isDraft());
    QCOMPARE(schedule().shown(), option.shown);
    QCOMPARE(size(along), option.size);
    QCOMPARE(m_window->kernels().schedule(), option.shown);
    QVERIFY(child<QLabel>("footprintAnswer").text().contains(QString::number(option.size)));
  }
  QVERIFY(legal > 0);
  QVERIFY(documents().document().current() == before); // nothing has been decided yet
  dragTo(handle, double(old));
  QVERIFY(schedule().shown()->found.schedule == before);
  const auto chosen = std::ranges::find_if(options, &TileFinder::Option::isLegal);
  dragTo(handle, double(chosen->size));
  release(handle);
  QVERIFY(!schedule().isDraft());
  QVERIFY(!m_panel->drag().isActive());
  QVERIFY(view().stops().empty());
  QTRY_VERIFY(schedule().shown()->found.schedule == chosen->shown->found.schedule);
  QCOMPARE(size(along), chosen->size);
  QVERIFY(documents().document().current()->mark(chosen->decision).frozen);
  QVERIFY(isSettled());
  QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
  QTRY_VERIFY(schedule().shown()->found.schedule == before);
  QCOMPARE(size(along), old);
}

void TestFootprintPanel::keysMoveAnEdge() {
  QFETCH(const QString, sample);
  OPEN(sample);
  QVERIFY(chooseMovable(Qt::Horizontal));
  EdgeHandle &handle = view().handle(Qt::Horizontal);
  const std::int64_t old = size(Qt::Horizontal);
  handle.setFocus();
  QTest::keyClick(&handle, Qt::Key_Left);
  QTRY_VERIFY(!m_panel->drag().finder().isLooking());
  QVERIFY(schedule().isDraft());
  const std::int64_t smaller = size(Qt::Horizontal);
  QVERIFY(smaller < old);
  QTest::keyClick(&handle, Qt::Key_Right); // back to the size that it had
  QCOMPARE(size(Qt::Horizontal), old);
  QTest::keyClick(&handle, Qt::Key_Left);
  QCOMPARE(size(Qt::Horizontal), smaller);
  QTest::keyClick(&handle, Qt::Key_Return);
  QVERIFY(!schedule().isDraft());
  QTRY_COMPARE(size(Qt::Horizontal), smaller);
  QVERIFY(!documents().undoName().isEmpty());
}

void TestFootprintPanel::escapeTakesBack() {
  OPEN("harris");
  QVERIFY(chooseMovable(Qt::Horizontal));
  EdgeHandle &handle = view().handle(Qt::Horizontal);
  const ShownSchedulePtr before = schedule().shown();
  const QString step = documents().undoName();
  press(handle);
  QTRY_VERIFY(!m_panel->drag().finder().isLooking());
  for (const TileFinder::Option &option : m_panel->drag().finder().options())
    if (option.isLegal()) {
      dragTo(handle, double(option.size));
      break;
    }
  QVERIFY(schedule().isDraft());
  QTest::keyClick(&handle, Qt::Key_Escape);
  QVERIFY(!schedule().isDraft());
  QCOMPARE(schedule().shown(), before);
  release(handle); // the mouse button is released later
  QCOMPARE(schedule().shown(), before);
  QCOMPARE(documents().undoName(), step);
}

void TestFootprintPanel::aRefusedSizeSaysWhyAtTheHandle() {
  OPEN("harris");
  QVERIFY(chooseMovable(Qt::Horizontal));
  EdgeHandle &handle = view().handle(Qt::Horizontal);
  press(handle);
  QTRY_VERIFY(!m_panel->drag().finder().isLooking());
  const std::vector<TileFinder::Option> options = m_panel->drag().finder().options();
  const auto refused = std::ranges::find_if(
      options, [](const TileFinder::Option &option) { return !option.isLegal(); });
  QVERIFY(refused != options.end());
  const ShownSchedulePtr before = schedule().shown();
  dragTo(handle, double(refused->size));
  auto &why = child<QLabel>("footprintRefusal");
  QVERIFY(why.isVisible());
  QVERIFY(why.text().contains(refused->refusal));
  QVERIFY(view().rect().contains(why.geometry()));
  release(handle);
  QVERIFY(!schedule().isDraft());
  QVERIFY(schedule().shown()->found.schedule == before->found.schedule);
  QVERIFY(why.isVisible()); // until the next drag
}

void TestFootprintPanel::anEdgeThatIsFixedSaysWhy() {
  OPEN("harris");
  m_panel->setLevel(Level::Grid);
  EdgeHandle &handle = view().handle(Qt::Horizontal);
  QVERIFY(handle.isFixed());
  QVERIFY(!handle.toolTip().isEmpty());
  press(handle);
  QVERIFY(!m_panel->drag().isActive());
  QCOMPARE(child<QLabel>("footprintRefusal").text(), handle.toolTip());
}

void TestFootprintPanel::aSearchEndsADrag() {
  OPEN("harris");
  QVERIFY(chooseMovable(Qt::Horizontal));
  EdgeHandle &handle = view().handle(Qt::Horizontal);
  press(handle);
  QTRY_VERIFY(!m_panel->drag().finder().isLooking());
  documents().search("autogpu", "h200", DocumentFlow::Around::Nothing);
  QVERIFY(!schedule().isDraft());
  QVERIFY(!m_panel->drag().isActive());
  QTRY_VERIFY_WITH_TIMEOUT(!schedule().isRunning(), 60'000);
  release(handle);
  QVERIFY(!schedule().isDraft());
}

void TestFootprintPanel::saysWhyItIsEmpty() {
  FootprintPanel &panel = *m_panel;
  QVERIFY(!panel.kernel());
  QVERIFY(!panel.currentWidget()->findChild<QLabel *>()->text().isEmpty());
}

void TestFootprintPanel::closedItMeasuresNothing() {
  OPEN("harris");
  const KernelFootprintPtr before = m_panel->kernel();
  m_window->findChild<QDockWidget *>("footprint")->close();
  QVERIFY(!m_panel->isVisible());
  const int last = m_window->kernels().count() - 1;
  m_window->kernels().select(last == m_window->kernels().current() ? 0 : last);
  QCoreApplication::processEvents();
  QCOMPARE(m_panel->kernel(), before);
  m_window->findChild<QAction *>("goTo.footprint")->trigger();
  QTRY_VERIFY(m_panel->kernel() != before);
}

QTEST_MAIN(TestFootprintPanel)
#include "tst_footprint_panel.moc"
