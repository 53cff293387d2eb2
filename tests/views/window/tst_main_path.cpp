// SPDX-License-Identifier: GPL-3.0-or-later
// The whole way through the window as a user takes it, by clicks and keys alone, with the real
// workers and fakes of NVIDIA's libraries: open, search, decide, freeze, search around that,
// measure, compare, export, undo and redo, save and open again; and reload a file that was rebuilt.
#include "../run_program.h"
#include "../real_services.h"
#include "engine/host/machines.h"
#include "engine/host/tools.h"
#include "engine/schedule/rules/legality.h"
#include "user.h"
#include "views/candidates/candidate_panel.h"
#include "views/candidates/search_curve.h"
#include "views/candidates/time_scatter.h"
#include "views/dag/dag_panel.h"
#include "views/decisions/choice_popup.h"
#include "views/decisions/decision_panel.h"
#include "views/measurements/measurement_panel.h"
#include "views/stages/stage_panel.h"
#include "views/tables/stage_table_model.h"
#include "views/text/change_text.h"
#include "tests/support/build_paths.h"

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

using namespace tessera;
using namespace tessera::views;
using schedule::DecisionColumn;
using views::test::kBin;
using views::test::kSamples;

namespace {

constexpr int kMeasured = 200'000; // ms; long, because other programs may slow the compiler down

// The printed values of the frozen decisions, indexed by the names of stage and decision.
std::map<std::string, std::string> frozenIn(const schedule::Schedule &schedule) {
  std::map<std::string, std::string> frozen;
  for (const auto &[key, mark] : schedule.marks())
    if (mark.frozen) frozen[schedule::subjectOf(schedule, key)] = schedule::valueOf(schedule, key);
  return frozen;
}

} // namespace

class TestMainPath : public QObject {
  Q_OBJECT
private slots:
  void initTestCase();
  void init();
  void cleanup();

  void fromFileToFile_data();
  void fromFileToFile();
  void aRebuiltFileIsCarriedOver();

private:
  void makeWindow();
  void open(const QString &how);
  void search(const QString &machine, const QString &algorithm);
  void clickStage();
  void decide();
  void freezeAnother();
  void searchAround();
  void measure();
  void compare();
  void exportAndReadBack();
  void undoAllAndRedo();
  void saveAndOpenAgain();
  void build(int levels);

  DocumentFlow &documents() { return m_window->documents(); }
  const ShownSchedulePtr &shown() { return m_window->schedule().shown(); }
  QString path(const QString &name) { return m_folder->filePath(name); }
  template <typename T>
  T *child(const char *name) {
    return m_window->findChild<T *>(QString::fromLatin1(name));
  }
  QTableView &table() { return m_window->decisions().table(); }
  int sourceRow() {
    const auto *proxy = qobject_cast<QSortFilterProxyModel *>(table().model());
    return proxy->mapToSource(table().currentIndex()).row();
  }
  int cell(DecisionModel::Role role) { return table().currentIndex().data(role).toInt(); }
  bool isIdle() { return m_window->bridge().running().empty() && m_window->dag().isDrawn(); }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<MainWindow> m_window;
  std::unique_ptr<views::test::User> m_user;
  host::ToolPaths m_tools;
  QString m_name; // name of the sample
};

// Ends the test after a step that fails.
#define GO(step)                                                                                   \
  step;                                                                                            \
  if (QTest::currentTestFailed()) return

void TestMainPath::initTestCase() {
  for (const char *program : {"/tessera-halide", "/tessera-gpu", "/tessera-layout"})
    if (!QFile::exists(kBin + program)) QSKIP("the workers are not built");
  if (!QFile::exists(kSamples + "/synthetic100.hlpipe")) QSKIP("the samples are not built");
}

void TestMainPath::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_settings = std::make_unique<QSettings>(path("s.ini"), QSettings::IniFormat);
  qputenv("LD_LIBRARY_PATH", QByteArray::fromStdString(tessera::test::testPath("fake_cuda")));
  qputenv("TESSERA_FAKE_CUDA", "writebelow \"" + path("cache").toUtf8() + '"');
  QVERIFY(QDir(m_folder->path()).mkdir("samples"));
  makeWindow();
}

void TestMainPath::cleanup() {
  m_user.reset();
  m_window.reset();
}

void TestMainPath::makeWindow() {
  host::ToolSearch search;
  search.programPath = (kBin + "/tessera").toStdString();
  search.searchPath = "/usr/local/bin:/usr/bin:/bin";
  search.home = m_folder->path().toStdString();
  search.halideRoot = tessera::test::sourcePath(TESSERA_TEST_HALIDE_ROOT);
  m_tools = host::findTools(search);
  m_tools.cacheDir = path("cache").toStdString();
  WindowServices services = views::test::realServices(m_tools, m_folder->path());
  services.sampleFolder = path("samples");
  m_window = std::make_unique<MainWindow>(std::move(services), *m_settings);
  m_window->resize(1500, 950);
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
  QApplication::setActiveWindow(m_window.get());
  m_user = std::make_unique<views::test::User>(*m_window);
}

void TestMainPath::fromFileToFile_data() {
  QTest::addColumn<QString>("how"); // how the sample is opened
  QTest::addColumn<QString>("machine");
  QTest::addColumn<QString>("algorithm");
  QTest::newRow("harris") << "sample"
                          << "a100"
                          << "autogpu";
  QTest::newRow("local_laplacian") << "dialog"
                                   << "h200"
                                   << "auto";
  QTest::newRow("synthetic100") << "palette"
                                << "rtx-4090"
                                << "auto";
}

void TestMainPath::fromFileToFile() {
  QFETCH(const QString, how);
  QFETCH(const QString, machine);
  QFETCH(const QString, algorithm);
  m_name = QTest::currentDataTag();
  for (const char *ending :
       {".hlpipe", ".estimates.json", ".manual.hlpipe", ".manual.estimates.json"})
    QVERIFY(QFile::copy(kSamples + "/" + m_name + ending, path("samples/" + m_name + ending)));
  makeWindow(); // the window finds the copies
  GO(open(how));
  GO(search(machine, algorithm));
  GO(clickStage());
  GO(decide());
  GO(freezeAnother());
  GO(searchAround());
  GO(measure());
  GO(compare());
  GO(exportAndReadBack());
  GO(undoAllAndRedo());
  GO(saveAndOpenAgain());
}

void TestMainPath::open(const QString &how) {
  const QString file = path("samples/" + m_name + ".hlpipe");
  m_user->look(m_name + "-0-start");
  if (how == "sample") {
    auto *samples = child<QListView>("samples");
    QVERIFY(m_user->click(*samples, samples->model()->index(0, 0)));
  } else if (how == "dialog") {
    m_user->key(Qt::Key_O, Qt::ControlModifier);
    QVERIFY(m_user->chooseFile(file));
  } else {
    QVERIFY(m_user->find("open", "Open"));
    QVERIFY(m_user->chooseFile(file));
  }
  QTRY_VERIFY_WITH_TIMEOUT(m_window->dag().isVisible() && m_window->dag().isLaidOut(), 60'000);
  QVERIFY(m_window->windowTitle().startsWith(m_name));
  // The default candidate, with which everything is compared, is added automatically.
  QTRY_VERIFY_WITH_TIMEOUT(isIdle() && !documents().document().candidates().empty(), 60'000);
  m_user->look(m_name + "-1-opened");
}

void TestMainPath::search(const QString &machine, const QString &algorithm) {
  QVERIFY(m_user->choose(*child<QComboBox>("machine"), machine));
  QVERIFY(m_user->choose(*child<QComboBox>("algorithm"), algorithm));
  int live = 0; // schedules shown during the search
  const auto counting = connect(&m_window->schedule(), &ScheduleFlow::shownChanged, this,
                                [&] { live += m_window->schedule().isRunning(); });
  QVERIFY(m_user->press("schedule"));
  QVERIFY(m_window->schedule().isRunning());
  QVERIFY(child<QAction>("stop")->isEnabled() && !child<QAction>("schedule")->isEnabled());
  QTRY_VERIFY_WITH_TIMEOUT(!m_window->schedule().isRunning(), 120'000);
  QTRY_VERIFY_WITH_TIMEOUT(isIdle(), 60'000);
  disconnect(counting);
  QVERIFY(live > 0);
  QVERIFY(m_window->candidates().curve().points().size() >= std::size_t(live));
  QVERIFY(child<QLabel>("predicted")->text().contains(shown()->summary()));
  QVERIFY(shown()->summary().contains("predicted on " + machine));
  QVERIFY(documents().undoName() == "Schedule with " + algorithm);
  // Every kernel has an outline in the DAG, and the outlines differ in colour. If a stage of the
  // pipeline owns the kernel, the stage's row has the time.
  const DagScene &scene = m_window->dag().scene();
  std::set<int> outlined, owned, timed;
  std::set<QRgb> colours;
  for (const KernelHull &hull : *scene.hulls()) {
    outlined.insert(hull.group.kernels.begin(), hull.group.kernels.end());
    colours.insert(scene.blockColor(hull.group.nodes.front()).rgb());
  }
  QCOMPARE(outlined.size(), shown()->found.prediction.kernels.size());
  QVERIFY(colours.size() > scene.hulls()->size() / 2); // a node that is in two kernels counts once
  for (const StagePlace &place : shown()->places)
    if (place.ownsBlocks) owned.insert(place.kernel);
  const QAbstractItemModel &stages = *m_window->stages().table().model();
  for (int row = 0; row < stages.rowCount(); ++row)
    if (stages.index(row, StageTableModel::Predicted).data(StageTableModel::SortRole).toDouble() >
        0)
      timed.insert(stages.index(row, StageTableModel::Kernel).data().toInt());
  QVERIFY(!owned.empty() && timed == owned);
  m_user->look(m_name + "-2-scheduled");
}

// Clicks the first node that is computed in a kernel, not inlined. An output is clicked only if
// there is no other such node.
void TestMainPath::clickStage() {
  m_user->key(Qt::Key_1, Qt::ControlModifier);
  m_user->key(Qt::Key_9, Qt::ControlModifier); // the whole DAG
  const DagScene &scene = m_window->dag().scene();
  const auto &nodes = scene.graph()->nodes;
  std::optional<std::uint32_t> node;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (!scene.places()[i].label.isEmpty() && (!node || nodes[*node].isOutput)) node = i;
  QVERIFY(node);
  DagView &view = m_window->dag().view();
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                    view.mapFromScene(scene.geometry().nodes[*node].center()));
  QTRY_VERIFY(m_window->selection().active());
  const std::vector<Subject> &subjects = nodes[*node].subjects;
  QVERIFY(std::ranges::find(subjects, *m_window->selection().active()) != subjects.end());
  m_user->look(m_name + "-3-clicked");
}

// Finds the first cell that offers another value, and chooses the fastest of the offered values.
void TestMainPath::decide() {
  m_user->key(Qt::Key_7, Qt::ControlModifier);
  QVERIFY(m_user->focused() == &table());
  QTRY_VERIFY(m_window->decisions().model().subjectAt(sourceRow()) ==
              m_window->selection().active());
  ChoicePopup &popup = m_window->decisions().popup();
  const auto *offered = qobject_cast<QSortFilterProxyModel *>(popup.table().model());
  const auto *choices = qobject_cast<ChoiceModel *>(offered->sourceModel());
  m_user->key(Qt::Key_Home);
  for (int column = 0; choices->rowCount() == 0; ++column) {
    QVERIFY2(column < table().model()->columnCount(), "nothing can be changed about it");
    m_user->key(Qt::Key_Right);
    m_user->key(Qt::Key_Return);
    QVERIFY(popup.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!popup.isLooking(), 60'000);
    if (choices->rowCount() == 0) m_user->key(Qt::Key_Escape);
  }
  const auto machine = host::machineFor(shown()->machine.toStdString(), m_tools);
  QVERIFY(machine);
  const double now = shown()->found.prediction.seconds;
  for (int row = 0; row < offered->rowCount(); ++row) {
    const document::Choice &choice =
        choices->choiceAt(offered->mapToSource(offered->index(row, 0)).row());
    QVERIFY2(schedule::check(choice.after, *machine).empty(), choice.value.c_str());
    QCOMPARE(offered->index(row, ChoiceModel::Change).data().toString(),
             changeText(cost::predict(choice.after, *machine).seconds / now - 1));
  }
  m_user->look(m_name + "-4-choices");
  const document::Choice choice =
      choices->choiceAt(offered->mapToSource(offered->index(0, 0)).row());
  m_user->key(Qt::Key_Return);
  QVERIFY(!popup.isVisible());
  QTRY_VERIFY(shown()->found.schedule == choice.after);
  QCOMPARE(shown()->found.prediction.seconds, choice.seconds);
  QVERIFY(child<QLabel>("predicted")->text().contains(shown()->summary()));
  QCOMPARE(cell(DecisionModel::FrozenRole), int(DecisionModel::Frozen::Yes));
  QCOMPARE(cell(DecisionModel::OriginRole), int(schedule::Origin::User));
  QVERIFY(child<QAction>("undo")->text().contains(QString::fromStdString(choice.value)));
}

// Freezes the first cell of another stage that can be frozen.
void TestMainPath::freezeAnother() {
  const int changed = sourceRow();
  const auto before = frozenIn(shown()->found.schedule);
  m_user->key(Qt::Key_Home, Qt::ControlModifier);
  m_user->key(Qt::Key_Right);
  while (sourceRow() == changed || !cell(DecisionModel::DecidesRole)) {
    const int row = sourceRow();
    m_user->key(Qt::Key_Down);
    QVERIFY(sourceRow() != row);
  }
  m_user->key(Qt::Key_Space);
  QCOMPARE(cell(DecisionModel::FrozenRole), int(DecisionModel::Frozen::Yes));
  QVERIFY(documents().undoName().startsWith("Freeze "));
  QTRY_VERIFY(frozenIn(shown()->found.schedule).size() > before.size());
  m_user->look(m_name + "-5-frozen");
}

void TestMainPath::searchAround() {
  const auto before = frozenIn(shown()->found.schedule);
  QVERIFY(m_user->choose(*child<QComboBox>("algorithm"), "auto"));
  m_user->key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(m_window->schedule().isRunning());
  QTRY_VERIFY_WITH_TIMEOUT(!m_window->schedule().isRunning(), 120'000);
  QTRY_VERIFY_WITH_TIMEOUT(isIdle(), 60'000);
  m_user->look(m_name + "-6-searched-around");
  QVERIFY2(documents().undoName().startsWith("Re-search with "),
           qPrintable(documents().undoName()));
  QVERIFY(frozenIn(shown()->found.schedule) == before);
}

void TestMainPath::measure() {
  QTRY_VERIFY_WITH_TIMEOUT(child<QAction>("measure")->isEnabled(), 60'000);
  if (m_name == "harris")
    m_user->key(Qt::Key_M, Qt::ControlModifier);
  else
    QVERIFY(m_user->press("measure"));
  QTRY_VERIFY(m_window->measuring().state() == MeasureFlow::State::Measuring);
  auto *progress = child<QWidget>("jobIndicator")->findChild<QLabel *>();
  QTRY_VERIFY(progress->isVisible() && progress->text().startsWith("Measuring "));
  m_user->look(m_name + "-7-measuring");
  QTRY_VERIFY_WITH_TIMEOUT(m_window->measuring().state() == MeasureFlow::State::Idle, kMeasured);
  QVERIFY2(m_window->measuring().failures().empty(),
           qPrintable(m_window->measuring().failureText()));
  const document::CandidatePtr candidate = m_window->measuring().shownCandidate();
  QVERIFY(candidate && candidate->measurement->times.verified());
  // The measured times stand beside the predicted ones: of the whole pipeline, of each stage's
  // kernel, and in the list of measurements.
  // A message about the earlier search may hide them for 8 seconds.
  QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("predicted")->isVisible(), 10'000);
  QVERIFY(child<QLabel>("measured")->isVisible());
  QVERIFY(child<QLabel>("measured")->text().contains("measured on Fake GPU"));
  const QAbstractItemModel &stages = *m_window->stages().table().model();
  for (int row = 0; row < stages.rowCount(); ++row)
    QCOMPARE(
        !stages.index(row, StageTableModel::Measured).data().toString().isEmpty(),
        stages.index(row, StageTableModel::Predicted).data(StageTableModel::SortRole).toDouble() >
            0);
  const QAbstractItemModel &measured = *m_window->measurements().table().model();
  QCOMPARE(measured.rowCount(), 1);
  for (const auto column : {MeasurementModel::Median, MeasurementModel::Predicted,
                            MeasurementModel::Ratio, MeasurementModel::Checked})
    QVERIFY(!measured.index(0, column).data().toString().isEmpty());
  m_user->look(m_name + "-8-measured");
}

// Compares with the hand-written schedule and with the schedule that the first search found.
void TestMainPath::compare() {
  QVERIFY(m_user->find("others", "Add Others' Schedules"));
  QTRY_VERIFY(child<QDialog>("othersDialog") && child<QDialog>("othersDialog")->isVisible());
  auto *dialog = child<QDialog>("othersDialog");
  auto *others = dialog->findChild<QTableView *>("othersTable");
  m_user->look(m_name + "-9-others");
  QVERIFY(m_user->click(*others, others->model()->index(0, OtherFlow::Name)));
  // Deselects the autoschedulers, because they are slow.
  for (int row = 1; row < others->model()->rowCount(); ++row) {
    m_user->key(Qt::Key_Down);
    m_user->key(Qt::Key_Space);
  }
  m_user->key(Qt::Key_A, Qt::AltModifier);
  QTRY_VERIFY_WITH_TIMEOUT(
      others->model()->index(0, OtherFlow::Status).data().toString().startsWith("added"), 120'000);
  m_user->look(m_name + "-10-added");
  m_user->key(Qt::Key_Escape);
  QTRY_VERIFY(!child<QDialog>("othersDialog"));

  m_user->key(Qt::Key_8, Qt::ControlModifier);
  QTableView &candidates = m_window->candidates().table();
  QVERIFY(m_user->goTo(candidates, CandidateModel::Name, "manual", CandidateModel::Name));
  m_user->key(Qt::Key_B);
  QCOMPARE(candidates.currentIndex().siblingAtColumn(CandidateModel::Pin).data().toString(), "B");
  QVERIFY(!candidates.currentIndex()
               .siblingAtColumn(CandidateModel::Predicted)
               .data()
               .toString()
               .isEmpty());
  // Only one candidate has been measured, so the chart has one point.
  QCOMPARE(m_window->candidates().scatter().points().size(), std::size_t(1));
  m_user->look(m_name + "-11-candidates");

  m_user->key(Qt::Key_7, Qt::ControlModifier);
  QVERIFY(m_user->choose(*child<QComboBox>("comparison"), "manual"));
  const auto isDifferent = [&](int row) {
    return table().model()->index(row, 0).data(DecisionModel::DifferentRole).toBool();
  };
  int different = 0;
  for (int row = 0; row < table().model()->rowCount(); ++row)
    different += isDifferent(row);
  QVERIFY(different > 0);
  m_user->look(m_name + "-12-compared");
}

void TestMainPath::exportAndReadBack() {
  const QString file = path(m_name + ".schedule.h");
  const QSignalSpy exported(&documents(), &DocumentFlow::exported);
  m_user->key(Qt::Key_E, Qt::ControlModifier);
  QVERIFY(m_user->chooseFile(file));
  QTRY_COMPARE(exported.size(), 1);
  const auto read = documents().service().schedule(
      file.toStdString(), documents().opened()->request, documents().opened()->opened, {}, {});
  QVERIFY2(read, read ? "" : read.error().message.c_str());
  QVERIFY(read->schedule == shown()->found.schedule);
  m_user->look(m_name + "-13-exported");
}

void TestMainPath::undoAllAndRedo() {
  const auto state = [&] {
    const auto &document = documents().document();
    std::string text = document.current() ? std::to_string(document.current()->hash()) : "none";
    if (document.current())
      for (const auto &[what, value] : frozenIn(*document.current()))
        text += "; " + what + " " + value;
    for (const auto &candidate : document.candidates())
      text += "; " + candidate->label.name + std::to_string(int(candidate->label.pin));
    return text;
  };
  std::vector<std::string> states{state()};
  QStringList steps;
  while (child<QAction>("undo")->isEnabled()) {
    steps.prepend(documents().undoName());
    m_user->key(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(documents().redoName(), steps.front());
    QTRY_VERIFY_WITH_TIMEOUT(isIdle(), 60'000);
    states.push_back(state());
  }
  QCOMPARE(steps.size(), 5); // schedule, choice, freeze, search around the frozen decisions, pin
  QVERIFY(!shown() && child<QLabel>("predicted")->text().isEmpty());
  m_user->look(m_name + "-14-undone");
  for (const QString &step : steps) {
    QCOMPARE(state(), states.back());
    states.pop_back();
    QVERIFY(child<QAction>("redo")->text().endsWith(step));
    m_user->key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(documents().undoName(), step);
    QTRY_VERIFY_WITH_TIMEOUT(isIdle(), 60'000);
  }
  QCOMPARE(state(), states.back());
  QVERIFY(!child<QAction>("redo")->isEnabled());
  QVERIFY(child<QLabel>("predicted")->text().contains(shown()->summary()));
  QVERIFY(child<QLabel>("measured")->text().contains("measured on Fake GPU"));
}

void TestMainPath::saveAndOpenAgain() {
  const QString file = path(m_name + ".tessera");
  m_user->key(Qt::Key_S, Qt::ControlModifier);
  QVERIFY(m_user->chooseFile(file));
  QTRY_VERIFY(m_window->windowTitle().startsWith(m_name + ".tessera"));
  QVERIFY(!m_window->isWindowModified());
  const document::Document saved = documents().document();
  const QString predicted = child<QLabel>("predicted")->text(),
                measured = child<QLabel>("measured")->text(), undo = documents().undoName();
  m_user->key(Qt::Key_Q, Qt::ControlModifier);
  QTRY_VERIFY(!m_window->isVisible());

  makeWindow(); // the program is started again
  auto *recent = child<QListWidget>("recent");
  QTRY_VERIFY(recent->isVisible());
  QVERIFY(m_user->click(*recent, recent->model()->index(0, 0)));
  QTRY_VERIFY_WITH_TIMEOUT(documents().hasDocument() && isIdle() && shown(), 60'000);
  const document::Document &now = documents().document();
  QVERIFY(*now.current() == *saved.current() && now.current()->marks() == saved.current()->marks());
  QCOMPARE(child<QLabel>("predicted")->text(), predicted);
  QCOMPARE(child<QLabel>("measured")->text(), measured);
  QCOMPARE(documents().undoName(), undo);
  QCOMPARE(now.candidates().size(), saved.candidates().size());
  for (std::size_t i = 0; i < now.candidates().size(); ++i) {
    QVERIFY(now.candidates()[i]->label == saved.candidates()[i]->label);
    QVERIFY(now.candidates()[i]->schedule == saved.candidates()[i]->schedule);
    QCOMPARE(now.candidates()[i]->measurement.has_value(),
             saved.candidates()[i]->measurement.has_value());
  }
  QVERIFY(!m_window->isWindowModified());
  QTRY_VERIFY(m_window->dag().isDrawn());
  m_user->look(m_name + "-15-opened-again");
}

// Runs the generator, so that the pipeline has this many pyramid levels.
void TestMainPath::build(int levels) {
  const auto generator = views::test::runProgram(
      kBin + "/local_laplacian.generator",
      {"-g", "local_laplacian", "-f", "mine", "-o", m_folder->path(), "-e", "hlpipe", "-p",
       kBin + "/libautoschedule_tessera.so", "target=host-cuda-cuda_capability_86-no_runtime",
       "autoscheduler=Tessera", "autoscheduler.capture=" + path("mine.hlpipe"),
       QString("pyramid_levels=%1").arg(levels)});
  QVERIFY2(generator.exitCode == 0, generator.errors);
}

void TestMainPath::aRebuiltFileIsCarriedOver() {
  m_name = "mine";
  GO(build(8));
  m_user->key(Qt::Key_O, Qt::ControlModifier);
  QVERIFY(m_user->chooseFile(path("mine.hlpipe")));
  QTRY_VERIFY_WITH_TIMEOUT(m_window->dag().isLaidOut() && isIdle(), 60'000);
  m_user->key(Qt::Key_R, Qt::ControlModifier);
  QTRY_VERIFY_WITH_TIMEOUT(shown() && isIdle(), 120'000);
  // Freezes two decisions: one of a stage that stays, and one of a stage that will be gone.
  for (const char *stage : {"gaussian_2", "gaussian_7"}) {
    m_user->key(Qt::Key_7, Qt::ControlModifier);
    QVERIFY(m_user->goTo(table(), 0, stage, DecisionModel::sectionOf(DecisionColumn::Compute)));
    m_user->key(Qt::Key_Space);
    QTRY_VERIFY(documents().undoName().endsWith(stage));
  }
  const auto before = frozenIn(*documents().document().current());
  QCOMPARE(before.size(), std::size_t(2));
  const std::size_t stages = documents().document().pipeline()->stages().size();

  GO(build(5));
  auto *note = child<QWidget>("noteBar");
  QTRY_VERIFY_WITH_TIMEOUT(note->isVisible(), 60'000);
  QVERIFY(note->findChild<QLabel *>()->text().contains("mine.hlpipe has changed on disk"));
  m_user->look("mine-1-changed");
  QVERIFY(m_user->click(note->findChild<QPushButton *>("noteAccept")));
  QTRY_VERIFY_WITH_TIMEOUT(documents().document().pipeline()->stages().size() < stages, 60'000);
  QTRY_VERIFY_WITH_TIMEOUT(shown() && isIdle(), 60'000);
  m_user->look("mine-2-reloaded");
  const auto now = frozenIn(*documents().document().current());
  QCOMPARE(now.size(), std::size_t(1));
  QVERIFY(*now.begin() == *before.begin());
  // The note names what is lost, beginning with the user's own decisions.
  QVERIFY(note->isVisible());
  const QString said = note->findChild<QLabel *>()->text();
  QVERIFY2(said.contains("Lost: your decisions about gaussian_7, which is gone; other decisions"),
           qPrintable(said));
  QCOMPARE(documents().notCarried().size(), 2);
}

QTEST_MAIN(TestMainPath)
#include "tst_main_path.moc"
