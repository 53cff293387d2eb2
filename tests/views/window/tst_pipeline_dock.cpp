// SPDX-License-Identifier: GPL-3.0-or-later
// The Pipeline dock with clicks and keys: sizes, parameters, another GPU, what-if numbers, tools.
#include "../machine_files.h"
#include "../test_pipelines.h"
#include "test_window.h"
#include "views/candidates/candidate_panel.h"
#include "views/pipeline/machine_page.h"
#include "views/pipeline/pipeline_panel.h"
#include "views/pipeline/size_page.h"
#include "views/tables/input_model.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

using namespace tessera;
using namespace tessera::views;

class TestPipelineDock : public QObject {
  Q_OBJECT
private slots:
  void init();
  void showsWhatIsOpen();
  void opensAtANamedSize();
  void changesSizesByKeys();
  void refusesWhatIsNoSize();
  void namesAndForgetsSizes();
  void givesInputsByKeys();
  void refusesWhatDoesNotFit();
  void givesNumbersToScalarsByKeys();
  void refusesWhatIsNoNumber();
  void listsWhatIsLost();
  void runsTheGeneratorAgain();
  void changesAMachineAndPredicts();
  void choosesAMachine();
  void candidatesAreOfTheMachineThatIsChosen();
  void testsTools();

private:
  void go(int tab);
  void type(QTableView &table, const QModelIndex &index, const QString &text);
  void answer(const char *dialog, const QString &text);
  QModelIndex machineNumber(const char *field, int column);
  QTableView &table(const char *name) { return *m_test->child<QTableView>(name); }
  QPushButton &button(const char *name) { return *m_test->child<QPushButton>(name); }
  const open::OpenRequest &request() { return m_test->window().flow().document()->request; }

  std::shared_ptr<test::MachineFiles> m_machines;
  std::unique_ptr<test::TestWindow> m_test;
};

void TestPipelineDock::init() {
  m_test = std::make_unique<test::TestWindow>();
  m_machines = std::make_shared<test::MachineFiles>();
  for (const std::string name : {"a100", "h200"})
    m_machines->add(test::plainMachine(name));
  WindowServices &services = m_test->services();
  services.machines = test::serviceOf(m_machines);
  services.schedule.predict = [machines =
                                   m_machines](const schedule::Schedule &schedule,
                                               const std::string &name) -> Result<FoundSchedule> {
    return FoundSchedule{schedule, cost::predict(schedule, machines->find(name).value())};
  };
}

void TestPipelineDock::go(int tab) {
  m_test->child<QAction>("goTo.pipeline")->trigger();
  m_test->window().pipeline().tabs().setCurrentIndex(tab);
  QTRY_VERIFY(m_test->window().pipeline().isVisible());
}

// Types as a user would: makes the cell current and opens it with F2.
void TestPipelineDock::type(QTableView &view, const QModelIndex &index, const QString &text) {
  view.setFocus();
  view.setCurrentIndex(index);
  QTest::keyClick(&view, Qt::Key_F2);
  auto *line = view.viewport()->findChild<QLineEdit *>();
  QVERIFY(line);
  line->selectAll();
  QTest::keyClicks(line, text);
  QTest::keyClick(line, Qt::Key_Return);
  // The editor closes in the next iteration of the event loop.
  QTRY_VERIFY(!view.viewport()->findChild<QLineEdit *>());
}

void TestPipelineDock::answer(const char *name, const QString &text) {
  QTRY_VERIFY(m_test->child<QInputDialog>(name));
  auto *dialog = m_test->child<QInputDialog>(name);
  dialog->setTextValue(text);
  dialog->accept();
  QTRY_VERIFY(!m_test->child<QInputDialog>(name));
}

void TestPipelineDock::showsWhatIsOpen() {
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  go(0);
  QVERIFY(m_test->child<QLabel>("pipelineHead")->text().contains("small.hlpipe"));
  QCOMPARE(table("interface").model()->rowCount(), 2);
  QCOMPARE(m_test->child<QComboBox>("sizes")->currentText(), "As in the file");
  QVERIFY(!button("applySize").isEnabled());
  QVERIFY(m_test->child<QListWidget>("lostDecisions")->isHidden());
  go(2);
  QVERIFY(m_test->child<QLabel>("parameterText")->text().contains("without parameters"));
  QVERIFY(!button("applyParameters").isVisible());
}

void TestPipelineDock::opensAtANamedSize() {
  m_test->makeWindow();
  QVERIFY(m_test->open("sized.hlpipe"));
  go(0);
  auto *sizes = m_test->child<QComboBox>("sizes");
  QCOMPARE(sizes->count(), 3);
  sizes->setFocus();
  QTest::keyClick(sizes, Qt::Key_Down);
  QTRY_COMPARE(request().size, std::string("paper-small"));
  QTRY_VERIFY(sizes->currentText().startsWith("paper-small"));
  QTest::keyClick(sizes, Qt::Key_Up);
  QTRY_COMPARE(request().size, std::string(open::kOwnSize));
}

void TestPipelineDock::changesSizesByKeys() {
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  go(0);
  const QModelIndex size = table("interface").model()->index(0, InterfaceModel::Size);
  type(table("interface"), size, "0:128, 0:96");
  QVERIFY(button("applySize").isEnabled());
  QTest::mouseClick(&button("revertSize"), Qt::LeftButton);
  QCOMPARE(size.data().toString(), "0:64, 0:48");
  QVERIFY(!button("applySize").isEnabled());
  type(table("interface"), size, "0:128, 0:96");
  QTest::keyClick(&button("applySize"), Qt::Key_Space);
  QTRY_COMPARE(request().estimates.size(), std::size_t(1));
  QCOMPARE(request().estimates[0].dims[0].extent(), std::int64_t(128));
  QTRY_COMPARE(m_test->child<QComboBox>("sizes")->currentText(), "Changed by hand");
  // A changed size of another buffer is added to the estimates. A new size of the same buffer
  // replaces its old one.
  const auto now = [&](int row) {
    return table("interface").model()->index(row, InterfaceModel::Size);
  };
  type(table("interface"), now(1), "0:130, 0:96");
  QTest::keyClick(&button("applySize"), Qt::Key_Space);
  QTRY_COMPARE(request().estimates.size(), std::size_t(2));
  type(table("interface"), now(0), "0:32, 0:32");
  QTest::keyClick(&button("applySize"), Qt::Key_Space);
  QTRY_COMPARE(request().estimates[0].dims[0].extent(), std::int64_t(32));
  QCOMPARE(request().estimates.size(), std::size_t(2));
}

void TestPipelineDock::refusesWhatIsNoSize() {
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  go(0);
  const QModelIndex size = table("interface").model()->index(0, InterfaceModel::Size);
  type(table("interface"), size, "64");
  auto *note = m_test->child<QLabel>("sizeNote");
  QVERIFY(note->isVisible());
  QVERIFY(note->text().contains("2 dimensions"));
  QVERIFY(!button("applySize").isEnabled());
  type(table("interface"), size, "0:32, 0:32");
  QVERIFY(!note->isVisible());
}

void TestPipelineDock::namesAndForgetsSizes() {
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  go(0);
  QVERIFY(!button("deleteSize").isEnabled());
  type(table("interface"), table("interface").model()->index(0, InterfaceModel::Size),
       "0:320, 0:200");
  QTest::mouseClick(&button("saveSize"), Qt::LeftButton);
  answer("sizeName", "CGA");
  auto *sizes = m_test->child<QComboBox>("sizes");
  // There are two estimates: the size of the output and the size of the input.
  QTRY_COMPARE(request().estimates.size(), std::size_t(2));
  QTRY_COMPARE(sizes->currentText(), "CGA");
  // The saved size is there after a restart, but only for this pipeline.
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  go(0);
  sizes = m_test->child<QComboBox>("sizes");
  QCOMPARE(sizes->findText("CGA"), 1);
  sizes->setFocus();
  QTest::keyClick(sizes, Qt::Key_Down);
  QTRY_COMPARE(sizes->currentText(), "CGA");
  QTRY_COMPARE(request().estimates.size(), std::size_t(2));
  QTRY_VERIFY(button("deleteSize").isEnabled());
  QTest::mouseClick(&button("deleteSize"), Qt::LeftButton);
  QCOMPARE(sizes->findText("CGA"), -1);
  QVERIFY(m_test->open("other.hlpipe"));
  QVERIFY(request().path.ends_with("other.hlpipe"));
  QCOMPARE(m_test->child<QComboBox>("sizes")->count(), 1);
}

void TestPipelineDock::givesInputsByKeys() {
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  go(1);
  const QString image = m_test->path("photo.pgm");
  test::writeImage(image, 66, 48);
  QTableView &inputs = table("inputTable");
  const auto source = [&] { return inputs.model()->index(0, InputModel::RunsOn); };
  const auto chosen = [&] { return m_test->window().documents().document().inputs(); };
  QCOMPARE(inputs.model()->rowCount(), 1);
  QCOMPARE(source().data().toString(), "random numbers");
  QVERIFY(!button("randomInput").isEnabled());
  type(inputs, source(), image);
  QTRY_COMPARE(source().data().toString(), "photo.pgm");
  QCOMPARE(chosen().pathOf("input"), image.toStdString());
  QVERIFY(m_test->child<QLabel>("inputNote")->isHidden());
  QCOMPARE(m_test->window().documents().undoName(), "Input input from photo.pgm");
  QVERIFY(inputs.currentIndex().isValid());
  QVERIFY(button("randomInput").isEnabled());
  QTest::keyClick(&inputs, Qt::Key_Delete);
  QCOMPARE(source().data().toString(), "random numbers");
  m_test->window().documents().undo();
  QCOMPARE(source().data().toString(), "photo.pgm");
  auto *seed = m_test->child<QSpinBox>("inputSeed");
  seed->setFocus();
  QTest::keyClick(seed, Qt::Key_Up);
  QCOMPARE(chosen().seed, 2);
  m_test->window().documents().undo();
  QCOMPARE(seed->value(), 1);
  QCOMPARE(chosen().pathOf("input"), image.toStdString());
  auto *tolerance = m_test->child<QLineEdit>("inputTolerance");
  tolerance->setText("rel=fast");
  QTest::keyClick(tolerance, Qt::Key_Return);
  QVERIFY(m_test->child<QLabel>("inputNote")->text().contains("is not a tolerance"));
  tolerance->setText("share=0.5,rel=0.001");
  QTest::keyClick(tolerance, Qt::Key_Return);
  QCOMPARE(chosen().tolerance.share, 0.5);
  QCOMPARE(tolerance->text(), "rel=0.001,share=0.5");
  m_test->window().documents().undo();
  QVERIFY(chosen().tolerance.isNothing());
  QTest::keyClick(&inputs, Qt::Key_Return);
  QTRY_VERIFY(m_test->child<QDialog>("inputDialog"));
  m_test->child<QDialog>("inputDialog")->reject();
}

void TestPipelineDock::refusesWhatDoesNotFit() {
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  go(1);
  test::writeImage(m_test->path("good.pgm"), 66, 48);
  test::writeImage(m_test->path("small.pgm"), 10, 48);
  QTableView &inputs = table("inputTable");
  const auto source = [&] { return inputs.model()->index(0, InputModel::RunsOn); };
  const auto drop = [&](const QString &path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    return inputs.model()->dropMimeData(&data, Qt::CopyAction, -1, -1, source());
  };
  QVERIFY(drop(m_test->path("good.pgm")));
  QTRY_COMPARE(source().data().toString(), "good.pgm");
  auto *note = m_test->child<QLabel>("inputNote");
  QVERIFY(drop(m_test->path("small.pgm")));
  QTRY_VERIFY2(note->text().contains("it is 10×48") && note->text().contains("takes 66×48"),
               qPrintable(note->text()));
  QVERIFY(note->isVisible());
  QCOMPARE(source().data().toString(), "good.pgm");
  type(inputs, source(), m_test->path("nowhere.png"));
  QTRY_VERIFY2(note->text().contains("nowhere.png") && !note->text().contains("Reading"),
               qPrintable(note->text()));
  QCOMPARE(source().data().toString(), "good.pgm");
}

void TestPipelineDock::givesNumbersToScalarsByKeys() {
  m_test->makeWindow();
  QVERIFY(m_test->open("scalar.hlpipe"));
  QVERIFY(m_test->search());
  DocumentFlow &documents = m_test->window().documents();
  documents.keepCurrent();
  const auto searched = *documents.document().current();
  go(1);
  QTableView &inputs = table("inputTable");
  const auto levels = [&] { return inputs.model()->index(1, InputModel::RunsOn); };
  QCOMPARE(levels().data().toString(), "8");
  // Return opens the number for editing, as F2 does.
  inputs.setFocus();
  inputs.setCurrentIndex(levels());
  QVERIFY(!button("chooseInput").isEnabled());
  QTest::keyClick(&inputs, Qt::Key_Return);
  auto *line = inputs.viewport()->findChild<QLineEdit *>();
  QVERIFY(line);
  QCOMPARE(line->text(), "8");
  line->selectAll();
  QTest::keyClicks(line, "12");
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_COMPARE(levels().data().toString(), "12");
  QCOMPARE(request().estimates.size(), std::size_t(1));
  QCOMPARE(request().estimates[0].scalar, std::string("12"));
  QCOMPARE(inputs.currentIndex().row(), 1); // the row that was edited stays current
  QTRY_VERIFY(documents.document().current());
  QCOMPARE(documents.undoName(), "levels = 12");
  QCOMPARE(m_test->action("Undo")->text().remove('&'), "Undo levels = 12");
  type(inputs, levels(), "16");
  QTRY_COMPARE(levels().data().toString(), "16");
  QTRY_VERIFY(documents.document().current());
  // Undo goes back to the earlier document with its history, and redo goes forward again.
  documents.undo();
  QCOMPARE(levels().data().toString(), "12");
  QCOMPARE(documents.redoName(), "levels = 16");
  documents.undo();
  QCOMPARE(levels().data().toString(), "8");
  QVERIFY(request().estimates.empty());
  QVERIFY(*documents.document().current() == searched);
  QCOMPARE(documents.undoName(), "Schedule with auto");
  documents.undo();
  QVERIFY(!documents.document().current());
  documents.redo();
  QCOMPARE(documents.redoName(), "levels = 12");
  documents.redo();
  QCOMPARE(levels().data().toString(), "12");
  documents.redo();
  QCOMPARE(levels().data().toString(), "16");
  QVERIFY(documents.redoName().isEmpty());
  // After another step, the undone step cannot be redone.
  documents.undo();
  const auto candidate = documents.document().candidates().front();
  documents.rename(candidate->id, "first");
  QVERIFY(documents.redoName().isEmpty());
  documents.undo();
  QCOMPARE(documents.redoName(), "Rename " + QString::fromStdString(candidate->label.name));
  QCOMPARE(documents.undoName(), "levels = 12");
}

void TestPipelineDock::refusesWhatIsNoNumber() {
  m_test->makeWindow();
  QVERIFY(m_test->open("scalar.hlpipe"));
  QVERIFY(m_test->search());
  go(1);
  QTableView &inputs = table("inputTable");
  const auto levels = [&] { return inputs.model()->index(1, InputModel::RunsOn); };
  auto *note = m_test->child<QLabel>("inputNote");
  const auto before = m_test->window().flow().document();
  type(inputs, levels(), "40000");
  QVERIFY(note->isVisible());
  QCOMPARE(note->text(), "levels takes a whole number from -32768 to 32767, not “40000”.");
  QCOMPARE(levels().data().toString(), "8");
  QCOMPARE(m_test->window().flow().document(), before);
  // This number is refused only by the worker, not by the table. The refusal replaces the DAG, and
  // the document stays open.
  type(inputs, levels(), "13");
  QVERIFY(note->isHidden());
  QTRY_COMPARE(m_test->window().flow().state(), OpenFlow::State::Failed);
  QCOMPARE(levels().data().toString(), "8");
  m_test->window().flow().dismiss();
  QCOMPARE(m_test->window().flow().document(), before);
  QCOMPARE(m_test->window().documents().undoName(), "Schedule with auto");
}

void TestPipelineDock::listsWhatIsLost() {
  auto &services = m_test->services();
  services.open.open = [open = services.open.open](const open::OpenRequest &wanted,
                                                   std::stop_token stop,
                                                   const job::ProgressCallback &progress) {
    auto opened = open(wanted, stop, progress);
    if (opened && !wanted.estimates.empty()) opened->pipeline = test::layeredPipeline(6, 1);
    return opened;
  };
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  go(0);
  type(table("interface"), table("interface").model()->index(0, InterfaceModel::Size),
       "0:320, 0:200");
  QTest::keyClick(&button("applySize"), Qt::Key_Space);
  auto *lost = m_test->child<QListWidget>("lostDecisions");
  QTRY_VERIFY(lost->count() > 0);
  QVERIFY(lost->isVisible());
  QStringList texts;
  for (int i = 0; i < lost->count(); ++i)
    texts << lost->item(i)->text();
  QVERIFY2(texts.join('\n').contains("blur_x"), qPrintable(texts.join('\n')));
}

void TestPipelineDock::runsTheGeneratorAgain() {
  m_test->makeWindow();
  MainWindow &window = m_test->window();
  window.openFile(m_test->file("generator"));
  QTRY_COMPARE(window.flow().state(), OpenFlow::State::AskTrust);
  window.flow().allow();
  QTRY_COMPARE(window.flow().state(), OpenFlow::State::AskGenerator);
  window.flow().choose("one", {}, open::OwnSchedule::TakeOff);
  QTRY_VERIFY(window.flow().document());
  go(2);
  QVERIFY(button("applyParameters").isVisible());
  auto *levels = window.pipeline().findChild<QLineEdit *>("parameter.levels");
  QVERIFY(levels);
  QCOMPARE(levels->text(), "8");
  levels->setFocus();
  levels->clear();
  QTest::keyClicks(levels, "5");
  QTest::mouseClick(&button("applyParameters"), Qt::LeftButton);
  QTRY_COMPARE(request().parameters.size(), std::size_t(1));
  QCOMPARE(request().parameters[0].second, std::string("5"));
  QTRY_COMPARE(window.pipeline().findChild<QLineEdit *>("parameter.levels")->text(), "5");
}

QModelIndex TestPipelineDock::machineNumber(const char *field, int column) {
  const QAbstractItemModel &model = *table("machineNumbers").model();
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, 0).data(MachineModel::FieldRole).toString() == QLatin1String(field))
      return model.index(row, column);
  return {};
}

void TestPipelineDock::changesAMachineAndPredicts() {
  m_test->makeWindow();
  MainWindow &window = m_test->window();
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  go(3);
  auto *bar = m_test->child<QComboBox>("machine");
  QCOMPARE(bar->currentText(), "h200");
  QTRY_VERIFY(machineNumber("clock_hz", MachineModel::Value).isValid());
  const double before = window.schedule().shown()->found.prediction.milliseconds();
  type(table("machineNumbers"), machineNumber("clock_hz", MachineModel::Value), "0.1 GHz");
  QTRY_COMPARE(window.schedule().shown()->machine, "h200-what-if");
  const double after = window.schedule().shown()->found.prediction.milliseconds();
  QVERIFY2(after > before, qPrintable(QString("%1 %2").arg(before).arg(after)));
  QCOMPARE(bar->currentText(), "h200-what-if");
  QCOMPARE(window.documents().machine(), "h200-what-if");
  auto *times = m_test->child<QLabel>("machineTimes");
  QTRY_VERIFY2(times->text().contains("; +") && times->text().endsWith(" ms on h200"),
               qPrintable(times->text()));
  QVERIFY(m_test->child<QLabel>("machineState")
              ->text()
              .contains("This is a copy of h200 (values changed: 1);"));
  QCOMPARE(machineNumber("clock_hz", MachineModel::Original).data().toString(), "1.98 GHz");
  // The next change is made to the same copy, and the schedule's time is predicted again for it.
  type(table("machineNumbers"), machineNumber("clock_hz", MachineModel::Value), "0.05 GHz");
  QTRY_VERIFY(window.schedule().shown()->found.prediction.milliseconds() > after);
  QCOMPARE(bar->count(), 3);
  // An impossible number is refused with a note, and nothing changes.
  type(table("machineNumbers"), machineNumber("clock_hz", MachineModel::Value), "-1");
  QTRY_VERIFY(m_test->child<QLabel>("machineNote")->isVisible());
  QCOMPARE(machineNumber("clock_hz", MachineModel::Value).data().toString(), "50 MHz");
  table("machineNumbers").setCurrentIndex(machineNumber("clock_hz", MachineModel::Value));
  QTest::mouseClick(&button("resetNumber"), Qt::LeftButton);
  QTRY_COMPARE(window.schedule().shown()->found.prediction.milliseconds(), before);
  QTest::mouseClick(&button("discardMachine"), Qt::LeftButton);
  QTRY_COMPARE(window.schedule().shown()->machine, "h200");
  QCOMPARE(bar->currentText(), "h200");
  QCOMPARE(bar->count(), 2);
  QTRY_COMPARE(m_machines->list().size(), std::size_t(2));
}

void TestPipelineDock::choosesAMachine() {
  m_test->makeWindow();
  MainWindow &window = m_test->window();
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  go(3);
  auto *choice = m_test->child<QComboBox>("machineChoice");
  QTRY_COMPARE(choice->count(), 2);
  QVERIFY(choice->currentText().startsWith("h200"));
  choice->setFocus();
  QTest::keyClick(choice, Qt::Key_Up);
  QTRY_COMPARE(window.schedule().shown()->machine, "a100");
  QCOMPARE(m_test->child<QComboBox>("machine")->currentText(), "a100");
  // Choosing a machine in the tool bar also changes the page.
  QTest::keyClick(m_test->child<QComboBox>("machine"), Qt::Key_Down);
  QTRY_COMPARE(window.schedule().shown()->machine, "h200");
  QVERIFY(choice->currentText().startsWith("h200"));
  QTest::keyClicks(m_test->child<QLineEdit>("machineFilter"), "latency");
  QCOMPARE(table("machineNumbers").model()->rowCount(), 4);
}

// The list shows predictions for one machine only, because times on several machines cannot be
// compared.
void TestPipelineDock::candidatesAreOfTheMachineThatIsChosen() {
  auto isHeld = std::make_shared<std::atomic<bool>>(false);
  auto &predict = m_test->services().schedule.predict;
  predict = [predict, isHeld](const schedule::Schedule &schedule,
                              const std::string &machine) -> Result<FoundSchedule> {
    while (*isHeld)
      std::this_thread::yield();
    if (machine == "a100") return Error{ErrorCode::InputRefused, "Too many threads.", {}};
    return predict(schedule, machine);
  };
  m_test->makeWindow();
  MainWindow &window = m_test->window();
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  const CandidateModel &model = window.candidates().model();
  const auto cell = [&](CandidateModel::Column column, int role = Qt::DisplayRole) {
    return model.index(0, column).data(role);
  };
  const QString before = cell(CandidateModel::Predicted).toString();
  QVERIFY(before.endsWith(" ms"));
  const auto kept = window.documents().document().candidates().front();
  go(3);
  QTRY_VERIFY(machineNumber("clock_hz", MachineModel::Value).isValid());
  // Until the new prediction is known, the old time is shown with the name of its machine.
  *isHeld = true;
  type(table("machineNumbers"), machineNumber("clock_hz", MachineModel::Value), "0.1 GHz");
  QTRY_COMPARE(cell(CandidateModel::Predicted).toString(), before + " on h200");
  QVERIFY(cell(CandidateModel::Predicted, CandidateModel::ElsewhereRole).toBool());
  *isHeld = false;
  QTRY_VERIFY(!cell(CandidateModel::Predicted, CandidateModel::ElsewhereRole).toBool());
  const QString slower = cell(CandidateModel::Predicted).toString();
  QVERIFY(slower.endsWith(" ms") && slower != before);
  QTRY_COMPARE(window.schedule().shown()->machine, "h200-what-if");
  QTRY_COMPARE(cell(CandidateModel::Relative).toString(), "current");
  QVERIFY(cell(CandidateModel::Predicted, Qt::ToolTipRole).toString().contains("made for h200"));
  // Changes a number of the same machine again.
  type(table("machineNumbers"), machineNumber("clock_hz", MachineModel::Value), "0.05 GHz");
  QTRY_VERIFY(cell(CandidateModel::Predicted).toString() != slower &&
              !cell(CandidateModel::Predicted, CandidateModel::ElsewhereRole).toBool());
  // The list says that the schedule cannot run on the machine. The document keeps the prediction
  // with which the schedule was found.
  auto *bar = m_test->child<QComboBox>("machine");
  bar->setFocus();
  QTest::keyClick(bar, Qt::Key_Home);
  QTRY_COMPARE(cell(CandidateModel::Predicted).toString(), "cannot run");
  QVERIFY(
      cell(CandidateModel::Predicted, Qt::ToolTipRole).toString().contains("Too many threads."));
  QCOMPARE(window.documents().document().candidates().front()->predictedSeconds,
           kept->predictedSeconds);
}

void TestPipelineDock::testsTools() {
  auto &tools = m_test->services().tools;
  tools.find = [](const ToolChoices &choices) {
    host::ToolPaths paths;
    paths.halideWorker = "/bin/halide";
    paths.compiler = choices.compiler.empty() ? "/bin/c++" : choices.compiler;
    return paths;
  };
  tools.check = [](open::Tool tool, const host::ToolPaths &paths,
                   std::stop_token) -> Result<std::string> {
    if (tool == open::Tool::Compiler) return "compiles with " + paths.compiler;
    return Error{ErrorCode::System, "it was not found.", "Install it."};
  };
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe"));
  go(5);
  QTRY_COMPARE(m_test->child<QLabel>("path.halide")->text(), "/bin/halide");
  QCOMPARE(m_test->child<QLabel>("path.ssh")->text(), "not found");
  QTest::mouseClick(&button("test.compiler"), Qt::LeftButton);
  auto *found = m_test->child<QLabel>("found.compiler");
  QTRY_VERIFY2(found->text().contains("compiles with /bin/c++"), qPrintable(found->text()));
  QTest::mouseClick(&button("test.ssh"), Qt::LeftButton);
  QTRY_VERIFY(m_test->child<QLabel>("found.ssh")->text().contains("Install it."));
  // Another compiler is tested at once, but used only after a restart.
  auto *compiler = m_test->child<QLineEdit>("compilerChoice");
  QVERIFY(!m_test->child<QLabel>("toolsLater")->isVisible());
  compiler->setFocus();
  QTest::keyClicks(compiler, "/opt/clang++");
  QTest::keyClick(compiler, Qt::Key_Return);
  QVERIFY(m_test->child<QLabel>("toolsLater")->isVisible());
  QTRY_COMPARE(m_test->child<QLabel>("path.compiler")->text(), "/opt/clang++");
  QTest::mouseClick(&button("testAll"), Qt::LeftButton);
  QTRY_VERIFY(found->text().contains("compiles with /opt/clang++"));
  QCOMPARE(toolChoices(m_test->settings()).compiler, std::string("/opt/clang++"));
}

QTEST_MAIN(TestPipelineDock)
#include "tst_pipeline_dock.moc"
