// SPDX-License-Identifier: GPL-3.0-or-later
// Edits decisions on the DAG with pointer and keys: drag to fuse, drag out to split, the menu of a
// stage.
#include "../real_services.h"
#include "../test_pipelines.h"
#include "views/dag/dag_editor.h"
#include "views/dag/drag_item.h"
#include "views/dag/mini_map.h"
#include "views/dag/stage_menu.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace tessera;
using namespace tessera::views;
using document::Move;

class TestDagEditor : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup() { m_window.reset(); }

  void fusesWhatIsDropped_data() { samples(); }
  void fusesWhatIsDropped();
  void splitsWhatIsDroppedOutside_data() { samples(); }
  void splitsWhatIsDroppedOutside();
  void menuDoesTheSame_data() { samples(); }
  void menuDoesTheSame();
  void escapeLeavesAllAsItIs();
  void refusalsAreSaid();
  void withoutAScheduleTheDagMoves();
  void costIsSwitched();
  void mapShowsAndMovesTheView();

private:
  static void samples();
  bool open(const QString &sample);
  DagPanel &dag() { return m_window->dag(); }
  DagEditor &editor() { return m_window->dagEditor(); }
  DocumentFlow &documents() { return m_window->documents(); }
  bool isSettled();
  // Finds a node that has a legal move of this kind, and returns the node and the move.
  std::optional<std::pair<std::uint32_t, Move>> movable(Move::Kind kind);
  std::optional<QPoint> inKernel(int kernel, std::uint32_t butNot);
  QPoint pixelOf(std::uint32_t node);
  void show(std::uint32_t node);
  void press(QPoint at);
  void dragTo(QPoint at);
  void release(QPoint at);
  std::set<int> kernelsOf(std::uint32_t node) {
    const std::vector<int> &kernels = dag().scene().places()[node].kernels;
    return {kernels.begin(), kernels.end()};
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<MainWindow> m_window;
};

void TestDagEditor::samples() {
  QTest::addColumn<QString>("sample");
  for (const char *name : {"harris", "local_laplacian", "synthetic100"})
    QTest::newRow(name) << name;
}

void TestDagEditor::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  m_window = std::make_unique<MainWindow>(views::test::realServices(m_folder->path()), *m_settings);
  m_window->resize(1500, 950);
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
  QApplication::setActiveWindow(m_window.get());
}

bool TestDagEditor::isSettled() {
  return QTest::qWaitFor([&] { return m_window->bridge().running().empty() && dag().isDrawn(); },
                         60'000);
}

// Opens a sample with its default schedule, in which every func is a kernel of its own.
bool TestDagEditor::open(const QString &sample) {
  if (!QFile::exists(views::test::kBin + "/tessera-halide") ||
      !QFile::exists(views::test::kSamples + "/" + sample + ".hlpipe"))
    return false;
  m_window->openFile(views::test::kSamples + "/" + sample + ".hlpipe");
  if (!QTest::qWaitFor(
          [&] { return documents().hasDocument() && !documents().document().candidates().empty(); },
          60'000))
    return false;
  documents().load(documents().document().candidates().front()->id);
  return QTest::qWaitFor([&] { return m_window->schedule().shown() != nullptr; }, 60'000) &&
         isSettled();
}

#define OPEN(sample)                                                                               \
  if (!open(sample)) QSKIP("the samples or tessera-halide are not built")

std::optional<std::pair<std::uint32_t, Move>> TestDagEditor::movable(Move::Kind kind) {
  const ShownSchedulePtr shown = m_window->schedule().shown();
  const auto &nodes = dag().scene().graph()->nodes;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    if (nodes[node].kind <= StageKind::Scalar || nodes[node].isOutput) continue;
    MoveFinder finder(m_window->schedule(), m_window->bridge());
    if (!finder.look(nodes[node].title)) continue;
    if (!QTest::qWaitFor([&] { return !finder.isLooking(); }, 60'000)) continue;
    for (const Move &move : finder.moves())
      if (move.kind == kind && move.isLegal() && move.moved == nodes[node].title.toStdString() &&
          (kind != Move::Kind::Fuse || inKernel(move.kernel, node)))
        return std::pair(node, move);
  }
  return std::nullopt;
}

QPoint TestDagEditor::pixelOf(std::uint32_t node) {
  return dag().view().mapFromScene(dag().scene().geometry().nodes[node].center());
}

// A node of the kernel, other than `butNot`.
std::optional<QPoint> TestDagEditor::inKernel(int kernel, std::uint32_t butNot) {
  for (const KernelHull &hull : *dag().scene().hulls())
    if (std::ranges::find(hull.group.kernels, kernel) != hull.group.kernels.end())
      for (const std::uint32_t node : hull.group.nodes)
        if (node != butNot) return pixelOf(node);
  return std::nullopt;
}

// Zooms out until the whole DAG is in view.
void TestDagEditor::show(std::uint32_t) { dag().view().fit(); }

void TestDagEditor::press(QPoint at) {
  QTest::mousePress(dag().view().viewport(), Qt::LeftButton, {}, at);
}

void TestDagEditor::dragTo(QPoint at) {
  QWidget *viewport = dag().view().viewport();
  QMouseEvent move(QEvent::MouseMove, at, viewport->mapToGlobal(QPointF(at)), Qt::NoButton,
                   Qt::LeftButton, {});
  QCoreApplication::sendEvent(viewport, &move);
}

void TestDagEditor::release(QPoint at) {
  QTest::mouseRelease(dag().view().viewport(), Qt::LeftButton, {}, at);
}

void TestDagEditor::fusesWhatIsDropped() {
  QFETCH(const QString, sample);
  OPEN(sample);
  const auto found = movable(Move::Kind::Fuse);
  QVERIFY(found);
  const auto &[node, move] = *found;
  show(node);
  const schedule::Schedule before = m_window->schedule().shown()->found.schedule;
  const QPoint from = pixelOf(node), to = *inKernel(move.kernel, node);
  press(from);
  dragTo(from + QPoint(0, QApplication::startDragDistance() + 2));
  QVERIFY(editor().dragged());
  dragTo(to);
  QTRY_VERIFY(!editor().finder().isLooking());
  // A legal target is marked with the move's effect before the drop.
  QCOMPARE(editor().dragged()->title(), MoveFinder::description(move));
  QVERIFY(editor().dragged()->effect().startsWith(editor().finder().effect(move)));
  release(to);
  QVERIFY(!editor().dragged());
  QCOMPARE(documents().undoName(), MoveFinder::nameFor(move));
  QTRY_VERIFY(m_window->schedule().shown()->found.schedule == move.choice->after);
  QCOMPARE(m_window->schedule().shown()->found.prediction.seconds, move.choice->seconds);
  QVERIFY(isSettled());
  // The move is one step of the history, so it is undone at once.
  QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
  QTRY_VERIFY(m_window->schedule().shown()->found.schedule == before);
}

void TestDagEditor::splitsWhatIsDroppedOutside() {
  QFETCH(const QString, sample);
  OPEN(sample);
  // A func has to be inside of another kernel before it can be split out.
  const auto fusing = movable(Move::Kind::Fuse);
  QVERIFY(fusing);
  documents().edit("fuse", document::chosen(*fusing->second.choice));
  QTRY_COMPARE(m_window->schedule().shown()->found.schedule, fusing->second.choice->after);
  QVERIFY(isSettled());
  const std::uint32_t node = fusing->first;
  show(node);
  const std::size_t kernels = m_window->schedule().shown()->found.prediction.kernels.size();
  const QPoint from = pixelOf(node), outside(4, 4);
  QVERIFY(!hullAt(*dag().scene().hulls(), dag().view().mapToScene(outside)));
  press(from);
  dragTo(from + QPoint(0, QApplication::startDragDistance() + 2));
  dragTo(outside);
  // The finder has not found this move yet. The editor makes the move as soon as it is found.
  release(outside);
  QTRY_COMPARE(documents().undoName(),
               "Split " + dag().scene().graph()->nodes[node].title + " out");
  QTRY_COMPARE(m_window->schedule().shown()->found.prediction.kernels.size(), kernels + 1);
}

void TestDagEditor::menuDoesTheSame() {
  QFETCH(const QString, sample);
  OPEN(sample);
  const auto inlining = movable(Move::Kind::Inline);
  QVERIFY(inlining);
  const auto &[node, move] = *inlining;
  m_window->selection().select(dag().scene().graph()->nodes[node].subjects.front());
  dag().setFocus();
  const QPoint at = pixelOf(node);
  QContextMenuEvent key(QContextMenuEvent::Keyboard, at, dag().view().viewport()->mapToGlobal(at));
  QCoreApplication::sendEvent(dag().view().viewport(), &key);
  auto *menu = dag().findChild<StageMenu *>("stageMenu");
  QVERIFY(menu && menu->isVisible());
  auto *action = menu->findChild<QAction *>("moveInline");
  QTRY_VERIFY(action->isEnabled());
  QTRY_VERIFY(!editor().finder().isLooking());
  QVERIFY(action->text().endsWith(editor().finder().effect(move)));
  // Every kernel that the func could be fused into has an entry.
  for (const Move &other : editor().finder().moves())
    if (other.kind == Move::Kind::Fuse && other.isLegal())
      QVERIFY(menu->findChild<QAction *>(QString("moveInto%1").arg(other.kernel))->isEnabled());
  QCOMPARE(menu->size(), menu->sizeHint()); // it has grown with its entries
  for (QAction *entry : menu->actions())
    if (entry->isVisible()) QVERIFY(menu->rect().contains(menu->actionGeometry(entry)));
  QTest::keyClick(menu, Qt::Key_I);
  QTRY_COMPARE(documents().undoName(), MoveFinder::nameFor(move));
  QTRY_VERIFY(dag().scene().places()[node].isInlined);
  // The func is inlined already. The entry says so instead of calling the move illegal.
  QVERIFY(isSettled());
  QCoreApplication::sendEvent(dag().view().viewport(), &key);
  QAction *again = nullptr;
  for (auto *one : dag().findChildren<StageMenu *>("stageMenu"))
    if (one->isVisible()) again = one->findChild<QAction *>("moveInline");
  QVERIFY(again);
  QTRY_VERIFY2(again->text().endsWith("as it is now"), qPrintable(again->text()));
  QVERIFY(!again->isEnabled());
  QVERIFY(again->toolTip().endsWith("is inlined already"));
}

void TestDagEditor::escapeLeavesAllAsItIs() {
  OPEN("harris");
  const auto found = movable(Move::Kind::Fuse);
  QVERIFY(found);
  show(found->first);
  const QString before = documents().undoName();
  const QPoint from = pixelOf(found->first);
  press(from);
  dragTo(from + QPoint(0, 40));
  QVERIFY(editor().dragged());
  QTest::keyClick(&dag().view(), Qt::Key_Escape);
  QVERIFY(!editor().dragged());
  release(*inKernel(found->second.kernel, found->first));
  QCOMPARE(documents().undoName(), before);
}

void TestDagEditor::refusalsAreSaid() {
  OPEN("harris");
  QString said;
  connect(&editor(), &DagEditor::told, this, [&](const QString &note) { said = note; });
  const auto &nodes = dag().scene().graph()->nodes;
  const auto gray = std::ranges::find(nodes, QString("gray"), &DagNode::title) - nodes.begin();
  const auto output = std::ranges::find(nodes, true, &DagNode::isOutput) - nodes.begin();
  show(0);
  const QString before = documents().undoName();
  const QPoint from = pixelOf(std::uint32_t(gray)), to = pixelOf(std::uint32_t(output));
  press(from);
  dragTo(from + QPoint(0, 40));
  dragTo(to);
  QTRY_VERIFY(!editor().finder().isLooking());
  QCOMPARE(editor().dragged()->effect(), QString("no stage of the chosen kernel reads gray"));
  release(to);
  QVERIFY(said.contains("no stage of the chosen kernel reads gray"));
  QCOMPARE(documents().undoName(), before);
}

void TestDagEditor::withoutAScheduleTheDagMoves() {
  OPEN("harris");
  documents().undo();
  QTRY_VERIFY(!m_window->schedule().shown());
  dag().view().fit();
  const QPoint from = pixelOf(1);
  const QPointF under = dag().view().mapToScene(from);
  press(from);
  dragTo(from + QPoint(0, 40));
  QVERIFY(!editor().dragged());
  dragTo(from + QPoint(0, 60));
  release(from + QPoint(0, 60));
  QVERIFY(dag().view().mapToScene(from) != under);
}

void TestDagEditor::costIsSwitched() {
  OPEN("harris");
  dag().setFocus();
  double all = 0;
  for (const NodePlace &place : dag().scene().places())
    all += place.part;
  QVERIFY(std::abs(all - 1) < 1e-9);
  const QColor before = dag().scene().blockColor(1);
  QTest::keyClick(&dag().view(), Qt::Key_H);
  QCOMPARE(dag().scene().colouring(), Colouring::Cost);
  QVERIFY(dag().scene().blockColor(1) != before);
  QTest::keyClick(&dag().view(), Qt::Key_H);
  QCOMPARE(dag().scene().blockColor(1), before);
}

void TestDagEditor::mapShowsAndMovesTheView() {
  OPEN("local_laplacian");
  MiniMap &map = dag().map();
  dag().setFocus();
  const bool was = map.isVisible();
  QTest::keyClick(&dag().view(), Qt::Key_M);
  QCOMPARE(map.isVisible(), !was);
  if (was) QTest::keyClick(&dag().view(), Qt::Key_M);
  QTRY_VERIFY(map.height() > 100);
  dag().view().zoomTo(1);
  const QPoint at(map.width() / 2, map.height() * 3 / 4);
  QTest::mouseClick(&map, Qt::LeftButton, {}, at);
  QVERIFY(QLineF(map.frame().center(), at).length() < 3);
  const QPointF middle = dag().view().mapToScene(dag().view().viewport()->rect().center());
  QVERIFY(QLineF(map.toScene(at), middle).length() < 3);
  // A press at that place followed by a move of the mouse drags the frame.
  QTest::mousePress(&map, Qt::LeftButton, {}, at);
  QMouseEvent move(QEvent::MouseMove, at - QPoint(0, 50), map.mapToGlobal(at - QPoint(0, 50)),
                   Qt::NoButton, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&map, &move);
  QVERIFY(QLineF(map.frame().center(), at - QPoint(0, 50)).length() < 3);
}

QTEST_MAIN(TestDagEditor)
#include "tst_dag_editor.moc"
