// SPDX-License-Identifier: GPL-3.0-or-later
// The models behind the Pipeline dock and the layouts: sizes, numbers of GPUs, quantities, names.
#include "../machine_files.h"
#include "../test_pipelines.h"
#include "views/tables/input_model.h"
#include "views/tables/interface_model.h"
#include "views/tables/machine_model.h"
#include "views/flows/machine_flow.h"
#include "views/flows/tool_service.h"
#include "views/settings/named_layouts.h"
#include "views/settings/own_sizes.h"
#include "views/text/quantity_text.h"
#include "views/text/stage_summary.h"

#include <QAbstractItemModelTester>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace tessera;
using namespace tessera::views;
using views::test::plainMachine;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

int rowOf(const MachineModel &model, const char *field) {
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, 0).data(MachineModel::FieldRole).toString() == QLatin1String(field))
      return row;
  return -1;
}

} // namespace

class TestPipelineModels : public QObject {
  Q_OBJECT
private slots:
  void quantitiesAreReadBack_data();
  void quantitiesAreReadBack();
  void quantitiesThatAreNone();
  void oneByteIsOne();
  void interfaceShowsAndTakesSizes();
  void interfaceRefuses();
  void inputsShowWhatTheyRunOn();
  void scalarsAreNumbersOfTheirType();
  void machineNumbers();
  void machineCopiesAreMadeAndDiscarded();
  void aFailedWriteIsTold();
  void layouts();
  void ownSizes();
  void toolChoicesComeFirst();

private:
  QTemporaryDir m_folder;
  std::unique_ptr<QSettings> settings(const char *name) {
    return std::make_unique<QSettings>(m_folder.filePath(name), QSettings::IniFormat);
  }
};

void TestPipelineModels::quantitiesAreReadBack_data() {
  QTest::addColumn<double>("value");
  QTest::addColumn<QString>("unit");
  QTest::addColumn<QString>("text");
  QTest::newRow("KiB") << 49152.0 << "bytes"
                       << "48 KiB";
  QTest::newRow("bytes") << 128.0 << "bytes"
                         << "128 B";
  QTest::newRow("nothing") << 0.0 << "bytes"
                           << "0 B";
  QTest::newRow("MiB") << 60.0 * 1024 * 1024 << "bytes"
                       << "60 MiB";
  QTest::newRow("rate") << 4.02e12 << "bytes/s"
                        << "4.02 TB/s";
  QTest::newRow("clock") << 1.98e9 << "Hz"
                         << "1.98 GHz";
  QTest::newRow("launch") << 4.8e-6 << "s" << QString::fromUtf8("4.8 µs");
  QTest::newRow("count") << 2147483647.0 << ""
                         << "2147483647";
}

void TestPipelineModels::quantitiesAreReadBack() {
  QFETCH(const double, value);
  QFETCH(const QString, unit);
  QFETCH(const QString, text);
  QCOMPARE(quantityText(value, unit), text);
  const auto read = parseQuantity(text, unit);
  QVERIFY(read && qAbs(*read - value) <= qAbs(value) * 1e-12);
  QCOMPARE(parseQuantity(QString::number(value, 'g', 17), unit), std::optional(value));
}

void TestPipelineModels::quantitiesThatAreNone() {
  for (const char *text : {"", "KiB", "four", "1.2.3 KiB", "4 GHz", "4 KiB x"})
    QVERIFY2(!parseQuantity(text, "bytes"), text);
  QCOMPARE(parseQuantity("64kib", "bytes"), std::optional(65536.0));
  QVERIFY(qFuzzyCompare(parseQuantity("5 us", "s").value_or(0), 5e-6));
  QVERIFY(!parseQuantity("5 us", ""));
}

void TestPipelineModels::oneByteIsOne() {
  QCOMPARE(bytesText(1), "1 byte");
  QCOMPARE(bytesText(2), "2 bytes");
  QCOMPARE(bytesText(7 << 20), "7.0 MiB");
}

void TestPipelineModels::interfaceShowsAndTakesSizes() {
  InterfaceModel model;
  const QAbstractItemModelTester tester(&model, kFatal);
  model.setPipeline(test::smallPipeline());
  QCOMPARE(model.rowCount(), 2);
  const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
  QCOMPARE(text(0, InterfaceModel::Name), "blur_y");
  QCOMPARE(text(0, InterfaceModel::Role), "output");
  QCOMPARE(text(0, InterfaceModel::Size), "0:64, 0:48");
  QCOMPARE(text(0, InterfaceModel::Bytes), "12.0 KiB");
  QCOMPARE(text(1, InterfaceModel::Name), "input");
  QCOMPARE(text(1, InterfaceModel::Size), "0:66, 0:48");
  QCOMPARE(model.texts(), QStringList({"blur_y=0:64,0:48", "input=0:66,0:48"}));
  QSignalSpy edited(&model, &InterfaceModel::edited);
  QVERIFY(model.setData(model.index(0, InterfaceModel::Size), "0:128, -2:96", Qt::EditRole));
  QCOMPARE(edited.size(), 1);
  QCOMPARE(model.changes(), 1);
  QVERIFY(model.index(0, 0).data(InterfaceModel::ChangedRole).toBool());
  QCOMPARE(text(0, InterfaceModel::From), "not applied yet");
  const auto wishes = model.changed();
  QCOMPARE(wishes.size(), std::size_t(1));
  QCOMPARE(wishes[0].name, std::string("blur_y"));
  QCOMPARE(wishes[0].dims[1].min, std::int64_t(-2));
  // Entering the old size again is no change, even if it is written without blanks.
  QVERIFY(model.setData(model.index(0, InterfaceModel::Size), "0:64,0:48", Qt::EditRole));
  QCOMPARE(model.changes(), 0);
  for (const char *size : {"10x10", "10 × 10", "10*10", "0:10, 0:10"})
    QVERIFY2(model.setData(model.index(1, InterfaceModel::Size), size, Qt::EditRole), size);
  QCOMPARE(model.texts().back(), "input=0:10,0:10");
  QVERIFY(model.setData(model.index(0, InterfaceModel::Size), "64×48", Qt::EditRole));
  QCOMPARE(model.changes(), 1); // the output has this size already
  model.revertSizes();
  QCOMPARE(model.changes(), 0);
  model.setPipeline(nullptr);
  QCOMPARE(model.rowCount(), 0);
}

void TestPipelineModels::interfaceRefuses() {
  InterfaceModel model;
  model.setPipeline(test::smallPipeline());
  QSignalSpy refused(&model, &InterfaceModel::refused);
  for (const char *text : {"64", "0:64", "0:64,0:48,0:3", "a:b,c:d", "0:0,0:1", "0:64 0:48"})
    QVERIFY2(!model.setData(model.index(0, InterfaceModel::Size), text, Qt::EditRole), text);
  QCOMPARE(refused.size(), 6);
  QVERIFY(refused[0][0].toString().contains("blur_y has 2 dimension"));
  QVERIFY(!(model.flags(model.index(0, InterfaceModel::Name)) & Qt::ItemIsEditable));
  QVERIFY(model.flags(model.index(0, InterfaceModel::Size)) & Qt::ItemIsEditable);
}

void TestPipelineModels::inputsShowWhatTheyRunOn() {
  InputModel model;
  const QAbstractItemModelTester tester(&model, kFatal);
  model.setPipeline(test::smallPipeline("small"));
  QCOMPARE(model.rowCount({}), 1);
  const auto cell = [&](int column) { return model.index(0, column).data().toString(); };
  QCOMPARE(cell(InputModel::Name), "input");
  QCOMPARE(cell(InputModel::Type), "uint16");
  QCOMPARE(cell(InputModel::Size), "66×48");
  QCOMPARE(cell(InputModel::RunsOn), "random numbers");
  QSignalSpy wished(&model, &InputModel::wished);
  QVERIFY(model.setData(model.index(0, InputModel::RunsOn), " /there/a.png ", Qt::EditRole));
  QCOMPARE(wished.size(), 1);
  QCOMPARE(wished[0][1].toString(), "/there/a.png");
  // The model shows the old choice until setInputs() gives it the new one.
  QCOMPARE(cell(InputModel::RunsOn), "random numbers");
  model.setInputs(measure::RunInputs().with("input", "/there/a.png"));
  QCOMPARE(cell(InputModel::RunsOn), "a.png");
  QVERIFY(model.index(0, InputModel::RunsOn).data(InputModel::GivenRole).toBool());
  QVERIFY(!model.setData(model.index(0, InputModel::Size), "1", Qt::EditRole));
  model.setPipeline(nullptr);
  QCOMPARE(model.rowCount({}), 0);
}

void TestPipelineModels::scalarsAreNumbersOfTheirType() {
  const auto pipeline = test::scalarPipeline("small", "8", pipeline::EstimateSource::User);
  InputModel model;
  const QAbstractItemModelTester tester(&model, kFatal);
  model.setPipeline(pipeline);
  const QModelIndex cell = model.index(model.rowOf("levels"), InputModel::RunsOn);
  QCOMPARE(model.rowOf("nothing"), -1);
  QCOMPARE(cell.data().toString(), "8");
  QCOMPARE(cell.data(Qt::EditRole).toString(), "8");
  QVERIFY(cell.data(InputModel::GivenRole).toBool()); // the user chose it
  QVERIFY(!(model.flags(cell) & Qt::ItemIsDropEnabled));
  QSignalSpy number(&model, &InputModel::numberWished), file(&model, &InputModel::wished),
      refused(&model, &InputModel::refused);
  QVERIFY(model.setData(cell, " 12 ", Qt::EditRole));
  QCOMPARE(number.size(), 1);
  QCOMPARE(number[0], QVariantList({"levels", "12"}));
  // The model shows the old number until it gets a pipeline with the new one.
  QCOMPARE(cell.data().toString(), "8");
  QVERIFY(model.setData(cell, "8", Qt::EditRole));
  QCOMPARE(number.size(), 1);
  for (const char *text : {"", "many", "1.5", "32768", "/there/a.png"})
    QVERIFY2(!model.setData(cell, text, Qt::EditRole), text);
  QCOMPARE(refused.size(), 5);
  QCOMPARE(refused[3][0].toString(),
           "levels takes a whole number from -32768 to 32767, not “32768”.");
  QVERIFY(file.isEmpty() && number.size() == 1);
  // The model of the page of sizes refuses 1.5 as well, and accepts -3.
  InterfaceModel sizes;
  sizes.setPipeline(pipeline);
  QVERIFY(!sizes.setData(sizes.index(2, InterfaceModel::Size), "1.5", Qt::EditRole));
  QVERIFY(sizes.setData(sizes.index(2, InterfaceModel::Size), "-3", Qt::EditRole));
  QCOMPARE(sizes.changed()[0].scalar, std::string("-3"));
}

void TestPipelineModels::machineNumbers() {
  MachineModel model;
  const QAbstractItemModelTester tester(&model, kFatal);
  machine::Machine copy = plainMachine("one-what-if");
  copy.memory.dramBytesPerSecond = 8e12;
  model.setMachine(copy, plainMachine("one"));
  const int dram = rowOf(model, "dram_bytes_per_second");
  QVERIFY(dram > 0);
  QCOMPARE(model.index(dram, MachineModel::What).data().toString(), "Bandwidth of device memory");
  QCOMPARE(model.index(dram, MachineModel::Value).data().toString(), "8 TB/s");
  QCOMPARE(model.index(dram, MachineModel::Original).data().toString(), "4.02 TB/s");
  QVERIFY(model.index(dram, 0).data(MachineModel::ChangedRole).toBool());
  QCOMPARE(model.changes(), 1);
  const int shared = rowOf(model, "shared_bytes_per_block");
  QCOMPARE(model.index(shared, MachineModel::Value).data().toString(), "48 KiB");
  QCOMPARE(model.index(shared, MachineModel::Original).data().toString(), "");
  QSignalSpy wanted(&model, &MachineModel::changeWanted), refused(&model, &MachineModel::refused);
  const QModelIndex value = model.index(shared, MachineModel::Value);
  QVERIFY(model.setData(value, "96 KiB", Qt::EditRole));
  QCOMPARE(wanted.size(), 1);
  QCOMPARE(wanted[0][0].toString(), "shared_bytes_per_block");
  QCOMPARE(wanted[0][1].toDouble(), 98304.0);
  QVERIFY(!model.setData(value, "a lot", Qt::EditRole));
  QVERIFY(refused[0][0].toString().contains("48 KiB"));
  QVERIFY(!model.setData(value, "48 KiB", Qt::EditRole)); // the value that it has already
  model.setMachine(std::nullopt, std::nullopt);
  QCOMPARE(model.rowCount(), 0);
}

void TestPipelineModels::machineCopiesAreMadeAndDiscarded() {
  Bridge bridge;
  auto files = std::make_shared<views::test::MachineFiles>();
  files->add(plainMachine("one"));
  MachineFlow flow(views::test::serviceOf(files), bridge);
  QSignalSpy changed(&flow, &MachineFlow::changed), discarded(&flow, &MachineFlow::discarded),
      told(&flow, &MachineFlow::told);
  flow.load();
  QTRY_COMPARE(flow.machines().size(), std::size_t(1));
  flow.change("one", "dram_bytes_per_second", 8e12);
  flow.change("one", "clock_hz", 3e9); // changes the copy made by the first change
  QTRY_COMPARE(changed.size(), 2);
  QCOMPARE(changed[0][0].toString(), "one-what-if");
  const machine::Machine *copy = flow.find("one-what-if");
  QVERIFY(copy);
  QCOMPARE(copy->memory.dramBytesPerSecond, 8e12);
  QCOMPARE(copy->clockHz, 3e9);
  QCOMPARE(files->find("one-what-if"), *copy);
  QCOMPARE(files->find("one"), plainMachine("one")); // the original is unchanged
  flow.reset("one-what-if", "clock_hz");
  QTRY_COMPARE(changed.size(), 3);
  QCOMPARE(flow.find("one-what-if")->clockHz, plainMachine("one").clockHz);
  flow.change("one-what-if", "clock_hz", -1);
  QCOMPARE(told.size(), 1);
  flow.discard("one-what-if");
  QCOMPARE(discarded.size(), 1);
  QCOMPARE(discarded[0][1].toString(), "one");
  QVERIFY(!flow.find("one-what-if"));
  QTRY_VERIFY(!files->find("one-what-if"));
  flow.discard("one"); // only copies can be discarded
  QVERIFY(flow.find("one"));
}

void TestPipelineModels::aFailedWriteIsTold() {
  Bridge bridge;
  MachineService service;
  service.list = [] { return std::vector{plainMachine("one")}; };
  service.save = [](const machine::Machine &) -> Status {
    return Error{ErrorCode::System, "the disk is full", {}};
  };
  MachineFlow flow(service, bridge);
  QSignalSpy changed(&flow, &MachineFlow::changed), told(&flow, &MachineFlow::told);
  flow.load();
  QTRY_COMPARE(flow.machines().size(), std::size_t(1));
  flow.change("one", "clock_hz", 3e9);
  QTRY_COMPARE(told.size(), 1);
  QVERIFY(told[0][0].toString().contains("disk is full"));
  QVERIFY(changed.isEmpty());
}

void TestPipelineModels::layouts() {
  auto file = settings("layouts.ini");
  {
    NamedLayouts layouts(*file);
    const QAbstractItemModelTester tester(&layouts, kFatal);
    QSignalSpy refused(&layouts, &NamedLayouts::refused);
    QVERIFY(layouts.save("Wide", "bytes 1"));
    QVERIFY(layouts.save("  Small ", "bytes 2"));
    QVERIFY(layouts.save("wide", "bytes 3")); // replaces "Wide"
    QCOMPARE(layouts.count(), 2);
    QCOMPARE(layouts.nameAt(0), "wide");
    QCOMPARE(layouts.bytesAt(0), QByteArray("bytes 3"));
    QVERIFY(!layouts.save("  ", "x"));
    QVERIFY(!layouts.setData(layouts.index(0), "SMALL", Qt::EditRole)); // the name is taken
    QVERIFY(!layouts.setData(layouts.index(0), "", Qt::EditRole));
    QCOMPARE(refused.size(), 3);
    QVERIFY(layouts.setData(layouts.index(0), "Wider", Qt::EditRole));
    QVERIFY(layouts.save("Third", "bytes 4"));
    layouts.remove(1);
  }
  file->sync();
  const NamedLayouts again(*settings("layouts.ini"));
  QCOMPARE(again.count(), 2);
  QCOMPARE(again.nameAt(0), "Wider");
  QCOMPARE(again.nameAt(1), "Third");
  QCOMPARE(again.bytesAt(1), QByteArray("bytes 4"));
  QCOMPARE(again.find("THIRD"), std::optional(1));
}

void TestPipelineModels::ownSizes() {
  auto file = settings("sizes.ini");
  OwnSizes sizes(*file);
  sizes.save("a/b", {"4K", {"out=0:3840,0:2160", "gain=1.5"}});
  sizes.save("a/b", {"720p", {"out=0:1280,0:720"}});
  sizes.save("a/b", {"4K", {"out=0:4096,0:2160"}});
  QCOMPARE(sizes.of("a/b").size(), std::size_t(2));
  QCOMPARE(sizes.of("a/b")[0].estimates, QStringList({"out=0:4096,0:2160"}));
  QVERIFY(sizes.of("other").empty());
  sizes.remove("a/b", "4K");
  QCOMPARE(sizes.of("a/b").size(), std::size_t(1));
  QCOMPARE(sizes.of("a/b")[0].name, "720p");
  sizes.save("c", {"bad", {"nonsense"}}); // as if the settings were edited by hand
  QVERIFY(sizes.of("c").empty());
  const auto parsed = estimatesOf({"out=0:1280,-1:720", "nonsense", "gain=2"});
  QCOMPARE(parsed.size(), std::size_t(2));
  QCOMPARE(estimateText(parsed[0]), "out=0:1280,-1:720");
  QCOMPARE(estimateText(parsed[1]), "gain=2");
}

void TestPipelineModels::toolChoicesComeFirst() {
  auto file = settings("tools.ini");
  saveToolChoices({"clang++", "/opt/cuda"}, *file);
  QCOMPARE(toolChoices(*file), (ToolChoices{"clang++", "/opt/cuda"}));
  host::ToolSearch search;
  search.compiler = "g++";
  QCOMPARE(withChoices(search, {}).compiler, std::string("g++"));
  QCOMPARE(withChoices(search, toolChoices(*file)).compiler, std::string("clang++"));
  QCOMPARE(withChoices(search, toolChoices(*file)).cudaFolder, std::string("/opt/cuda"));
}

QTEST_GUILESS_MAIN(TestPipelineModels)
#include "tst_pipeline_tables.moc"
