// SPDX-License-Identifier: GPL-3.0-or-later
// The thread block in the window, on real samples: its numbers are those of the command line, and
// pointer and keys look at threads, elements and accesses, and pull the handles.
#include "../run_program.h"
#include "../real_services.h"
#include "views/block/access_view.h"
#include "views/block/block_panel.h"
#include "views/block/wave_view.h"
#include "engine/host/machines.h"
#include "views/text/stage_summary.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace tessera;
using namespace tessera::views;
using block::Duty;
using block::HandleKind;
using block::HandleStop;
using views::test::kBin;
using views::test::kSamples;

class TestBlockPanel : public QObject {
  Q_OBJECT
private slots:
  void initTestCase();
  void init() {
    QFETCH(QString, sample);
    open(sample);
  }
  void cleanup() { m_window.reset(); }

  void numbersAreThoseOfTheCommandLine_data() { samples(); }
  void numbersAreThoseOfTheCommandLine();
  void threadsAreChosenByPointerAndKeys_data() { samples(); }
  void threadsAreChosenByPointerAndKeys();
  void anElementLeadsToItsThread_data() { samples(); }
  void anElementLeadsToItsThread();
  void accessesAreChosenInTheTable_data() { samples(); }
  void accessesAreChosenInTheTable();
  void theGridSaysItsWaves_data() { samples(); }
  void theGridSaysItsWaves();
  void anEdgeIsPulledToALegalSize_data() { samples(); }
  void anEdgeIsPulledToALegalSize();
  void escapeLeavesAllAsItIs_data() { samples(); }
  void escapeLeavesAllAsItIs();
  void whatIsNotLegalSaysWhy_data() { samples(); }
  void whatIsNotLegalSaysWhy();
  void keysPullToo_data() { samples(); }
  void keysPullToo();
  void anotherStageIsChosen_data() { samples(); }
  void anotherStageIsChosen();
  void anOpenListOutlivesItsSchedule_data() { onlySample("harris"); }
  void anOpenListOutlivesItsSchedule();
  void aKernelOfOneThreadHasNothingToPull_data() { onlySample("synthetic100"); }
  void aKernelOfOneThreadHasNothingToPull();
  void sizesAreNeverThoseOfAnotherSchedule_data() { onlySample("harris"); }
  void sizesAreNeverThoseOfAnotherSchedule();

private:
  static void samples();
  static void onlySample(const char *sample);
  void open(const QString &sample);
  bool showsThreads();
  BlockPanel &panel() { return *m_window->findChild<BlockPanel *>(); }
  DocumentFlow &documents() { return m_window->documents(); }
  QJsonObject ask(const QStringList &more);
  // A handle that has another legal size, and that size.
  std::pair<SizeHandle *, const HandleStop *> pullable();
  std::vector<HandleStop> stopsOf(const SizeHandle &handle);
  static void drag(SizeHandle &handle, double to);
  static QPoint placeOf(const SizeHandle &handle, double value);
  void checkThreads(const QJsonObject &said);
  void checkAccesses(const QJsonObject &said);
  void checkGrid(const QJsonObject &said);

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<MainWindow> m_window;
  std::vector<HandleStop> m_stops; // those of the handle that pullable() found
  QString m_sample;
};

void TestBlockPanel::samples() {
  QTest::addColumn<QString>("sample");
  for (const char *name : {"harris", "local_laplacian", "synthetic100"})
    QTest::newRow(name) << name;
}

void TestBlockPanel::onlySample(const char *sample) {
  QTest::addColumn<QString>("sample");
  QTest::newRow(sample) << sample;
}

void TestBlockPanel::initTestCase() {
  for (const char *program : {"tessera-halide", "tessera-cli"})
    if (!QFile::exists(kBin + '/' + program)) QSKIP("the programs are not built");
  if (!QFile::exists(kSamples + "/synthetic100.hlpipe")) QSKIP("the samples are not built");
}

// Opens the default schedule, whose kernels have handles for threads, points and vectors.
void TestBlockPanel::open(const QString &sample) {
  m_folder = std::make_unique<QTemporaryDir>();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  m_window = std::make_unique<MainWindow>(views::test::realServices(m_folder->path()), *m_settings);
  m_window->resize(1500, 950);
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
  m_sample = kSamples + '/' + sample + ".hlpipe";
  m_window->openFile(m_sample);
  QTRY_VERIFY_WITH_TIMEOUT(
      documents().hasDocument() && !documents().document().candidates().empty(), 60'000);
  documents().load(documents().document().candidates().front()->id);
  QTRY_VERIFY_WITH_TIMEOUT(m_window->schedule().shown(), 60'000);
  QTRY_VERIFY_WITH_TIMEOUT(m_window->kernels().count() > 0, 60'000);
  m_window->findChild<QAction *>("goTo.block")->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(showsThreads(), 120'000);
}

// Whether the longest kernel that has several threads is shown with all its sizes. The longest of
// all kernels may be a histogram with a single thread. A choice of a kernel may be lost while the
// schedule is still being shown, so each call makes it again.
bool TestBlockPanel::showsThreads() {
  ShownKernels &kernels = m_window->kernels();
  int longest = -1;
  for (int k = 0; k < kernels.count(); ++k)
    if (kernels.kernel(k).load.stages.front().threads > 1 &&
        (longest < 0 || kernels.kernel(k).time.seconds > kernels.kernel(longest).time.seconds))
      longest = k;
  if (longest >= 0 && longest != kernels.current()) kernels.select(longest);
  return longest >= 0 && panel().knowsSizes() && panel().shown() &&
         panel().shown()->threads.all() > 1 && panel().stageName() == kernels.name(longest);
}

QJsonObject TestBlockPanel::ask(const QStringList &more) {
  const QString schedule = m_folder->filePath("shown.json");
  QFile::remove(schedule);
  documents().exportSchedule(schedule);
  if (!QTest::qWaitFor(
          [&] { return QFile::exists(schedule) && m_window->bridge().running().empty(); }, 60'000))
    return {};
  const auto cli = views::test::runProgram(kBin + "/tessera-cli",
                                           QStringList{"block", m_sample, "--schedule", schedule,
                                                       "--json", "--stage", panel().stageName()} +
                                               more);
  if (cli.exitCode != 0) {
    qWarning("%s", cli.errors.constData());
    return {};
  }
  return QJsonDocument::fromJson(cli.output).object();
}

void TestBlockPanel::numbersAreThoseOfTheCommandLine() {
  const QAbstractItemModelTester tester(panel().accessTable().model());
  const QJsonObject said = ask({"--thread", "1,0,0"});
  QVERIFY(!said.isEmpty());
  QCOMPARE(said["stage"].toString(), panel().stageName());
  checkThreads(said);
  checkAccesses(said);
  checkGrid(said["grid"].toObject());
  const QJsonArray handles = said["handles"].toArray();
  QCOMPARE(std::size_t(handles.size()), panel().handles().size());
  for (int h = 0; h < handles.size(); ++h) {
    const SizeHandle &handle = *panel().handles()[std::size_t(h)];
    QCOMPARE(handle.handle().value, handles[h]["size"].toInteger());
    QCOMPARE(QString::fromStdString(handle.handle().dim), handles[h]["along"].toString());
  }
}

void TestBlockPanel::checkThreads(const QJsonObject &said) {
  const block::ThreadBlock &block = panel().shown()->threads;
  const QJsonObject told = said["block"].toObject();
  for (int d = 0; d < 3; ++d)
    QCOMPARE(block.threads[std::size_t(d)], told["threads"][d].toInteger());
  QCOMPARE(block.warps(), told["warps"].toInteger());
  QCOMPARE(block.count(Duty::Computes), told["computing"].toInteger());
  QCOMPARE(block.count(Duty::Halo), told["halo_only"].toInteger());
  QCOMPARE(block.count(Duty::Idle), told["idle"].toInteger());
  QCOMPARE(block.points(), told["points"].toInteger());
  QCOMPARE(block.redundancy(), told["redundancy"].toDouble());
  const QString text = m_window->findChild<QLabel *>("blockSummary")->text();
  QVERIFY(text.contains(countText(told["warps"].toInteger())));
  QVERIFY(text.contains(countText(told["computing"].toInteger())));
  const auto owned = block.ownedBy({1, 0, 0});
  const QJsonArray elements = said["owned"]["elements"].toArray();
  QCOMPARE(std::size_t(elements.size()), owned.size());
  for (int e = 0; e < elements.size(); ++e)
    for (int d = 0; d < int(owned[std::size_t(e)].at.size()); ++d)
      QCOMPARE(owned[std::size_t(e)].at[std::size_t(d)], elements[e]["at"][d].toInteger());
}

void TestBlockPanel::checkAccesses(const QJsonObject &said) {
  const QAbstractItemModel &table = *panel().accessTable().model();
  const QJsonArray accesses = said["accesses"].toArray();
  QCOMPARE(table.rowCount(), int(accesses.size()));
  for (int row = 0; row < table.rowCount(); ++row) {
    const QJsonObject access = accesses[row].toObject();
    const auto number = [&](int column) {
      return table.index(row, column).data(AccessTableModel::SortRole).toDouble();
    };
    QCOMPARE(table.index(row, AccessTableModel::Array).data().toString(),
             access["array"].toString());
    QCOMPARE(number(AccessTableModel::Requests), access["requests"].toDouble());
    if (access.contains("sectors")) {
      QCOMPARE(number(AccessTableModel::Sectors), access["sectors"].toDouble());
      QCOMPARE(number(AccessTableModel::Lines), access["lines"].toDouble());
      QCOMPARE(number(AccessTableModel::Efficiency), access["efficiency"].toDouble());
    }
    if (access.contains("passes"))
      QCOMPARE(number(AccessTableModel::Passes), access["passes"].toDouble());
  }
  const QJsonArray addresses = said["pattern"]["addresses"].toArray();
  const auto &lanes = panel().shown()->accesses.front().lanes;
  QCOMPARE(std::size_t(addresses.size()), lanes.size());
  for (int lane = 0; lane < addresses.size(); ++lane)
    QCOMPARE(lanes[std::size_t(lane)].byte, addresses[lane]["byte"].toInteger());
}

void TestBlockPanel::checkGrid(const QJsonObject &said) {
  const block::GridWaves &grid = panel().shown()->grid;
  QCOMPARE(grid.all(), said["blocks"].toInteger());
  QCOMPARE(grid.perWave(), said["blocks_of_a_wave"].toInteger());
  QCOMPARE(grid.waves(), said["waves_begun"].toInteger());
  QCOMPARE(grid.tail(), said["tail_blocks"].toInteger());
  QCOMPARE(grid.filled(), said["filled"].toDouble());
  const QString text = m_window->findChild<QLabel *>("blockGrid")->text();
  QVERIFY(text.contains(countText(said["blocks"].toInteger())));
  QVERIFY(text.contains(countText(said["blocks_of_a_wave"].toInteger())));
}

void TestBlockPanel::threadsAreChosenByPointerAndKeys() {
  ThreadView &threads = panel().threads();
  const std::int64_t last = panel().shown()->threads.all() - 1;
  QTest::mouseClick(&threads, Qt::LeftButton, {}, threads.grid().cellOf(last).center().toPoint());
  QCOMPARE(threads.current(), last);
  const auto said = [&] { return m_window->findChild<QLabel *>("blockThread")->text(); };
  QVERIFY(said().startsWith(threads.textOf(last)));
  QTest::keyClick(&threads, Qt::Key_Home);
  QCOMPARE(threads.current(), 0);
  QTest::keyClick(&threads, Qt::Key_Right);
  QCOMPARE(threads.current(), 1);
  QTest::keyClick(&threads, Qt::Key_Left);
  QTest::keyClick(&threads, Qt::Key_Left); // stays at the edge
  QCOMPARE(threads.current(), 0);
  QTest::keyClick(&threads, Qt::Key_End);
  QCOMPARE(threads.current(), last);
  QVERIFY(!threads.accessibleDescription().isEmpty());
}

void TestBlockPanel::anElementLeadsToItsThread() {
  const block::OwnerMap &owners = panel().shown()->threads.owners();
  QVERIFY(!owners.threads.empty());
  const std::int32_t thread = owners.threads.back();
  const QRectF cell = panel().elements().grid().cellOf(owners.x.max, owners.y.max);
  QTest::mouseClick(&panel().elements(), Qt::LeftButton, {}, cell.center().toPoint());
  if (thread != block::OwnerMap::kNobody) QCOMPARE(panel().threads().current(), thread);
  QVERIFY(!panel().elements().tile().isEmpty() || thread == block::OwnerMap::kNobody);
}

void TestBlockPanel::accessesAreChosenInTheTable() {
  panel().showPage(BlockPanel::AccessPage);
  QTableView &table = panel().accessTable();
  const int last = table.model()->rowCount() - 1;
  QVERIFY(last >= 0);
  const QRect cell = table.visualRect(table.model()->index(last, AccessTableModel::Array));
  table.scrollTo(table.model()->index(last, 0));
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                    table.visualRect(table.model()->index(last, AccessTableModel::Array)).center());
  QVERIFY(!cell.isEmpty());
  QCOMPARE(table.currentIndex().row(), last);
  const block::WarpPattern &store = panel().shown()->accesses[std::size_t(last)];
  QVERIFY(store.load.isStore());
  const AccessRows &rows = panel().accessView().rows();
  if (store.load.space == cost::MemorySpace::Global) {
    QCOMPARE(rows.lines, store.lines());
    QCOMPARE(rows.sectors.size(), store.sectors().size());
  }
  const QString text = m_window->findChild<QLabel *>("blockAccess")->text();
  QVERIFY(text.contains(QString::fromStdString(store.array)));
  QTest::keyClick(&table, Qt::Key_Up);
  QCOMPARE(table.currentIndex().row(), std::max(0, last - 1));
}

void TestBlockPanel::theGridSaysItsWaves() {
  panel().showPage(BlockPanel::GridPage);
  const block::GridWaves &grid = panel().shown()->grid;
  QTRY_VERIFY(panel().waves().isVisible());
  QCoreApplication::processEvents();
  std::optional<std::int64_t> block;
  for (int x = 0; x < panel().waves().width() && !block; ++x)
    block = panel().waves().blockAt(QPointF(x, 8.01));
  QCOMPARE(block, std::optional<std::int64_t>(0));
  QVERIFY(panel().waves().textOf(grid.all() - 1).contains(countText(grid.waves())));
}

// ---- Handles

std::vector<HandleStop> TestBlockPanel::stopsOf(const SizeHandle &handle) {
  const ShownSchedulePtr shown = m_window->schedule().shown();
  const auto machine =
      host::machineFor(shown->machine.toStdString(), views::test::builtTools(m_folder->path()));
  if (!machine) return {};
  return block::stopsOf(shown->found.schedule, *machine, panel().shown()->threads.stage,
                        handle.handle());
}

std::pair<SizeHandle *, const HandleStop *> TestBlockPanel::pullable() {
  for (SizeHandle *handle : panel().handles()) {
    m_stops = stopsOf(*handle);
    for (const HandleStop &stop : m_stops)
      if (stop.isLegal() && stop.value != handle->handle().value) return {handle, &stop};
  }
  return {};
}

QPoint TestBlockPanel::placeOf(const SizeHandle &handle, double value) {
  const int away =
      int(std::lround((value - double(handle.handle().value)) * handle.pixelsPerUnit()));
  const QPoint middle = handle.rect().center();
  return handle.handle().blockDim == 0 ? middle + QPoint(away, 0) : middle + QPoint(0, away);
}

void TestBlockPanel::drag(SizeHandle &handle, double to) {
  const QPoint from = handle.rect().center(), place = placeOf(handle, to);
  QTest::mousePress(&handle, Qt::LeftButton, {}, from);
  QMouseEvent move(QEvent::MouseMove, place, handle.mapToGlobal(place), Qt::NoButton,
                   Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&handle, &move);
}

void TestBlockPanel::anEdgeIsPulledToALegalSize() {
  const auto [handle, stop] = pullable();
  QVERIFY(handle);
  const schedule::Schedule before = *documents().document().current();
  const auto kind = handle->handle().kind;
  const QString dim = QString::fromStdString(handle->handle().dim);
  drag(*handle, double(stop->value));
  QVERIFY(handle->asked());
  QCOMPARE(handle->asked()->value, stop->value);
  QVERIFY(panel().isTrying());
  QCOMPARE(panel().shown()->threads.threads, stop->block->threads.threads);
  QCOMPARE(panel().shown()->threads.points(), stop->block->threads.points());
  QVERIFY(m_window->findChild<QLabel *>("blockEffect")
              ->text()
              .contains(threeDigits(stop->seconds * 1e3)));
  QVERIFY(*documents().document().current() == before); // nothing is decided yet

  QTest::mouseRelease(handle, Qt::LeftButton, {}, placeOf(*handle, double(stop->value)));
  QVERIFY(*documents().document().current() == *stop->schedule);
  QTRY_VERIFY_WITH_TIMEOUT(!panel().isTrying() && panel().knowsSizes(), 60'000);
  QVERIFY(panel().handle(kind, dim));
  QCOMPARE(panel().handle(kind, dim)->handle().value, stop->value);
  // The drag is one step of the history.
  documents().undo();
  QVERIFY(*documents().document().current() == before);
}

void TestBlockPanel::escapeLeavesAllAsItIs() {
  const auto [handle, stop] = pullable();
  QVERIFY(handle);
  const schedule::Schedule before = *documents().document().current();
  drag(*handle, double(stop->value));
  QVERIFY(panel().isTrying());
  QTest::keyClick(handle, Qt::Key_Escape);
  QVERIFY(!panel().isTrying());
  QTest::mouseRelease(handle, Qt::LeftButton, {}, handle->rect().center());
  QVERIFY(*documents().document().current() == before);
}

void TestBlockPanel::whatIsNotLegalSaysWhy() {
  for (SizeHandle *handle : panel().handles()) {
    const std::vector<HandleStop> stops = stopsOf(*handle);
    const auto refused = std::ranges::find_if_not(stops, &HandleStop::isLegal);
    if (refused == stops.end()) continue;
    drag(*handle, double(refused->value));
    QVERIFY(handle->reason().contains(QString::fromStdString(refused->refusal)));
    QVERIFY(handle->toolTip().contains(QString::fromStdString(refused->refusal)));
    // The handle stays at the nearest legal size.
    QCOMPARE(handle->asked()->value, block::nearestLegal(stops, double(refused->value))->value);
    QTest::keyClick(handle, Qt::Key_Escape);
    QTest::mouseRelease(handle, Qt::LeftButton, {}, handle->rect().center());
    return;
  }
  QFAIL("every size of every handle is legal");
}

void TestBlockPanel::keysPullToo() {
  const auto [handle, stop] = pullable();
  QVERIFY(handle);
  const schedule::Schedule before = *documents().document().current();
  handle->setFocus();
  const std::int64_t value = handle->handle().value;
  QTest::keyClick(handle, stop->value > value ? Qt::Key_Right : Qt::Key_Left);
  QVERIFY(handle->asked());
  QVERIFY(handle->asked()->value != value);
  QVERIFY(panel().isTrying());
  QTest::keyClick(handle, Qt::Key_Escape);
  QVERIFY(!panel().isTrying());
  QTest::keyClick(handle, stop->value > value ? Qt::Key_Right : Qt::Key_Left);
  const schedule::Schedule wanted = *handle->asked()->schedule;
  QTest::keyClick(handle, Qt::Key_Return);
  QVERIFY(*documents().document().current() == wanted);
  QVERIFY(!(wanted == before));
}

void TestBlockPanel::anotherStageIsChosen() {
  // Selecting a stage also changes the stage chooser.
  const ShownSchedulePtr shown = m_window->schedule().shown();
  const cost::KernelLoad &load = shown->found.prediction.kernels.front().load;
  m_window->selection().select(Subject::stage(load.stage));
  const QString name =
      QString::fromStdString(shown->found.schedule.pipeline()->stageName(load.stage));
  QTRY_COMPARE(panel().stageName(), name);
  QTRY_VERIFY_WITH_TIMEOUT(panel().knowsSizes(), 60'000);
  QCOMPARE(panel().shown()->threads.stage, load.stage);
  QCOMPARE(panel().stageChooser().currentText(), name);
}

void TestBlockPanel::anOpenListOutlivesItsSchedule() {
  auto *stages = panel().findChild<QComboBox *>(QStringLiteral("blockStage"));
  QVERIFY(stages && stages->count() > 0);
  stages->showPopup();
  m_window->flow().close();
  QTRY_VERIFY(!m_window->schedule().shown());
  emit stages->activated(0); // as from a list that is just being closed
  QTRY_VERIFY(!stages->view()->isVisible());
}

void TestBlockPanel::aKernelOfOneThreadHasNothingToPull() {
  ShownKernels &kernels = m_window->kernels();
  int serial = 0;
  while (serial < kernels.count() && kernels.kernel(serial).load.stages.front().threads > 1)
    ++serial;
  QVERIFY(serial < kernels.count());
  kernels.select(serial);
  QTRY_COMPARE(panel().stageName(), kernels.name(serial));
  QTRY_VERIFY_WITH_TIMEOUT(panel().knowsSizes(), 60'000);
  const block::ThreadBlock &block = panel().shown()->threads;
  QCOMPARE(block.all(), std::int64_t(1));
  QCOMPARE(block.count(Duty::Computes), std::int64_t(1));
  QVERIFY(panel().handles().empty());
  QTest::keyClick(&panel().threads(), Qt::Key_Right); // there is no other thread
  QCOMPARE(panel().threads().current(), 0);
}

// A search shows one schedule after another, and its changes of state make the panel ask for sizes
// while the block of the last schedule is still being found.
void TestBlockPanel::sizesAreNeverThoseOfAnotherSchedule() {
  QVERIFY(!panel().handles().empty());
  documents().search("autogpu", "h200", DocumentFlow::Around::Nothing);
  QTRY_VERIFY_WITH_TIMEOUT(!m_window->schedule().isRunning(), 60'000);
  QTRY_VERIFY_WITH_TIMEOUT(m_window->kernels().schedule() == m_window->schedule().shown(), 60'000);
  QTRY_VERIFY_WITH_TIMEOUT(panel().knowsSizes(), 60'000);
  const schedule::Schedule &shown = m_window->schedule().shown()->found.schedule;
  const auto expected = block::handlesOf(shown, panel().shown()->threads.stage);
  QCOMPARE(panel().handles().size(), expected.size());
  for (std::size_t h = 0; h < expected.size(); ++h) {
    QCOMPARE(panel().handles()[h]->handle().dim, expected[h].dim);
    QCOMPARE(panel().handles()[h]->handle().value, expected[h].value);
  }
}

QTEST_MAIN(TestBlockPanel)
#include "tst_block_panel.moc"
