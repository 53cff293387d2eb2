// SPDX-License-Identifier: GPL-3.0-or-later
// The window with the real workers and the samples, as the user gets it.
#include "../run_program.h"
#include "../real_services.h"
#include "views/dag/dag_panel.h"
#include "views/stages/stage_panel.h"
#include "views/tables/sample_list_model.h"
#include "views/tables/stage_table_model.h"
#include "tests/support/build_paths.h"
#include "tests/support/telltale.h"

#include <QAction>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include <csignal>
#include <random>

using namespace tessera;
using namespace tessera::views;
using views::test::kBin;
using views::test::kSamples;

namespace {

// The child processes of this process that have this name.
std::vector<pid_t> childrenNamed(const QString &name) {
  std::vector<pid_t> found;
  for (const QString &entry : QDir("/proc").entryList(QDir::Dirs)) {
    QFile stat("/proc/" + entry + "/stat");
    if (entry.toInt() <= 0 || !stat.open(QIODevice::ReadOnly)) continue;
    const QString text = stat.readAll();
    const int parent = text.mid(text.lastIndexOf(')') + 2).split(' ').value(1).toInt();
    if (parent == int(QCoreApplication::applicationPid()) &&
        text.contains("(" + name.left(15) + ")"))
      found.push_back(entry.toInt());
  }
  return found;
}

} // namespace

class TestRealWorkers : public QObject {
  Q_OBJECT
private slots:
  void initTestCase();
  void init();
  void cleanup() { m_window.reset(); }

  void opensEverySample_data();
  void opensEverySample();
  void opensAtAPapersSize();
  void schedulesASample();
  void stopsARealSearch();
  void survivesKilledWorkers();
  void survivesGarbage();
  void slowLayoutIsReplaced();
  void programOpensAFile();
  void theLogOnDiskNamesNothingOfTheUsers();

private:
  bool open(const QString &path);
  QToolButton *searchButton(const char *action);

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<MainWindow> m_window;
};

void TestRealWorkers::initTestCase() {
  if (!QFile::exists(kBin + "/tessera-halide")) QSKIP("tessera-halide is not built");
  if (!QFile::exists(kSamples + "/blur.hlpipe")) QSKIP("the samples are not built");
}

void TestRealWorkers::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  m_window = std::make_unique<MainWindow>(views::test::realServices(m_folder->path()), *m_settings);
  m_window->resize(1200, 800);
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

QToolButton *TestRealWorkers::searchButton(const char *action) {
  return qobject_cast<QToolButton *>(m_window->findChild<QToolBar *>("tools")->widgetForAction(
      m_window->findChild<QAction *>(action)));
}

bool TestRealWorkers::open(const QString &path) {
  m_window->openFile(path);
  return QTest::qWaitFor(
      [&] {
        return m_window->flow().state() != OpenFlow::State::Working &&
               m_window->bridge().running().empty();
      },
      60'000);
}

void TestRealWorkers::opensEverySample_data() {
  QTest::addColumn<QString>("name");
  for (const QString &file : QDir(kSamples).entryList({"*.hlpipe"}))
    QTest::newRow(qPrintable(file)) << file;
}

void TestRealWorkers::opensEverySample() {
  QFETCH(const QString, name);
  QElapsedTimer clock;
  clock.start();
  QSignalSpy laidOut(&m_window->dag(), &DagPanel::laidOut);
  m_window->openFile(kSamples + "/" + name);
  QTRY_VERIFY_WITH_TIMEOUT(!laidOut.isEmpty(), 60'000);
  const qint64 first = clock.elapsed();
  QTRY_VERIFY_WITH_TIMEOUT(m_window->bridge().running().empty(), 60'000);
  qInfo("%s: DAG after %lld ms, final after %lld ms", qPrintable(name), first, clock.elapsed());
  QVERIFY(m_window->dag().isVisible());
  // The start page gives the right number of stages.
  QFile texts(QString::fromStdString(tessera::test::sourcePath("resources/texts/samples.json")));
  QVERIFY(texts.open(QIODevice::ReadOnly));
  for (const Sample &sample : findSamples(kSamples, texts.readAll()))
    if (sample.name + ".hlpipe" == name && sample.stages != 0)
      QCOMPARE(sample.stages, int(m_window->flow().document()->opened.pipeline->stages().size()));
}

void TestRealWorkers::opensAtAPapersSize() {
  QVERIFY(open(kSamples + "/harris.hlpipe"));
  const auto width = [this] {
    const pipeline::Pipeline &pipeline = *m_window->flow().document()->opened.pipeline;
    return pipeline.outputs().front().dims.front().range.extent();
  };
  QCOMPARE(width(), 1530);
  auto *menu = m_window->findChild<QMenu *>("sizeMenu");
  QVERIFY(menu->isEnabled());
  for (QAction *action : menu->actions())
    if (action->text().startsWith("paper-large")) action->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(width(), 4250, 60'000);
  QTRY_VERIFY_WITH_TIMEOUT(m_window->bridge().running().empty(), 60'000);
  QVERIFY(m_window->windowTitle().contains("paper-large"));
}

// For the schedule that a search finds, the window shows the same numbers as the command line.
void TestRealWorkers::schedulesASample() {
  const QString sample = kSamples + "/harris.hlpipe", found = m_folder->filePath("found.json");
  QVERIFY(open(sample));
  QTest::mouseClick(searchButton("schedule"), Qt::LeftButton);
  QVERIFY(m_window->schedule().isRunning());
  QTRY_VERIFY_WITH_TIMEOUT(!m_window->schedule().isRunning(), 60'000);
  const ShownSchedulePtr shown = m_window->schedule().shown();
  QVERIFY(shown);
  QVERIFY(m_window->findChild<QLabel *>("predicted")->text().endsWith(shown->summary()));
  const auto kernels = shown->found.prediction.kernels.size();
  const auto &nodes = m_window->dag().scene().graph()->nodes;
  const auto &places = m_window->dag().scene().places();
  QCOMPARE(places.size(), nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    QCOMPARE(places[i].label.isEmpty(), nodes[i].kind == StageKind::Input || places[i].isInlined);

  if (!QFile::exists(kBin + "/tessera-cli")) QSKIP("tessera-cli is not built");
  const auto ask = [](const QStringList &arguments) {
    return views::test::runProgram(kBin + "/tessera-cli", arguments);
  };
  const auto searched = ask({"schedule", sample, "-o", found});
  QVERIFY2(searched.exitCode == 0, searched.errors);
  const auto explained = ask({"explain", sample, "--schedule", found, "--json"});
  QVERIFY2(explained.exitCode == 0, explained.errors);
  const QJsonArray said = QJsonDocument::fromJson(explained.output).object()["kernels"].toArray();
  QCOMPARE(std::size_t(said.size()), kernels);
  const QAbstractItemModel &table = *m_window->stages().table().model();
  for (int row = 0; row < table.rowCount(); ++row) {
    const double micros =
        table.index(row, StageTableModel::Predicted).data(StageTableModel::SortRole).toDouble();
    if (micros <= 0) continue; // the stage owns no blocks
    const int kernel = table.index(row, StageTableModel::Kernel).data().toInt();
    const QJsonObject same = said.at(kernel - 1).toObject();
    QCOMPARE(same["kernel"].toString(), table.index(row, StageTableModel::Name).data().toString());
    QCOMPARE(micros, same["predicted_ms"].toDouble() * 1e3);
  }
}

void TestRealWorkers::stopsARealSearch() {
  const QString big = kSamples + "/synthetic1000.hlpipe";
  if (!QFile::exists(big)) QSKIP("the synthetic sample is not built");
  QVERIFY(open(big));
  QTest::mouseClick(searchButton("schedule"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(m_window->schedule().shown(), 60'000);
  QVERIFY(m_window->schedule().isRunning());
  QTest::mouseClick(searchButton("stop"), Qt::LeftButton);
  QVERIFY(!m_window->schedule().isRunning());
  QVERIFY(m_window->findChild<QLabel *>("predicted")->text().contains("h200"));
  m_window->documents().undo(); // else the program would ask about the unsaved schedule
  QVERIFY(open(kSamples + "/blur.hlpipe"));
  QVERIFY(m_window->findChild<QLabel *>("predicted")->text().isEmpty());
}

void TestRealWorkers::survivesKilledWorkers() {
  QVERIFY(open(kSamples + "/blur.hlpipe"));
  for (int round = 0; round < 5; ++round) {
    for (const char *worker : {"tessera-halide", "tessera-layout"})
      for (const pid_t pid : childrenNamed(worker))
        ::kill(pid, SIGKILL);
    m_window->openFile(kSamples + "/local_laplacian.hlpipe");
    for (const pid_t pid : childrenNamed("tessera-halide"))
      ::kill(pid, SIGKILL);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->bridge().running().empty(), 60'000);
    QVERIFY(m_window->flow().document()); // either the old or the new document
  }
  QVERIFY(open(kSamples + "/harris.hlpipe"));
  QCOMPARE(m_window->flow().state(), OpenFlow::State::Idle);
}

void TestRealWorkers::survivesGarbage() {
  QVERIFY(open(kSamples + "/blur.hlpipe"));
  QFile good(kSamples + "/blur.hlpipe");
  QVERIFY(good.open(QIODevice::ReadOnly));
  const QByteArray bytes = good.readAll();
  // As a campaign: TESSERA_DAMAGED_FILES=20000 QTEST_FUNCTION_TIMEOUT=3600000 … survivesGarbage
  bool isCampaign = false;
  const int asked = qEnvironmentVariableIntValue("TESSERA_DAMAGED_FILES", &isCampaign);
  const int rounds = isCampaign ? asked : 25;
  int refused = 0;
  std::mt19937 random(7);
  for (int round = 0; round < rounds; ++round) {
    QByteArray damaged = bytes;
    if (round % 2) damaged.truncate(qsizetype(random() % unsigned(bytes.size())));
    for (int k = 0; k < 8 && !damaged.isEmpty(); ++k)
      damaged[qsizetype(random() % unsigned(damaged.size()))] = char(random());
    QFile file(m_folder->filePath(QString("damaged%1.hlpipe").arg(round % 25)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(damaged);
    file.close();
    QVERIFY(open(file.fileName()));
    const OpenFlow::State state = m_window->flow().state();
    if (state == OpenFlow::State::Failed) {
      ++refused;
      const std::string &message = m_window->flow().error()->message;
      QVERIFY2(message.find("damaged") != std::string::npos, message.c_str());
    } else {
      QVERIFY(state == OpenFlow::State::Idle || state == OpenFlow::State::AskEstimates);
    }
    QVERIFY(m_window->flow().document());
  }
  qInfo("%d damaged files, seed 7: %d refused, window and document survive", rounds, refused);
}

void TestRealWorkers::slowLayoutIsReplaced() {
  if (!QFile::exists(kSamples + "/synthetic1000.hlpipe"))
    QSKIP("the synthetic sample is not built");
  std::vector<DagLayouter::Quality> seen;
  connect(&m_window->dag(), &DagPanel::laidOut, this,
          [&](DagLayouter::Quality quality) { seen.push_back(quality); });
  QVERIFY(open(kSamples + "/synthetic1000.hlpipe"));
  QVERIFY(!seen.empty());
  QCOMPARE(seen.back(), DagLayouter::Quality::Final);
}

void TestRealWorkers::programOpensAFile() {
  const QString picture = m_folder->filePath("window.png");
  const auto program = views::test::runProgram(
      kBin + "/tessera", {kSamples + "/blur.hlpipe", "--report-startup", "--screenshot", picture},
      m_folder->path());
  QVERIFY2(program.exitCode == 0, program.errors);
  QVERIFY(QFileInfo(picture).size() > 1000);
  qInfo("%s", program.output.trimmed().constData());
}

void TestRealWorkers::theLogOnDiskNamesNothingOfTheUsers() {
  const std::string folder = m_folder->path().toStdString();
  const auto path = tessera::test::writeTelltale(folder);
  QVERIFY(path);
  m_window.reset();
  {
    host::ToolPaths tools = views::test::builtTools(m_folder->path());
    tools.record = record::Record::open({.folder = folder + "/logs", .program = "tessera"});
    m_window = std::make_unique<MainWindow>(views::test::realServices(tools, m_folder->path()),
                                            *m_settings);
  }
  m_window->show();
  QVERIFY(open(QString::fromStdString(*path)));
  QCOMPARE(m_window->flow().document()->opened.pipeline->funcs()[0].name, "zaqxwv");
  const std::string damaged = folder + "/wombats/quokk.hlpipe";
  QVERIFY(host::writeFile(damaged, host::readFile(*path)->substr(0, 3000)));
  QVERIFY(open(QString::fromStdString(damaged)));
  QCOMPARE(m_window->flow().state(), OpenFlow::State::Failed);
  QVERIFY(open(QString::fromStdString(*path)));
  m_window->findChild<QAction *>("schedule")->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(!m_window->schedule().isRunning() && m_window->schedule().shown(),
                           60'000);
  m_window->documents().save(m_folder->filePath("wombats/ocelot.tessera"), {});
  m_window->documents().exportSchedule(m_folder->filePath("wombats/ocelot.schedule.h"));
  QTRY_VERIFY_WITH_TIMEOUT(m_window->bridge().running().empty(), 60'000);
  for (const char *worker : {"tessera-halide", "tessera-layout"})
    for (const pid_t pid : childrenNamed(worker))
      QCOMPARE(::kill(pid, SIGKILL), 0);
  for (int i = 0; i < 2; ++i) // starts both workers again
    QVERIFY(open(QString::fromStdString(*path)));
  m_window.reset(); // also closes the log

  const auto text = host::readFile(folder + "/logs/tessera.log");
  QVERIFY(text);
  const std::vector<std::string> found = tessera::test::telltalesIn(*text);
  QVERIFY2(found.empty(), text->c_str());
  for (const char *wanted : {"job began job=open", "job ended job=schedule outcome=ok",
                             "file saved file=3 kind=document", "job ended job=export outcome=ok",
                             "signal=SIGKILL", "file opened file=1 kind=\"serialized pipeline\"",
                             "file opened file=2 kind=\"serialized pipeline\" bytes=3000"})
    QVERIFY2(text->find(wanted) != std::string::npos, (wanted + ("\n" + *text)).c_str());
}

QTEST_MAIN(TestRealWorkers)
#include "tst_real_workers.moc"
