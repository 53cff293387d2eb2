// SPDX-License-Identifier: GPL-3.0-or-later
// The document in the window, with clicks and keys alone: search, decide, freeze, undo, save, open,
// compare, recover.
#include "../test_pipelines.h"
#include "views/window/main_window.h"
#include "views/candidates/candidate_panel.h"
#include "views/dag/dag_panel.h"
#include "views/decisions/choice_popup.h"
#include "views/decisions/decision_panel.h"
#include "views/text/table_text.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace tessera;
using namespace tessera::views;
using schedule::DecisionColumn;

class TestWindowDocument : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup();

  void modelsKeepTheirWord();
  void decidesByKeysAndUndoes();
  void choosesForSeveralStages();
  void filtersChoices();
  void asksBesideANode();
  void freezesCellsAndRows();
  void searchesAgainAroundDecisions();
  void marksWhatDiffers();
  void registersHaveARowOfTheirOwn();
  void startsFromTheDefault();
  void selectionIsShared();
  void copiesTheTable();
  void savesByKeysAndOpensAgain();
  void asksBeforeWorkIsLost();
  void exportsTheSchedule();
  void saysWhatADamagedDocumentLost();
  void offersARecovery();
  void candidatesAreLoadedPinnedAndNamed();
  void keepsImportsAndRemovesCandidates();
  void followsASearch();

private:
  void makeWindow();
  QString file(const QString &name);
  void open(const QString &name);
  void search();
  void chooseFile(const char *dialog, const QString &path);
  template <typename T>
  T *child(const char *name) {
    return m_window->findChild<T *>(QString::fromLatin1(name));
  }
  DocumentFlow &documents() { return m_window->documents(); }
  DecisionPanel &decisions() { return m_window->decisions(); }
  ChoicePopup &popup() { return decisions().popup(); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(m_window.get(), key, modifiers);
  }
  // Goes to a cell as the arrow keys would.
  void goTo(const QString &stage, DecisionColumn column);
  void askHere();
  QString cell(const QString &stage, DecisionColumn column);

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<MainWindow> m_window;
};

void TestWindowDocument::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  makeWindow();
}

void TestWindowDocument::makeWindow() {
  WindowServices services;
  services.open = test::cannedService();
  services.schedule = test::cannedScheduleService();
  services.kernels = test::cannedKernelService();
  services.document.recoveryFolder = m_folder->filePath("recovery").toStdString();
  services.document.scratchFolder = m_folder->filePath("scratch").toStdString();
  services.document.version = "test";
  m_window = std::make_unique<MainWindow>(std::move(services), *m_settings);
  m_window->resize(1400, 900);
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
  QApplication::setActiveWindow(m_window.get());
}

void TestWindowDocument::cleanup() { m_window.reset(); }

QString TestWindowDocument::file(const QString &name) {
  QFile made(m_folder->filePath(name));
  if (!made.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(name));
  made.write("content");
  return made.fileName();
}

void TestWindowDocument::open(const QString &name) {
  m_window->openFile(file(name));
  QTRY_VERIFY(documents().hasDocument() && !documents().document().candidates().empty());
  QTRY_VERIFY(m_window->dag().isLaidOut());
}

void TestWindowDocument::search() {
  key(Qt::Key_R, Qt::ControlModifier);
  QTRY_VERIFY(documents().document().current());
  QTRY_VERIFY(!m_window->schedule().isRunning());
}

void TestWindowDocument::chooseFile(const char *name, const QString &path) {
  QTRY_VERIFY(child<QFileDialog>(name));
  auto *dialog = child<QFileDialog>(name);
  QTRY_VERIFY(dialog->isVisible());
  auto *line = dialog->findChild<QLineEdit *>("fileNameEdit");
  line->setText(path);
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_VERIFY(!child<QFileDialog>(name));
  QApplication::setActiveWindow(m_window.get()); // as a window manager would
}

void TestWindowDocument::goTo(const QString &stage, DecisionColumn column) {
  QTableView &table = decisions().table();
  const QAbstractItemModel &model = *table.model();
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, 0).data().toString() == stage)
      table.setCurrentIndex(model.index(row, DecisionModel::sectionOf(column)));
  table.setFocus();
}

QString TestWindowDocument::cell(const QString &stage, DecisionColumn column) {
  const QAbstractItemModel &model = *decisions().table().model();
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, 0).data().toString() == stage)
      return model.index(row, DecisionModel::sectionOf(column)).data().toString();
  return {};
}

void TestWindowDocument::askHere() {
  QTest::keyClick(&decisions().table(), Qt::Key_Return);
  QVERIFY(popup().isVisible());
  QTRY_VERIFY(!popup().isLooking());
}

void TestWindowDocument::modelsKeepTheirWord() {
  DecisionModel decisionModel;
  ChoiceModel choiceModel;
  CandidateModel candidateModel;
  const QAbstractItemModelTester first(&decisionModel), second(&choiceModel),
      third(&candidateModel);
  const ShownSchedulePtr shown =
      showSchedule(test::defaultFound(test::smallPipeline()), QStringLiteral("h200"));
  decisionModel.setSchedule(shown);
  QCOMPARE(decisionModel.rowCount(), 4); // the whole schedule, two funcs, an update
  decisionModel.setComparison(shown->found.schedule, "same");
  QVERIFY(!decisionModel.index(1, 1).data(DecisionModel::DifferentRole).toBool());
  document::choicesFor(shown->found.schedule, pipeline::StageId{0}, machine::Machine{}, {},
                       [&](document::Choices choices) { choiceModel.append(std::move(choices)); });
  QVERIFY(choiceModel.rowCount() > 3);
  choiceModel.clear(1);
  decisionModel.setSchedule(showSchedule(test::defaultFound(test::layeredPipeline(9, 1)), "h200"));
  QCOMPARE(decisionModel.rowCount(), 10);
  decisionModel.setSchedule(nullptr);
  std::vector<document::CandidatePtr> kept;
  for (const std::uint64_t id : {1, 2, 5}) {
    document::CandidateLabel label;
    label.isRemoved = id == 2;
    kept.push_back(std::make_shared<const document::KeptCandidate>(document::KeptCandidate{
        id, label, {}, std::string(), shown->found.schedule, std::string("h200"), {}, {}}));
    candidateModel.setCandidates(kept);
  }
  QCOMPARE(candidateModel.rowCount(), 2); // one candidate was removed
  candidateModel.setCurrent(shown);
  QCOMPARE(candidateModel.index(0, CandidateModel::Relative).data().toString(), "current");
  candidateModel.setCandidates({});
}

void TestWindowDocument::decidesByKeysAndUndoes() {
  open("blur.hlpipe");
  search();
  goTo("blur_x", DecisionColumn::Compute);
  const QString before = cell("blur_x", DecisionColumn::Compute);
  const double predicted = m_window->schedule().shown()->found.prediction.seconds;
  askHere();
  QVERIFY(popup().table().model()->rowCount() > 0);
  QTest::keyClick(&popup().filterLine(), Qt::Key_Down);
  QTest::keyClick(&popup().filterLine(), Qt::Key_Up);
  const QString value = popup().table().model()->index(0, ChoiceModel::Value).data().toString();
  QTest::keyClick(&popup().filterLine(), Qt::Key_Return);
  QVERIFY(!popup().isVisible());
  QTRY_COMPARE(cell("blur_x", DecisionColumn::Compute), value);
  QVERIFY(value != before);
  auto *undo = child<QAction>("undo");
  QVERIFY2(undo->text().contains("compute place of blur_x"), qPrintable(undo->text()));
  QVERIFY(m_window->isWindowModified());
  key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_COMPARE(cell("blur_x", DecisionColumn::Compute), before);
  QCOMPARE(m_window->schedule().shown()->found.prediction.seconds, predicted);
  key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_COMPARE(cell("blur_x", DecisionColumn::Compute), value);
  // A decision of the user is frozen, and the tool tip says so.
  const QModelIndex index = decisions().table().currentIndex();
  QCOMPARE(index.data(DecisionModel::FrozenRole).toInt(), int(DecisionModel::Frozen::Yes));
  QCOMPARE(index.data(DecisionModel::OriginRole).toInt(), int(schedule::Origin::User));
  QVERIFY(index.data(Qt::ToolTipRole).toString().contains("Decided by you"));
}

// Choosing a value for the same decision of several stages is one step. The value is legal for all
// of them.
void TestWindowDocument::choosesForSeveralStages() {
  open("blur.hlpipe");
  search();
  QTableView &table = decisions().table();
  goTo("blur_x", DecisionColumn::Unroll);
  table.selectionModel()->clearSelection();
  int stages = 0;
  for (int row = 0; row < table.model()->rowCount(); ++row) {
    const QModelIndex index = table.model()->index(row, table.currentIndex().column());
    if (const QString name = index.siblingAtColumn(0).data().toString();
        name == "blur_x" || name == "blur_y") {
      table.selectionModel()->select(index, QItemSelectionModel::Select);
      ++stages;
    }
  }
  QCOMPARE(stages, 2);
  const QString before[] = {cell("blur_x", DecisionColumn::Unroll),
                            cell("blur_y", DecisionColumn::Unroll)};
  askHere();
  QVERIFY2(popup().state().contains("for all 2 stages"), qPrintable(popup().state()));
  QVERIFY(popup().table().model()->rowCount() > 0);
  QCOMPARE(child<QLabel>("choiceTitle")->text(), "Unroll of 2 stages");
  QTest::keyClick(&popup().filterLine(), Qt::Key_Return);
  QTRY_VERIFY(cell("blur_x", DecisionColumn::Unroll) != before[0] ||
              cell("blur_y", DecisionColumn::Unroll) != before[1]);
  QVERIFY2(documents().undoName().startsWith("Unroll of 2 stages: "),
           qPrintable(documents().undoName()));
  key(Qt::Key_Z, Qt::ControlModifier); // undoes the change of both stages at once
  QTRY_COMPARE(cell("blur_x", DecisionColumn::Unroll), before[0]);
  QCOMPARE(cell("blur_y", DecisionColumn::Unroll), before[1]);
}

void TestWindowDocument::filtersChoices() {
  open("blur.hlpipe");
  search();
  goTo("blur_y", DecisionColumn::Tile);
  askHere();
  const int all = popup().table().model()->rowCount();
  QVERIFY(all > 3);
  // The choices are sorted by time, and each of them changes the cell.
  double last = 0;
  for (int row = 0; row < all; ++row) {
    const double seconds =
        popup().table().model()->index(row, 0).data(ChoiceModel::SortRole).toDouble();
    QVERIFY(seconds >= last);
    last = seconds;
  }
  QTest::keyClicks(&popup().filterLine(), "unrolled");
  const int left = popup().table().model()->rowCount();
  QVERIFY(left > 0 && left < all);
  QTest::keyClick(&popup().filterLine(), Qt::Key_Escape);
  QVERIFY(!popup().isVisible());
  QVERIFY(documents().undoName().startsWith("Schedule")); // nothing was chosen
}

void TestWindowDocument::asksBesideANode() {
  open("blur.hlpipe");
  search();
  m_window->selection().select(Subject::stage(pipeline::StageId{1}));
  m_window->dag().setFocus();
  key(Qt::Key_D, Qt::ControlModifier);
  QVERIFY(popup().isVisible());
  QTRY_VERIFY(!popup().isLooking());
  // All decisions of the stage are listed with their names.
  QVERIFY(!popup().table().isColumnHidden(ChoiceModel::Decision));
  QVERIFY(popup().table().model()->rowCount() > 5);
  QTest::mouseClick(popup().table().viewport(), Qt::LeftButton, {},
                    popup().table().visualRect(popup().table().model()->index(1, 1)).center());
  QTRY_VERIFY(documents().undoName().contains("blur_y"));
}

void TestWindowDocument::freezesCellsAndRows() {
  open("blur.hlpipe");
  search();
  goTo("blur_y", DecisionColumn::Tile);
  QTest::keyClick(&decisions().table(), Qt::Key_Space);
  QCOMPARE(documents().undoName(), "Freeze tile of blur_y");
  const auto frozen = [&] {
    return DecisionModel::Frozen(
        decisions().table().currentIndex().data(DecisionModel::FrozenRole).toInt());
  };
  QCOMPARE(frozen(), DecisionModel::Frozen::Yes);
  QTest::keyClick(&decisions().table(), Qt::Key_Space);
  QCOMPARE(documents().undoName(), "Unfreeze tile of blur_y");
  QCOMPARE(frozen(), DecisionModel::Frozen::No);
  QTest::keyClick(&decisions().table(), Qt::Key_Home); // the name stands for the whole row
  QTest::keyClick(&decisions().table(), Qt::Key_Space);
  QCOMPARE(documents().undoName(), "Freeze blur_y");
  QCOMPARE(frozen(), DecisionModel::Frozen::Yes);
  key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(frozen(), DecisionModel::Frozen::No);
  m_window->selection().select(Subject::stage(pipeline::StageId{1}));
  key(Qt::Key_L, Qt::ControlModifier);
  QCOMPARE(documents().undoName(), "Freeze blur_y");
}

void TestWindowDocument::searchesAgainAroundDecisions() {
  open("blur.hlpipe");
  auto *around = child<QAction>("searchAround");
  QVERIFY(!around->isEnabled());
  QVERIFY(around->toolTip().contains("Nothing is frozen"));
  search();
  goTo("blur_y", DecisionColumn::Tile);
  QTest::keyClick(&decisions().table(), Qt::Key_Space);
  QTRY_VERIFY(around->isEnabled());
  QSignalSpy found(&m_window->schedule(), &ScheduleFlow::found);
  key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_COMPARE(found.size(), 1);
  QVERIFY(documents().hasFrozen());
  key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_COMPARE(found.size(), 2);
  QVERIFY(m_window->statusBar()->currentMessage().contains("found nothing faster"));
}

void TestWindowDocument::marksWhatDiffers() {
  open("blur.hlpipe");
  search();
  goTo("blur_y", DecisionColumn::Tile);
  askHere();
  QTest::keyClick(&popup().filterLine(), Qt::Key_Return);
  auto *comparison = child<QComboBox>("comparison");
  QTRY_VERIFY(comparison->count() >= 2);
  QCOMPARE(comparison->itemText(1), "default");
  comparison->setFocus();
  QTest::keyClick(comparison, Qt::Key_Down);
  QTRY_COMPARE(decisions().comparedWith(), documents().document().candidates()[0]->id);
  const QModelIndex index = decisions().table().currentIndex();
  QTRY_VERIFY(index.data(DecisionModel::DifferentRole).toBool());
  QVERIFY(index.data(Qt::ToolTipRole).toString().contains("default: "));
  QVERIFY(index.siblingAtColumn(0).data(DecisionModel::DifferentRole).toBool());
}

void TestWindowDocument::registersHaveARowOfTheirOwn() {
  open("blur.hlpipe");
  search();
  goTo("all kernels", DecisionColumn::Registers);
  QCOMPARE(cell("all kernels", DecisionColumn::Registers), "64");
  askHere();
  QTest::keyClicks(&popup().filterLine(), "128");
  QCOMPARE(popup().table().model()->rowCount(), 1);
  QTest::keyClick(&popup().filterLine(), Qt::Key_Return);
  QTRY_COMPARE(cell("all kernels", DecisionColumn::Registers), "128");
  QCOMPARE(documents().undoName(), "register cap: 128");
}

void TestWindowDocument::startsFromTheDefault() {
  open("blur.hlpipe");
  auto *start = child<QPushButton>("startFromDefault");
  QVERIFY(start->isVisible());
  QTest::mouseClick(start, Qt::LeftButton);
  QTRY_VERIFY(decisions().table().isVisible());
  QCOMPARE(documents().undoName(), "Load default");
  key(Qt::Key_Z, Qt::ControlModifier);
  QTRY_VERIFY(start->isVisible());
}

void TestWindowDocument::selectionIsShared() {
  open("blur.hlpipe");
  search();
  goTo("blur_y", DecisionColumn::Loops);
  QTRY_COMPARE(m_window->selection().active(), std::optional(Subject::stage(pipeline::StageId{1})));
  m_window->selection().select(Subject::stage(pipeline::StageId{0}));
  QTRY_COMPARE(decisions().table().currentIndex().siblingAtColumn(0).data().toString(), "blur_x");
  QCOMPARE(decisions().table().currentIndex().column(),
           DecisionModel::sectionOf(DecisionColumn::Loops));
}

void TestWindowDocument::copiesTheTable() {
  open("blur.hlpipe");
  search();
  const QAbstractItemModel &table = *decisions().table().model();
  const QString csv = csvOf(table), markdown = markdownOf(table);
  QCOMPARE(csv.count('\n'), table.rowCount() + 1);
  QVERIFY(csv.startsWith("Stage,Compute,"));
  QVERIFY(markdown.startsWith("| Stage | Compute |"));
  QCOMPARE(markdown.section('\n', 1, 1).count("---"), table.columnCount());
  decisions().filterLine().setText("blur_x");
  QCOMPARE(csvOf(table).count('\n'), table.rowCount() + 1); // only the visible rows are exported
  QVERIFY(table.rowCount() < 4);
}

void TestWindowDocument::savesByKeysAndOpensAgain() {
  open("blur.hlpipe");
  search();
  const QString path = m_folder->filePath("mine.tessera");
  key(Qt::Key_S, Qt::ControlModifier);
  chooseFile("saveDialog", path);
  QTRY_VERIFY(m_window->windowTitle().startsWith("mine.tessera"));
  QVERIFY(!m_window->isWindowModified());
  goTo("blur_y", DecisionColumn::Tile);
  QTest::keyClick(&decisions().table(), Qt::Key_Space);
  QVERIFY(m_window->isWindowModified());
  key(Qt::Key_S, Qt::ControlModifier); // the document has a file now, so no dialog asks for one
  QTRY_VERIFY(!m_window->isWindowModified());
  const schedule::Schedule saved = *documents().document().current();
  m_window.reset();
  makeWindow();
  m_window->openFile(path);
  QTRY_VERIFY(documents().hasDocument());
  QVERIFY(*documents().document().current() == saved);
  QTRY_VERIFY(m_window->schedule().shown());
  QCOMPARE(documents().undoName(), "Freeze tile of blur_y");
  QVERIFY(m_window->windowTitle().startsWith("mine.tessera"));
}

void TestWindowDocument::asksBeforeWorkIsLost() {
  open("blur.hlpipe");
  search(); // a schedule alone is enough for the program to ask
  m_window->openFile(file("other.hlpipe"));
  auto *question = child<QMessageBox>("unsaved");
  QVERIFY(question);
  QTest::keyClick(question->button(QMessageBox::Cancel), Qt::Key_Space);
  QTRY_VERIFY(!child<QMessageBox>("unsaved"));
  QVERIFY(m_window->windowTitle().startsWith("blur"));
  m_window->openFile(file("other.hlpipe"));
  QTest::keyClick(child<QMessageBox>("unsaved")->button(QMessageBox::Discard), Qt::Key_Space);
  QTRY_VERIFY(m_window->windowTitle().startsWith("other"));
  QVERIFY(!documents().hasWork());
}

void TestWindowDocument::exportsTheSchedule() {
  open("blur.hlpipe");
  QVERIFY(!child<QAction>("exportSchedule")->isEnabled());
  search();
  key(Qt::Key_E, Qt::ControlModifier);
  const QString path = m_folder->filePath("found.schedule.h");
  chooseFile("exportDialog", path);
  QTRY_COMPARE(m_window->statusBar()->currentMessage(), "Exported to " + path);
  QVERIFY(QFile::exists(path));
}

void TestWindowDocument::saysWhatADamagedDocumentLost() {
  open("blur.hlpipe");
  search();
  const QString path = m_folder->filePath("mine.tessera");
  key(Qt::Key_S, Qt::ControlModifier);
  chooseFile("saveDialog", path);
  QTRY_VERIFY(!m_window->isWindowModified());
  QFile document(path);
  QVERIFY(document.open(QIODevice::ReadWrite));
  QByteArray bytes = document.readAll();
  bytes.replace("Schedule with auto", "Schedule with otto");
  document.seek(0);
  document.write(bytes);
  document.close();
  m_window->openFile(path);
  QTRY_COMPARE(documents().lost(), QStringList{"history"});
  QTRY_VERIFY(child<QWidget>("noteBar")->isVisible());
  QVERIFY(m_window->windowTitle().startsWith("blur")); // the document has no file any more
}

void TestWindowDocument::offersARecovery() {
  open("blur.hlpipe");
  search();
  goTo("blur_y", DecisionColumn::Tile);
  QTest::keyClick(&decisions().table(), Qt::Key_Space);
  const schedule::Schedule edited = *documents().document().current();
  QDir recovery(m_folder->filePath("recovery"));
  QByteArray left;
  QTRY_VERIFY([&] {
    for (const QString &name : recovery.entryList({"*.journal"})) {
      QFile journal(recovery.filePath(name));
      left = journal.open(QIODevice::ReadOnly) ? journal.readAll() : QByteArray();
    }
    return left.contains("Freeze tile");
  }());
  m_window.reset();
  QFile crashed(recovery.filePath("crashed.journal")); // no running program has locked it
  QVERIFY(crashed.open(QIODevice::WriteOnly));
  crashed.write(left);
  crashed.close();
  makeWindow();
  auto *bar = child<QWidget>("recoveryBar");
  QTRY_VERIFY(bar->isVisible());
  QTest::mouseClick(bar->findChild<QPushButton *>("noteAccept"), Qt::LeftButton);
  QTRY_VERIFY(documents().hasDocument());
  QVERIFY(*documents().document().current() == edited);
  QVERIFY(documents().document().current()->marks() == edited.marks());
  QVERIFY(m_window->isWindowModified());
  const auto isLogged = [&] { // lines are added to the log in batches, so this may take a moment
    const LogModel &log = m_window->log();
    for (int row = 0; row < log.rowCount(); ++row)
      if (log.index(row, LogModel::Text).data().toString().endsWith("was recovered")) return true;
    return false;
  };
  QTRY_VERIFY(isLogged());
}

void TestWindowDocument::candidatesAreLoadedPinnedAndNamed() {
  open("blur.hlpipe");
  QTableView &table = m_window->candidates().table();
  qobject_cast<QDockWidget *>(m_window->candidates().parentWidget())->raise();
  QTRY_VERIFY(table.isVisible());
  table.setCurrentIndex(table.model()->index(0, CandidateModel::Name));
  table.setFocus();
  const auto cell = [&](CandidateModel::Column column) {
    return table.model()->index(0, column).data().toString();
  };
  QCOMPARE(cell(CandidateModel::Name), "default");
  QVERIFY(cell(CandidateModel::Predicted).endsWith(" ms"));
  QTest::keyClick(&table, Qt::Key_Return);
  QCOMPARE(documents().undoName(), "Load default");
  QTRY_COMPARE(cell(CandidateModel::Relative), "current");
  QTest::keyClick(&table, Qt::Key_A);
  QCOMPARE(cell(CandidateModel::Pin), "A");
  QTest::keyClick(&table, Qt::Key_B); // pin B replaces pin A on the same candidate
  QCOMPARE(cell(CandidateModel::Pin), "B");
  key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(cell(CandidateModel::Pin), "A");
  table.setCurrentIndex(table.model()->index(0, CandidateModel::Name));
  QTest::keyClick(&table, Qt::Key_F2);
  auto *editor = table.findChild<QLineEdit *>();
  QVERIFY(editor);
  editor->setText("baseline");
  QTest::keyClick(editor, Qt::Key_Return);
  QTRY_COMPARE(cell(CandidateModel::Name), "baseline");
  QCOMPARE(documents().undoName(), "Rename default");
  QVERIFY(!child<QToolButton>("measureCandidate")->isEnabled());
  QVERIFY(child<QToolButton>("measureCandidate")->toolTip().contains("without its workers"));
}

void TestWindowDocument::keepsImportsAndRemovesCandidates() {
  open("blur.hlpipe");
  QVERIFY(!child<QToolButton>("keepCurrent")->isEnabled());
  search();
  goTo("blur_y", DecisionColumn::Tile);
  askHere();
  QTest::keyClick(&popup().filterLine(), Qt::Key_Return);
  QTRY_VERIFY(!m_window->schedule().isPredicting());
  QTableView &table = m_window->candidates().table();
  const int before = table.model()->rowCount();
  QTest::mouseClick(child<QToolButton>("keepCurrent"), Qt::LeftButton);
  QCOMPARE(table.model()->rowCount(), before + 1);
  QCOMPARE(documents().document().candidates().back()->label.name, std::string("mine 1"));
  const auto row =
      m_window->candidates().model().rowOf(documents().document().candidates().back()->id);
  QVERIFY(row);
  for (int r = 0; r < table.model()->rowCount(); ++r)
    if (table.model()->index(r, CandidateModel::Name).data().toString() == "mine 1")
      table.setCurrentIndex(table.model()->index(r, CandidateModel::Name));
  QTest::keyClick(&table, Qt::Key_Delete);
  QCOMPARE(table.model()->rowCount(), before);
  key(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(table.model()->rowCount(), before + 1);
}

void TestWindowDocument::followsASearch() {
  open("endless.hlpipe");
  key(Qt::Key_R, Qt::ControlModifier);
  QTRY_COMPARE(m_window->candidates().curve().points().size(), std::size_t(1));
  QCOMPARE(m_window->candidates().curve().points()[0].predicted,
           m_window->schedule().shown()->found.prediction.milliseconds());
  m_window->schedule().stop();
  QVERIFY(documents().document().current());
}

QTEST_MAIN(TestWindowDocument)
#include "tst_window_document.moc"
