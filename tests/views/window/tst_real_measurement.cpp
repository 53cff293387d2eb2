// SPDX-License-Identifier: GPL-3.0-or-later
// The window with the real workers on fakes of NVIDIA's libraries
// (tests/engine/bench/fake_cuda.cpp). It must show what the command line prints.
#include "../run_program.h"
#include "../real_services.h"
#include "../test_pipelines.h"
#include "engine/chart/quantity_text.h"
#include "engine/host/tools.h"
#include "views/measurements/measurement_panel.h"
#include "views/measurements/picture_view.h"
#include "tests/engine/bench/fake_ssh.h"
#include "tests/support/build_paths.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSysInfo>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <nlohmann/json.hpp>

#include <cmath>

using namespace tessera;
using namespace tessera::views;
using views::test::kBin;

namespace {

const QString kSample = views::test::kSamples + "/blur.hlpipe";
const QString kBundle = QString::fromStdString(tessera::test::testPath("measured_bundle"));
const char *const kEstimate = "output=0:320,0:240"; // the size of kBundle

void wish(const QByteArray &wishes) { qputenv("TESSERA_FAKE_CUDA", wishes); }

// A file of 16-bit numbers behind a head: row y holds `first` + y, `width` times.
void writeRows(const QString &path, const QByteArray &head, int width, int first, int rows,
               QSysInfo::Endian order) {
  QByteArray bytes = head;
  for (int y = first; y < first + rows; ++y) {
    const char high = char(y >> 8), low = char(y & 0xff);
    for (int x = 0; x < width; ++x)
      bytes.append(order == QSysInfo::BigEndian ? high : low)
          .append(order == QSysInfo::BigEndian ? low : high);
  }
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
    qFatal("cannot write %s", qPrintable(path));
}

} // namespace

class TestRealMeasurement : public QObject {
  Q_OBJECT
private slots:
  void initTestCase();
  void init();
  void cleanup() { m_window.reset(); }

  void measuresOnTheDouble();
  void showsWhatTheCommandLinePrints();
  void aWrongOutputIsSaid();
  void runsOnTheUsersImage();
  void aDyingWorkerLosesNothing();
  void measuresThroughSsh();
  void aHostThatRefusesIsSaid();
  void aConnectionThatIsLostLosesNothing();
  void withoutADriverItSaysSoAndVerifies();

private:
  void openDefault(const std::vector<std::string> &estimates = {kEstimate});
  void chooseHost(const QString &host);
  bool measure(); // true: the measurement ended with a time
  DocumentFlow &documents() { return m_window->documents(); }
  QString cell(int column) {
    return m_window->measurements().table().model()->index(0, column).data().toString();
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<bench::test::FakeSsh> m_ssh;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<MainWindow> m_window;
};

void TestRealMeasurement::initTestCase() {
  if (!QFile::exists(kBin + "/tessera-gpu") || !QFile::exists(kBundle + "/bundle.json"))
    QSKIP("the workers are not built");
}

void TestRealMeasurement::init() {
  qputenv("LD_LIBRARY_PATH", QByteArray::fromStdString(tessera::test::testPath("fake_cuda")));
  wish("write \"" + kBundle.toUtf8() + "/reference/output0.raw\"");
  m_folder = std::make_unique<QTemporaryDir>();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  host::ToolSearch search;
  search.programPath = (kBin + "/tessera").toStdString();
  search.searchPath = "/usr/local/bin:/usr/bin:/bin";
  search.home = m_folder->path().toStdString();
  search.halideRoot = tessera::test::sourcePath(TESSERA_TEST_HALIDE_ROOT);
  host::ToolPaths tools = host::findTools(search);
  tools.cacheDir = (kBundle + "/../cache/tessera").toStdString(); // has the runtime of the bundles
  m_ssh = std::make_unique<bench::test::FakeSsh>(m_folder->path().toStdString());
  tools.ssh = bench::test::FakeSsh::program();
  m_window =
      std::make_unique<MainWindow>(views::test::realServices(tools, m_folder->path()), *m_settings);
  m_window->resize(1200, 800);
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

// Opens the default schedule at the size for which the fake GPU writes the right outputs.
void TestRealMeasurement::openDefault(const std::vector<std::string> &estimates) {
  open::OpenRequest request;
  request.path = kSample.toStdString();
  for (const std::string &estimate : estimates)
    request.estimates.push_back(*open::parseEstimate(estimate));
  m_window->openRequest(request);
  QTRY_VERIFY_WITH_TIMEOUT(
      documents().hasDocument() && !documents().document().candidates().empty(), 60'000);
  documents().load(documents().document().candidates().front()->id);
  QTRY_VERIFY_WITH_TIMEOUT(m_window->schedule().shown() && m_window->bridge().running().empty(),
                           60'000);
}

bool TestRealMeasurement::measure() {
  MeasureFlow &flow = m_window->measuring();
  const QSignalSpy measured(&flow, &MeasureFlow::measured);
  auto *action = m_window->findChild<QAction *>("measure");
  if (!QTest::qWaitFor([&] { return action->isEnabled(); }, 30'000)) return false;
  action->trigger();
  return QTest::qWaitFor([&] { return flow.state() == MeasureFlow::State::Idle; }, 120'000) &&
         measured.size() == 1;
}

void TestRealMeasurement::measuresOnTheDouble() {
  openDefault();
  QVERIFY2(measure(), qPrintable(m_window->measuring().failureText()));
  const auto candidate = m_window->measuring().shownCandidate();
  const measure::KeptMeasurement &kept = *candidate->measurement;
  QVERIFY(kept.times.verified());
  QCOMPARE(cell(MeasurementModel::Machine), "Fake GPU");
  QCOMPARE(cell(MeasurementModel::Driver), "999.01");
  QCOMPARE(cell(MeasurementModel::State), "fresh");
  // The fake GPU takes 20 µs for each kernel.
  QCOMPARE(cell(MeasurementModel::Kernels),
           QString::fromStdString(chart::timeText(20e-6 * double(kept.bundle.kernels.size()))));
  QCOMPARE(m_window->measurements().timeline().timeline().parts.size(),
           kept.bundle.kernels.size() + 1 + (kept.times.gapSeconds() ? 1 : 0));
}

// Compares all numbers of one measurement.
void TestRealMeasurement::showsWhatTheCommandLinePrints() {
  if (!QFile::exists(kBin + "/tessera-cli")) QSKIP("tessera-cli is not built");
  const auto cli = views::test::runProgram(kBin + "/tessera-cli", {"bench", kBundle, "--json"});
  QVERIFY2(cli.exitCode == 0, cli.errors);
  const QJsonObject said = QJsonDocument::fromJson(cli.output).object();
  auto times = bench::measurementFromJson(nlohmann::json::parse(cli.output.constData()));
  QVERIFY2(times, times ? "" : times.error().message.c_str());
  openDefault();
  const auto id = documents().document().candidates().front()->id;
  documents().apply(document::SetMeasurement{id, {.times = *times}});
  const auto text = [](double seconds) { return QString::fromStdString(chart::timeText(seconds)); };
  const QJsonObject run = said["back_to_back"].toObject();
  const double median = run["median"].toDouble(), lower = run["lower_quartile"].toDouble(),
               upper = run["upper_quartile"].toDouble();
  QCOMPARE(cell(MeasurementModel::Median), text(median));
  QCOMPARE(cell(MeasurementModel::Lower), text(lower));
  QCOMPARE(cell(MeasurementModel::Upper), text(upper));
  QCOMPARE(cell(MeasurementModel::Spread),
           QLocale().toString(100 * (upper - lower) / median, 'f', 1) + " %");
  double kernels = 0;
  for (const QJsonValue kernel : said["kernels"].toArray())
    kernels += kernel["launches"].toDouble() * kernel["seconds"]["median"].toDouble();
  QCOMPARE(cell(MeasurementModel::Kernels), text(kernels));
  QCOMPARE(cell(MeasurementModel::Gaps), text(said["gap_seconds"].toDouble()));
  QCOMPARE(cell(MeasurementModel::Allocations),
           text(std::max(0.0, said["allocating"]["median"].toDouble() - median)));
  QCOMPARE(cell(MeasurementModel::Checked), said["verified"].toBool() ? "equal" : "not compared");
  QCOMPARE(cell(MeasurementModel::Machine), said["machine"].toString());
  QCOMPARE(cell(MeasurementModel::Driver), said["driver"].toString());
  QCOMPARE(cell(MeasurementModel::Date), said["date"].toString());
  QVERIFY(cell(MeasurementModel::Clocks)
              .startsWith(QString::number(said["before"]["multiprocessor_mhz"].toInt())));
}

void TestRealMeasurement::aWrongOutputIsSaid() {
  wish("");
  openDefault();
  QVERIFY(!measure());
  QVERIFY(m_window->measuring().failureText().contains("outputs are wrong"));
  const auto candidate = m_window->measuring().shownCandidate();
  QVERIFY(!candidate->measurement && candidate->label.isQuarantined);
}

// Each row of the image is one brighter than the row above it, so its blur is the image without its
// first row and column.
void TestRealMeasurement::runsOnTheUsersImage() {
  openDefault({kEstimate, "input=0:322,0:242"});
  const QString image = m_folder->filePath("rows.pgm"), blurred = m_folder->filePath("blurred.raw");
  writeRows(image, "P5\n322 242\n65535\n", 322, 0, 242, QSysInfo::BigEndian);
  documents().apply(document::SetInputs{"Input input from rows.pgm",
                                        measure::RunInputs().with("input", image.toStdString())});
  QVERIFY(!measure()); // wrong, because the fake GPU still writes the blur of random numbers
  QVERIFY2(m_window->measuring().failureText().contains("outputs are wrong"),
           qPrintable(m_window->measuring().failureText()));
  writeRows(blurred, {}, 320, 1, 240, QSysInfo::LittleEndian);
  wish("write \"" + blurred.toUtf8() + "\"");
  m_window->measuring().retry();
  const auto kept = [&] { return m_window->measuring().shownCandidate()->measurement; };
  QTRY_VERIFY_WITH_TIMEOUT(kept() && kept()->times.verified(), 120'000);
  QSignalSpy verified(&m_window->measuring(), &MeasureFlow::verified);
  m_window->measuring().verifyShown();
  QTRY_COMPARE_WITH_TIMEOUT(verified.size(), 1, 120'000);
  const auto &remarks = m_window->measuring().shownCandidate()->verification->report.remarks;
  QVERIFY(std::ranges::any_of(remarks, [&](const std::string &remark) {
    return remark == "Input input was read from " + image.toStdString() + ".";
  }));
}

void TestRealMeasurement::aDyingWorkerLosesNothing() {
  wish("die cuLaunchKernel");
  openDefault();
  QVERIFY(!measure());
  QVERIFY2(m_window->measuring().failureText().contains("the worker crashed"),
           qPrintable(m_window->measuring().failureText()));
  QVERIFY(documents().document().current());
  // The next worker writes the right outputs.
  wish("write \"" + kBundle.toUtf8() + "/reference/output0.raw\"");
  const QSignalSpy measured(&m_window->measuring(), &MeasureFlow::measured);
  m_window->measuring().retry();
  QTRY_COMPARE_WITH_TIMEOUT(measured.size(), 1, 120'000);
}

// Types the host by keys and adds it.
void TestRealMeasurement::chooseHost(const QString &host) {
  m_window->findChild<QAction *>("showHosts")->trigger();
  auto *line = m_window->findChild<QLineEdit *>("hostLine");
  QTRY_VERIFY(line->isVisible());
  QTest::keyClicks(line, host);
  QTest::keyClick(line, Qt::Key_Return);
}

void TestRealMeasurement::measuresThroughSsh() {
  openDefault();
  chooseHost("me@gpu");
  auto *state = m_window->findChild<QLabel *>("hostState");
  QTRY_COMPARE_WITH_TIMEOUT(state->text(), "me@gpu: Fake GPU", 60'000);
  QVERIFY2(measure(), qPrintable(m_window->measuring().failureText()));
  QVERIFY(m_window->measuring().shownCandidate()->measurement->times.verified());
  QCOMPARE(cell(MeasurementModel::Machine), "Fake GPU");
  QVERIFY(QFile::exists(QString::fromStdString(m_ssh->there()) + "/.cache/tessera/gpu"));
}

void TestRealMeasurement::aHostThatRefusesIsSaid() {
  openDefault();
  chooseHost("nowhere");
  auto *state = m_window->findChild<QLabel *>("hostState");
  QTRY_VERIFY_WITH_TIMEOUT(state->text().contains("Cannot reach nowhere"), 60'000);
  QVERIFY(state->text().contains("log in without a prompt"));
  QVERIFY(!measure());
  QVERIFY2(m_window->measuring().failureText().contains("Cannot reach nowhere"),
           qPrintable(m_window->measuring().failureText()));
  QVERIFY(!m_window->measuring().shownCandidate()->label.isQuarantined);
}

void TestRealMeasurement::aConnectionThatIsLostLosesNothing() {
  bench::test::FakeSsh::wish("DROPS", "1");
  wish("write \"" + kBundle.toUtf8() + "/reference/output0.raw\" die cuLaunchKernel");
  openDefault();
  chooseHost("me@gpu");
  QVERIFY(!measure());
  QVERIFY2(m_window->measuring().failureText().contains("no connection to the GPU"),
           qPrintable(m_window->measuring().failureText()));
  QVERIFY(m_window->measuring().failureText().contains("me@gpu"));
  QVERIFY(!m_window->measuring().shownCandidate()->label.isQuarantined);
  wish("write \"" + kBundle.toUtf8() + "/reference/output0.raw\"");
  const QSignalSpy measured(&m_window->measuring(), &MeasureFlow::measured);
  QTest::mouseClick(
      m_window->findChild<QWidget *>("measureNote")->findChild<QPushButton *>("noteAccept"),
      Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(measured.size(), 1, 120'000);
}

void TestRealMeasurement::withoutADriverItSaysSoAndVerifies() {
  QFile broken(m_folder->filePath("libcuda.so.1"));
  QVERIFY(broken.open(QIODevice::WriteOnly));
  broken.write("no library");
  broken.close();
  qputenv("LD_LIBRARY_PATH", m_folder->path().toUtf8());
  openDefault();
  auto *measure = m_window->findChild<QAction *>("measure");
  QTRY_VERIFY_WITH_TIMEOUT(measure->toolTip().contains("NVIDIA's driver was not found"), 30'000);
  QVERIFY(!measure->isEnabled());
  const QSignalSpy verified(&m_window->measuring(), &MeasureFlow::verified);
  m_window->findChild<QAction *>("verify")->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(m_window->measuring().state() == MeasureFlow::State::Idle, 120'000);
  QVERIFY2(verified.size() == 1, qPrintable(m_window->measuring().failureText()));
  // Looks at the outputs.
  OutputPanel &outputs = m_window->measurements().outputs();
  m_window->findChild<QDockWidget *>("measurements")->raise();
  QTRY_VERIFY(outputs.isVisible());
  QTRY_VERIFY_WITH_TIMEOUT(outputs.view().picture(), 30'000);
  auto *text = outputs.findChild<QLabel *>("outputText");
  const QSize size = outputs.view().picture()->size();
  QVERIFY2(text->text().startsWith(QStringLiteral("%1×%2").arg(size.width()).arg(size.height())),
           qPrintable(text->text()));
  const QPointF middle = outputs.view().placeOf({size.width() / 2, size.height() / 2});
  QTest::mouseMove(&outputs.view(), middle.toPoint());
  QTRY_VERIFY2(text->text().contains("as expected"), qPrintable(text->text()));
  const QImage found = *outputs.view().picture();
  QTest::mouseClick(outputs.findChild<QToolButton *>("outputDifference"), Qt::LeftButton);
  QTRY_VERIFY(outputs.view().picture() && *outputs.view().picture() != found);
  // The colour of pixels that do not differ.
  QCOMPARE(outputs.view().picture()->pixelColor(1, 1), QColor(12, 12, 16));
  outputs.view().setFocus();
  QTest::keyClick(&outputs.view(), Qt::Key_1);
  QCOMPARE(outputs.view().scale(), 1.0);
  QTest::keyClick(&outputs.view(), Qt::Key_Plus);
  QVERIFY(outputs.view().scale() > 1);
  QTest::keyClick(&outputs.view(), Qt::Key_0);
  QTest::mouseClick(outputs.findChild<QToolButton *>("saveOutput"), Qt::LeftButton);
  QPointer<QFileDialog> dialog = outputs.findChild<QFileDialog *>("outputDialog");
  QVERIFY(dialog);
  const QString saved = m_folder->filePath("difference.png");
  emit dialog->fileSelected(saved);
  dialog->reject();
  QTRY_VERIFY(QFile::exists(saved));
  QCOMPARE(QImage(saved).size(), size);
}

QTEST_MAIN(TestRealMeasurement)
#include "tst_real_measurement.moc"
