// SPDX-License-Identifier: GPL-3.0-or-later
// What the choices of a decision show in the window.
#include "../test_pipelines.h"
#include "test_window.h"
#include "views/decisions/choice_popup.h"
#include "views/decisions/decision_panel.h"
#include "views/stages/stage_panel.h"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

using namespace tessera;
using namespace tessera::views;

class TestWindowChoices : public QObject {
  Q_OBJECT
private slots:
  void init();
  void sayWhatWasMeasured();
  void freezeWhatIsNotFrozen();
  void oneKeyUnfreezesAPartlyFrozenStage();
  void anyLegalNumberMayBeTyped();
  void whatIsNotLegalSaysWhy();
  void whatIsComparedShowsBothValues();
  void stagesShowBothValues();
  void aSearchAsksBeforeItTakesASlowerSchedule();

private:
  DecisionPanel &decisions() { return m_test->window().decisions(); }
  QTableView &choices() { return decisions().popup().table(); }
  void ask(const QModelIndex &cell);
  void openAndSearch();
  QModelIndex cell(const QString &stage, schedule::DecisionColumn column);
  // Types into the open popup, and waits until the popup lists the values that match.
  void type(const QString &text);
  QStringList shownValues();
  QAction *inMenu(const QModelIndex &cell, const QString &start);
  void answer(Qt::Key key) { QTest::keyClick(&decisions().popup().filterLine(), key); }

  std::unique_ptr<test::TestWindow> m_test;
};

void TestWindowChoices::init() {
  m_test = std::make_unique<test::TestWindow>();
  m_test->services().measure = test::cannedMeasureService(std::make_shared<test::CannedGpu>());
  m_test->makeWindow();
}

void TestWindowChoices::ask(const QModelIndex &cell) {
  decisions().table().setFocus();
  decisions().table().setCurrentIndex(cell);
  QTest::keyClick(&decisions().table(), Qt::Key_Return);
  QTRY_VERIFY(decisions().popup().isVisible() && !decisions().popup().isLooking());
}

void TestWindowChoices::openAndSearch() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  m_test->child<QAction>("goTo.decisions")->trigger();
}

QModelIndex TestWindowChoices::cell(const QString &stage, schedule::DecisionColumn column) {
  const QAbstractItemModel &rows = *decisions().table().model();
  for (int row = 0; row < rows.rowCount(); ++row)
    if (rows.index(row, 0).data().toString() == stage)
      return rows.index(row, DecisionModel::sectionOf(column));
  return {};
}

void TestWindowChoices::type(const QString &text) {
  decisions().popup().filterLine().clear();
  QTest::keyClicks(&decisions().popup().filterLine(), text);
  QTRY_VERIFY(!decisions().popup().isLooking());
}

QStringList TestWindowChoices::shownValues() {
  QStringList values;
  for (int row = 0; row < choices().model()->rowCount(); ++row)
    values << choices().model()->index(row, ChoiceModel::Value).data().toString();
  return values;
}

// The entry of the cell's context menu whose text begins with `start`.
QAction *TestWindowChoices::inMenu(const QModelIndex &cell, const QString &start) {
  QTableView &table = decisions().table();
  table.scrollTo(cell);
  emit table.customContextMenuRequested(table.visualRect(cell).center());
  const QList<QMenu *> menus = decisions().findChildren<QMenu *>("decisionMenu");
  if (menus.isEmpty()) return nullptr;
  QMenu *menu = menus.last(); // the earlier menus are closed
  QAction *found = nullptr;
  for (QAction *action : menu->actions())
    if (action->text().startsWith(start)) found = action;
  menu->close();
  return found;
}

// A value that leads back to a measured schedule is offered with the measured time.
void TestWindowChoices::sayWhatWasMeasured() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  m_test->child<QAction>("goTo.decisions")->trigger();
  const QAbstractItemModel &rows = *decisions().table().model();
  QModelIndex place; // the Compute cell of blur_x
  for (int row = 0; row < rows.rowCount(); ++row)
    if (rows.index(row, 0).data().toString() == "blur_x")
      place = rows.index(row, DecisionModel::sectionOf(schedule::DecisionColumn::Compute));
  QVERIFY(place.isValid());
  ask(place);
  QVERIFY(choices().isColumnHidden(ChoiceModel::Measured)); // there are no measurements yet
  answer(Qt::Key_Escape);
  QSignalSpy measured(&m_test->window().measuring(), &MeasureFlow::measured);
  QTRY_VERIFY(m_test->child<QAction>("measure")->isEnabled());
  m_test->child<QAction>("measure")->trigger();
  QTRY_COMPARE(measured.size(), 1);
  const double seconds =
      m_test->window().measuring().shownCandidate()->measurement->times.backToBack.median;
  const QString before = place.data().toString();
  ask(place);
  answer(Qt::Key_Return);
  QTRY_VERIFY(place.data().toString() != before);
  ask(place);
  QVERIFY(!choices().isColumnHidden(ChoiceModel::Measured));
  QStringList times;
  for (int row = 0; row < choices().model()->rowCount(); ++row) {
    const auto text = [&](ChoiceModel::Column column) {
      return choices().model()->index(row, column).data().toString();
    };
    QCOMPARE(!text(ChoiceModel::Measured).isEmpty(), text(ChoiceModel::Value) == before);
    if (const QString time = text(ChoiceModel::Measured); !time.isEmpty()) times << time;
  }
  QCOMPARE(times, QStringList(threeDigits(seconds * 1e3) + " ms"));
}

// Freeze All is enabled while no decision of the stage is frozen. Unfreeze All is enabled when all
// of them are frozen.
void TestWindowChoices::freezeWhatIsNotFrozen() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  m_test->child<QAction>("goTo.decisions")->trigger();
  const QModelIndex stage = decisions().table().model()->index(0, 0);
  const QString freeze = "Freeze All", unfreeze = "Unfreeze All";
  QVERIFY(inMenu(stage, freeze)->isEnabled());
  QVERIFY(!inMenu(stage, unfreeze)->isEnabled());
  inMenu(stage, freeze)->trigger();
  QTRY_VERIFY(!inMenu(stage, freeze)->isEnabled());
  QVERIFY(inMenu(stage, unfreeze)->isEnabled());
  inMenu(stage, unfreeze)->trigger();
  QTRY_VERIFY(inMenu(stage, freeze)->isEnabled());
  QVERIFY(!inMenu(stage, unfreeze)->isEnabled());
}

// The menu says in advance what the key will do.
void TestWindowChoices::oneKeyUnfreezesAPartlyFrozenStage() {
  openAndSearch();
  const QModelIndex tile = cell("blur_y", schedule::DecisionColumn::Tile);
  QVERIFY(tile.isValid());
  decisions().table().setFocus();
  decisions().table().setCurrentIndex(tile);
  QTest::keyClick(&decisions().table(), Qt::Key_Space);
  QAction *key = m_test->action("Unfreeze blur_y (");
  QVERIFY2(key->text().endsWith("Are Frozen)"), qPrintable(key->text()));
  QVERIFY(
      tile.siblingAtColumn(0).data(Qt::ToolTipRole).toString().contains("decisions are frozen"));
  m_test->key(Qt::Key_L, Qt::ControlModifier);
  const DocumentFlow &documents = m_test->window().documents();
  QCOMPARE(documents.undoName(), "Unfreeze blur_y");
  QCOMPARE(documents.frozenCount(), 0);
  QCOMPARE(key->text(), "Freeze blur_y");
  m_test->key(Qt::Key_L, Qt::ControlModifier);
  QCOMPARE(documents.undoName(), "Freeze blur_y");
  QVERIFY(documents.frozenCount() > 2);
  QCOMPARE(key->text(), "Unfreeze blur_y");
}

void TestWindowChoices::anyLegalNumberMayBeTyped() {
  openAndSearch();
  const QModelIndex tile = cell("blur_y", schedule::DecisionColumn::Tile);
  ask(tile);
  const int listed = choices().model()->rowCount();
  QVERIFY(!shownValues().filter(": 12").contains("x_thread: 12"));
  type("12");
  QVERIFY2(shownValues().contains("x_thread: 12"), qPrintable(shownValues().join(", ")));
  type("x_thread 12");
  QCOMPARE(shownValues(), QStringList("x_thread: 12"));
  decisions().popup().filterLine().clear();
  QTRY_COMPARE(choices().model()->rowCount(), listed); // the typed value is gone
  type("x_thread 12");
  answer(Qt::Key_Return);
  QTRY_VERIFY2(tile.data().toString().contains("12"), qPrintable(tile.data().toString()));
  QVERIFY(m_test->window().documents().undoName().endsWith("x_thread: 12"));
  QCOMPARE(tile.data(DecisionModel::OriginRole).toInt(), int(schedule::Origin::User));
}

void TestWindowChoices::whatIsNotLegalSaysWhy() {
  openAndSearch();
  ask(cell("blur_y", schedule::DecisionColumn::Tile));
  type("x_thread 4096");
  QCOMPARE(choices().model()->rowCount(), 0);
  const QString why = decisions().popup().state();
  QVERIFY2(why.contains("x_thread: 4096 is not legal: ") && why.contains("threads"),
           qPrintable(why));
  answer(Qt::Key_Return); // there is nothing to choose
  QVERIFY(decisions().popup().isVisible());
  type("nonsense");
  QVERIFY2(decisions().popup().state().contains("nonsense"),
           qPrintable(decisions().popup().state()));
  answer(Qt::Key_Escape);
}

void TestWindowChoices::whatIsComparedShowsBothValues() {
  openAndSearch();
  const QModelIndex tile = cell("blur_y", schedule::DecisionColumn::Tile);
  const QString before = tile.data().toString();
  ask(tile);
  type("x_thread 12");
  answer(Qt::Key_Return);
  QTRY_VERIFY(tile.data().toString() != before);
  const QString now = tile.data().toString();
  auto *only = m_test->child<QToolButton>("onlyDifferent");
  QVERIFY(!only->isVisible());
  const QAbstractItemModel &rows = *decisions().table().model();
  const int all = rows.rowCount();
  decisions().compareWith(m_test->window().documents().document().candidates().front()->id);
  QCOMPARE(tile.data().toString(), QString("%1 ≠ %2").arg(now, before));
  QCOMPARE(tile.data(DecisionModel::OwnTextRole).toString(), now);
  QCOMPARE(tile.data(DecisionModel::OtherTextRole).toString(), before);
  QVERIFY(tile.data(Qt::AccessibleTextRole).toString().contains("in default: " + before));
  QVERIFY(only->isVisible());
  QTest::mouseClick(only, Qt::LeftButton);
  QVERIFY(only->isChecked());
  QVERIFY(rows.rowCount() > 0 && rows.rowCount() < all);
  for (int row = 0; row < rows.rowCount(); ++row)
    QVERIFY(rows.index(row, 0).data(DecisionModel::DifferentRole).toBool());
  using schedule::DecisionColumn;
  const auto isHidden = [&](DecisionColumn column) {
    return decisions().table().isColumnHidden(DecisionModel::sectionOf(column));
  };
  QVERIFY(!isHidden(DecisionColumn::Tile) && isHidden(DecisionColumn::Compute));
  QTest::mouseClick(only, Qt::LeftButton);
  QCOMPARE(rows.rowCount(), all);
  QVERIFY(!isHidden(DecisionColumn::Compute));
  QTest::mouseClick(only, Qt::LeftButton);
  decisions().compareWith(0); // without a comparison, all rows are shown again
  QCOMPARE(rows.rowCount(), all);
  QCOMPARE(tile.data().toString(), now);
}

void TestWindowChoices::stagesShowBothValues() {
  openAndSearch();
  StagePanel &stages = m_test->window().stages();
  const QAbstractItemModel &rows = *stages.table().model();
  const int all = rows.rowCount();
  ask(cell("blur_x", schedule::DecisionColumn::Compute));
  type("inline");
  answer(Qt::Key_Return);
  QTRY_COMPARE(cell("blur_x", schedule::DecisionColumn::Compute).data().toString(), "inline");
  QTRY_VERIFY(!stages.onlyDifferent().isHidden());
  QCOMPARE(rows.rowCount(), all);
  stages.onlyDifferent().setChecked(true);
  QVERIFY(rows.rowCount() > 0 && rows.rowCount() < all);
  QString kernel;
  for (int row = 0; row < rows.rowCount(); ++row) {
    QVERIFY(rows.index(row, 0).data(StageTableModel::DifferentRole).toBool());
    if (rows.index(row, StageTableModel::Name).data().toString() == "blur_x")
      kernel = rows.index(row, StageTableModel::Kernel).data().toString();
  }
  QCOMPARE(kernel, "inlined ≠ 1");
  stages.onlyDifferent().setChecked(false);
  QCOMPARE(rows.rowCount(), all);
}

// The fake search finds the default schedule, which is slower than one with blur_x inlined.
void TestWindowChoices::aSearchAsksBeforeItTakesASlowerSchedule() {
  openAndSearch();
  QVERIFY(
      m_test->child<QToolBar>("tools")->actions().contains(m_test->child<QAction>("searchAround")));
  ask(cell("blur_x", schedule::DecisionColumn::Compute));
  answer(Qt::Key_Return); // the fastest
  DocumentFlow &documents = m_test->window().documents();
  QTRY_COMPARE(documents.frozenCount(), 1);
  QVERIFY(m_test->child<QAction>("schedule")->toolTip().contains("frozen"));
  const schedule::Schedule mine = *documents.document().current();
  QVERIFY(m_test->search());
  QVERIFY(*documents.document().current() == mine); // its decision is frozen
  documents.setFrozen({{pipeline::FuncId{0}, 0, schedule::DecisionKind::Compute, 0}}, false, "it");
  QCOMPARE(documents.frozenCount(), 0);
  QVERIFY(m_test->search());
  QVERIFY(*documents.document().current() == mine); // the found schedule is slower
  QPushButton *use = nullptr;
  for (auto *button : m_test->window().findChildren<QPushButton *>("noteAccept"))
    if (button->isVisible()) use = button;
  QVERIFY(use);
  QVERIFY2(use->text().remove('&').startsWith("Use "), qPrintable(use->text()));
  QTest::mouseClick(use, Qt::LeftButton);
  QTRY_VERIFY(*documents.document().current() != mine);
  QVERIFY(documents.undoName().startsWith("Load "));
}

QTEST_MAIN(TestWindowChoices)
#include "tst_window_choices.moc"
