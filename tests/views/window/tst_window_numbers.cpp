// SPDX-License-Identifier: GPL-3.0-or-later
// The docks show the same numbers of a schedule as the command line prints as JSON and CSV.
#include "../run_program.h"
#include "../real_services.h"
#include "views/candidates/candidate_panel.h"
#include "views/footprint/footprint_panel.h"
#include "views/kernels/kernel_table.h"
#include "views/occupancy/occupancy_panel.h"
#include "views/roofline/roofline_panel.h"
#include "views/stages/stage_panel.h"
#include "views/tables/occupancy_table_model.h"
#include "views/tables/roofline_table_model.h"
#include "views/tables/stage_table_model.h"

#include <QAction>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace tessera;
using namespace tessera::views;
using views::test::kBin;
using views::test::kSamples;

class TestWindowNumbers : public QObject {
  Q_OBJECT
private slots:
  void initTestCase();
  void showsWhatTheCommandLinePrints_data();
  void showsWhatTheCommandLinePrints();

private:
  void open(const QString &sample);
  QByteArray ask(const QStringList &arguments);
  void checkStages();
  void checkPrediction(const QJsonObject &explained);
  void checkOccupancy(const QJsonArray &kernels);
  void checkFootprint(const QJsonArray &kernels);
  void checkRoofline(const QString &csv);

  // Finds a row by the number that is shown in it, because sorting changes the rows.
  QModelIndex cell(const QTableView &table, int numberColumn, int number, int column) {
    const QAbstractItemModel &model = *table.model();
    for (int row = 0; row < model.rowCount(); ++row)
      if (model.index(row, numberColumn).data().toString() == QString::number(number))
        return model.index(row, column);
    return {};
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<MainWindow> m_window;
  QString m_sample, m_schedule; // paths
};

void TestWindowNumbers::initTestCase() {
  if (!QFile::exists(kBin + "/tessera-halide")) QSKIP("tessera-halide is not built");
  if (!QFile::exists(kBin + "/tessera-cli")) QSKIP("tessera-cli is not built");
  if (!QFile::exists(kSamples + "/blur.hlpipe")) QSKIP("the samples are not built");
}

void TestWindowNumbers::open(const QString &sample) {
  m_window.reset();
  m_folder = std::make_unique<QTemporaryDir>();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  m_window = std::make_unique<MainWindow>(views::test::realServices(m_folder->path()), *m_settings);
  m_window->resize(1500, 950);
  m_window->show();
  m_sample = kSamples + '/' + sample + ".hlpipe";
  m_schedule = m_folder->filePath("shown.json");
  m_window->openFile(m_sample);
  QTRY_VERIFY_WITH_TIMEOUT(m_window->documents().hasDocument(), 60'000);
  // All checks of a sample share this search. autogpu evaluates few schedules, and its result does
  // not matter.
  m_window->documents().search("autogpu", "h200", DocumentFlow::Around::Nothing);
  QTRY_VERIFY_WITH_TIMEOUT(m_window->schedule().shown() && !m_window->schedule().isRunning(),
                           120'000);
  m_window->documents().exportSchedule(m_schedule);
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(m_schedule) && m_window->bridge().running().empty(),
                           60'000);
}

QByteArray TestWindowNumbers::ask(const QStringList &arguments) {
  const auto cli = views::test::runProgram(kBin + "/tessera-cli", arguments);
  if (cli.exitCode == 0) return cli.output;
  qWarning("%s", cli.errors.constData());
  return {};
}

void TestWindowNumbers::showsWhatTheCommandLinePrints_data() {
  QTest::addColumn<QString>("sample");
  for (const char *sample : {"blur", "harris", "local_laplacian", "synthetic100", "hist"})
    QTest::newRow(sample) << sample;
}

void TestWindowNumbers::showsWhatTheCommandLinePrints() {
  QFETCH(const QString, sample);
  open(sample);
  if (QTest::currentTestFailed()) return;
  const QString csv = m_folder->filePath("roofline.csv");
  const QByteArray explained =
      ask({"explain", m_sample, "--schedule", m_schedule, "--json", "--roofline", csv});
  QVERIFY(!explained.isEmpty());
  checkStages();
  checkPrediction(QJsonDocument::fromJson(explained).object());
  const QByteArray occupied = ask({"occupancy", m_sample, "--schedule", m_schedule, "--json"});
  QVERIFY(!occupied.isEmpty());
  checkOccupancy(QJsonDocument::fromJson(occupied).object()["kernels"].toArray());
  checkRoofline(csv);
  const QByteArray needed = ask({"footprint", m_sample, "--schedule", m_schedule, "--json"});
  QVERIFY(!needed.isEmpty());
  checkFootprint(QJsonDocument::fromJson(needed).object()["kernels"].toArray());
}

// Compares names and regions with the output of `tessera-cli inspect`.
void TestWindowNumbers::checkStages() {
  const QJsonObject inspected =
      QJsonDocument::fromJson(ask({"inspect", m_sample, "--json"})).object();
  std::map<QString, QString> extents;
  for (const QJsonValue value : inspected["funcs"].toArray()) {
    QStringList sizes;
    for (const QJsonValue range : value["region"].toArray())
      sizes << QString::number(range[1].toInteger() - range[0].toInteger() + 1);
    extents[value["name"].toString()] = sizes.join(QChar(0xd7));
  }
  QVERIFY(!extents.empty());
  const QAbstractItemModel &table = *m_window->stages().table().model();
  std::size_t found = 0;
  for (int row = 0; row < table.rowCount(); ++row) {
    const auto at = extents.find(table.index(row, StageTableModel::Name).data().toString());
    if (at == extents.end()) continue; // an input, or an update, which has no extents
    ++found;
    QCOMPARE(table.index(row, StageTableModel::Extents).data().toString(), at->second);
  }
  QCOMPARE(found, extents.size());
}

// Compares times with the output of `tessera-cli explain`: those of the kernels, and their sum in
// the list of candidates.
void TestWindowNumbers::checkPrediction(const QJsonObject &explained) {
  const QJsonArray kernels = explained["kernels"].toArray();
  const ShownSchedulePtr &shown = m_window->schedule().shown();
  QCOMPARE(std::size_t(kernels.size()), shown->found.prediction.kernels.size());
  QCOMPARE(shown->found.prediction.milliseconds(), explained["predicted_ms"].toDouble());
  const CandidateModel &candidates = m_window->candidates().model();
  const auto candidate =
      m_window->documents().document().candidateWith(shown->found.schedule, "h200");
  QVERIFY(candidate);
  QCOMPARE(candidates.index(*candidates.rowOf(candidate->id), CandidateModel::Predicted)
               .data(CandidateModel::SortRole)
               .toDouble(),
           explained["predicted_ms"].toDouble() * 1e-3);
  const QAbstractItemModel &stages = *m_window->stages().table().model();
  int owners = 0;
  for (int row = 0; row < stages.rowCount(); ++row) {
    const double micros =
        stages.index(row, StageTableModel::Predicted).data(StageTableModel::SortRole).toDouble();
    if (micros <= 0) continue; // the stage owns no blocks
    const int kernel = stages.index(row, StageTableModel::Kernel).data().toInt();
    const QJsonValue said = kernels.at(kernel - 1);
    QCOMPARE(stages.index(row, StageTableModel::Name).data().toString(), said["kernel"].toString());
    QCOMPARE(micros, said["predicted_ms"].toDouble() * 1e3);
    ++owners;
  }
  QVERIFY(owners > 0);
}

void TestWindowNumbers::checkOccupancy(const QJsonArray &kernels) {
  m_window->findChild<QAction *>("goTo.occupancy")->trigger();
  const QTableView &table = m_window->occupancy().table();
  QTRY_COMPARE(table.model()->rowCount(), int(kernels.size()));
  for (int kernel = 1; kernel <= kernels.size(); ++kernel) {
    const QJsonValue said = kernels.at(kernel - 1);
    const auto shown = [&](OccupancyTableModel::Column column, int role = Qt::DisplayRole) {
      return cell(table, OccupancyTableModel::Number, kernel, column).data(role);
    };
    const auto number = [&](OccupancyTableModel::Column column) {
      return shown(column, OccupancyTableModel::SortRole).toDouble();
    };
    QCOMPARE(shown(OccupancyTableModel::Name).toString(), said["kernel"].toString());
    QCOMPARE(number(OccupancyTableModel::Fraction), said["occupancy"].toDouble());
    QCOMPARE(shown(OccupancyTableModel::Fraction).toString(),
             percentText(said["occupancy"].toDouble()));
    QCOMPARE(shown(OccupancyTableModel::Limiting).toString(),
             said["occupancy_limited_by"].toString().replace('_', ' '));
    double threads = 1;
    for (const QJsonValue extent : said["threads"].toArray())
      threads *= extent.toDouble();
    QCOMPARE(number(OccupancyTableModel::Threads), threads);
    QCOMPARE(number(OccupancyTableModel::Registers), said["registers"].toDouble());
    QCOMPARE(number(OccupancyTableModel::SharedBytes), said["shared_bytes"].toDouble());
    QCOMPARE(number(OccupancyTableModel::Blocks), said["resident_blocks"].toDouble());
    QCOMPARE(number(OccupancyTableModel::Warps), said["resident_warps"].toDouble());
  }
}

// Compares each number of each kernel at each level.
void TestWindowNumbers::checkFootprint(const QJsonArray &kernels) {
  m_window->findChild<QAction *>("goTo.footprint")->trigger();
  FootprintPanel *panel = &m_window->footprint();
  QVERIFY(panel->isVisible());
  ShownKernels &shown = m_window->kernels();
  QCOMPARE(shown.count(), int(kernels.size()));
  const QAbstractItemModel &table = *panel->table().model();
  for (int kernel = 0; kernel < shown.count(); ++kernel) {
    const QJsonObject said = kernels[kernel].toObject();
    shown.select(kernel);
    QTRY_COMPARE(QString::fromStdString(panel->kernel()->name), said["kernel"].toString());
    const QJsonArray entries = said["entries"].toArray();
    for (const footprint::Level level : footprint::kAllLevels) {
      panel->setLevel(level);
      QCOMPARE(table.rowCount(), int(entries.size()));
      for (int row = 0; row < table.rowCount(); ++row) {
        const QJsonObject entry = entries[row].toObject();
        const QJsonObject box =
            entry["levels"].toObject()[QString::fromUtf8(name(level).data())].toObject();
        const auto number = [&](FootprintModel::Column column) {
          return table.index(row, column).data(FootprintModel::NumberRole);
        };
        QCOMPARE(table.index(row, FootprintModel::Name).data().toString(),
                 entry["name"].toString());
        QCOMPARE(number(FootprintModel::Box).toDouble(), box["points"].toDouble());
        QCOMPARE(number(FootprintModel::Shared).toDouble(), box["shared_percent"].toDouble());
        QCOMPARE(number(FootprintModel::Bytes).toDouble(), box["bytes"].toDouble());
        QCOMPARE(number(FootprintModel::Redundant).isNull(), entry["redundancy_percent"].isNull());
        QCOMPARE(number(FootprintModel::Redundant).toDouble(),
                 entry["redundancy_percent"].toDouble());
      }
    }
  }
}

void TestWindowNumbers::checkRoofline(const QString &csv) {
  QFile file(csv);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = file.readAll().split('\n');
  const QList<QByteArray> head = lines.front().trimmed().split(',');
  std::vector<QList<QByteArray>> kernels;
  for (const QByteArray &line : lines)
    if (line.startsWith("kernel,")) kernels.push_back(line.trimmed().split(','));
  m_window->findChild<QAction *>("goTo.roofline")->trigger();
  const QTableView &table = m_window->roofline().table();
  QTRY_COMPARE(table.model()->rowCount(), int(kernels.size()));
  QVERIFY(!kernels.empty());
  for (std::size_t kernel = 0; kernel < kernels.size(); ++kernel) {
    const auto said = [&](const char *column) {
      return kernels[kernel].value(head.indexOf(column));
    };
    const auto shown = [&](RooflineTableModel::Column column, int role = Qt::DisplayRole) {
      return cell(table, RooflineTableModel::Number, int(kernel) + 1, column).data(role);
    };
    QCOMPARE(shown(RooflineTableModel::Name).toString(), QString::fromUtf8(said("name")));
    for (const auto &[column, name] : {std::pair(RooflineTableModel::Time, "seconds"),
                                       {RooflineTableModel::Dram, "dram_bytes"},
                                       {RooflineTableModel::L2, "l2_bytes"},
                                       {RooflineTableModel::Reached, "reached"}})
      QCOMPARE(shown(column, RooflineTableModel::SortRole).toDouble(), said(name).toDouble());
    // The table shows L1 and shared memory as one number, the sum of the two numbers of the command
    // line.
    QCOMPARE(shown(RooflineTableModel::Cache, RooflineTableModel::SortRole).toDouble(),
             said("l1_bytes").toDouble() + said("shared_bytes").toDouble());
    QVERIFY2(!shown(RooflineTableModel::Binding).toString().isEmpty(), said("binding").constData());
  }
}

QTEST_MAIN(TestWindowNumbers)
#include "tst_window_numbers.moc"
