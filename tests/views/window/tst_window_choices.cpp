// SPDX-License-Identifier: GPL-3.0-or-later
// What the choices of a decision show in the window.
#include "../test_pipelines.h"
#include "test_window.h"
#include "views/decisions/choice_popup.h"
#include "views/decisions/decision_panel.h"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace tessera;
using namespace tessera::views;

class TestWindowChoices : public QObject {
  Q_OBJECT
private slots:
  void init();
  void sayWhatWasMeasured();
  void freezeWhatIsNotFrozen();

private:
  DecisionPanel &decisions() { return m_test->window().decisions(); }
  QTableView &choices() { return decisions().popup().table(); }
  void ask(const QModelIndex &cell);
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

// Freeze All is enabled while no decision of the stage is frozen, and Unfreeze All after all of
// them are.
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

QTEST_MAIN(TestWindowChoices)
#include "tst_window_choices.moc"
