// SPDX-License-Identifier: GPL-3.0-or-later
// The frame around the docks: layouts, windows off the screens, the tour, accessible names.
#include "../test_pipelines.h"
#include "test_window.h"
#include "views/window/window_settings.h"
#include "views/tour/card_place.h"
#include "views/tour/tour.h"

#include <QAccessible>
#include <QAction>
#include <QDockWidget>
#include <QGuiApplication>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <set>

using namespace tessera;
using namespace tessera::views;

class TestWindowFrame : public QObject {
  Q_OBJECT
private slots:
  void init();
  void savesAndSwitchesLayouts();
  void managesLayoutsByKeys();
  void aLayoutOfAnotherVersionIsTold();
  void restoresTheDefaultLayout();
  void docksOffTheScreensComeBack();
  void fitsASmallScreen();
  void theTourPointsAtWidgets();
  void theTourComesOnce();
  void cardsStandBesideTheirTargets();
  void everyWidgetOfEveryDockHasAName();
  void emptyTablesSayWhy();

private:
  QDockWidget &dock(const char *name) { return *m_test->child<QDockWidget>(name); }
  void saveLayout(const QString &name);
  QPushButton &button(const char *name) { return *m_test->child<QPushButton>(name); }
  QStringList nameless();

  std::unique_ptr<test::TestWindow> m_test;
};

void TestWindowFrame::init() {
  m_test = std::make_unique<test::TestWindow>();
  m_test->makeWindow();
}

void TestWindowFrame::saveLayout(const QString &name) {
  m_test->action("Save Layout As")->trigger();
  QTRY_VERIFY(m_test->child<QInputDialog>("layoutName"));
  auto *dialog = m_test->child<QInputDialog>("layoutName");
  auto *line = dialog->findChild<QLineEdit *>();
  line->selectAll();
  QTest::keyClicks(line, name);
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_VERIFY(!m_test->child<QInputDialog>("layoutName"));
}

void TestWindowFrame::savesAndSwitchesLayouts() {
  QVERIFY(!m_test->child<QMenu>("layoutMenu")->menuAction()->isEnabled());
  QVERIFY(m_test->open("a.hlpipe"));
  saveLayout("All");
  dock("stages").hide();
  dock("problems").setFloating(true);
  saveLayout("Few && one");
  m_test->action("All")->trigger();
  QVERIFY(!dock("stages").isHidden());
  QVERIFY(!dock("problems").isFloating());
  m_test->action("Few")->trigger();
  QVERIFY(dock("stages").isHidden());
  QVERIFY(dock("problems").isFloating());
  // Both the shown layout and the saved layouts are restored after a restart.
  m_test->window().close();
  m_test->makeWindow();
  QVERIFY(m_test->open("a.hlpipe"));
  QVERIFY(dock("stages").isHidden());
  m_test->action("All")->trigger();
  QVERIFY(!dock("stages").isHidden());
}

void TestWindowFrame::managesLayoutsByKeys() {
  QVERIFY(m_test->open("a.hlpipe"));
  saveLayout("One");
  dock("stages").hide();
  saveLayout("Two");
  m_test->action("Manage Layouts")->trigger();
  auto *list = m_test->child<QListView>("layoutList");
  QTRY_VERIFY(list && list->isVisible());
  QCOMPARE(list->model()->rowCount(), 2);
  QTest::keyClick(list, Qt::Key_Return); // switches to the first layout of the list
  QVERIFY(!dock("stages").isHidden());
  QTest::keyClick(list, Qt::Key_F2);
  auto *line = list->viewport()->findChild<QLineEdit *>();
  QVERIFY(line);
  line->selectAll();
  QTest::keyClicks(line, "Everything");
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_COMPARE(list->model()->index(0, 0).data().toString(), "Everything");
  list->setCurrentIndex(list->model()->index(1, 0));
  QTest::keyClick(list, Qt::Key_Delete);
  QCOMPARE(list->model()->rowCount(), 1);
  QVERIFY(m_test->action("Everything"));
}

void TestWindowFrame::aLayoutOfAnotherVersionIsTold() {
  m_test->settings().beginWriteArray("layouts", 1);
  m_test->settings().setArrayIndex(0);
  m_test->settings().setValue("name", "Old");
  m_test->settings().setValue("docks", QByteArray("what another version wrote"));
  m_test->settings().endArray();
  m_test->makeWindow();
  QVERIFY(m_test->open("a.hlpipe"));
  const QByteArray before = layoutOf(m_test->window());
  m_test->action("Old")->trigger();
  QCOMPARE(layoutOf(m_test->window()), before);
}

void TestWindowFrame::restoresTheDefaultLayout() {
  QVERIFY(m_test->open("a.hlpipe"));
  for (QDockWidget *one : m_test->window().findChildren<QDockWidget *>())
    one->hide();
  dock("code").setFloating(true);
  m_test->action("Restore Default Layout")->trigger();
  for (QDockWidget *one : m_test->window().findChildren<QDockWidget *>()) {
    QVERIFY2(!one->isHidden(), qPrintable(one->objectName()));
    QVERIFY2(!one->isFloating(), qPrintable(one->objectName()));
  }
}

void TestWindowFrame::docksOffTheScreensComeBack() {
  QVERIFY(m_test->open("a.hlpipe"));
  dock("problems").setFloating(true);
  dock("problems").setGeometry(20'000, 20'000, 400, 300);
  const auto isReachable = [&] {
    for (const QScreen *screen : QGuiApplication::screens())
      if (screen->availableGeometry().intersects(dock("problems").geometry())) return true;
    return false;
  };
  QVERIFY(!isReachable());
  rescueAll(m_test->window());
  QVERIFY(isReachable());
  // A layout that was saved on a screen that is gone is rescued, too.
  dock("problems").setGeometry(20'000, 20'000, 400, 300);
  const QByteArray lost = layoutOf(m_test->window());
  rescueAll(m_test->window());
  QVERIFY(restoreLayout(m_test->window(), lost));
  QVERIFY(isReachable());
}

// The window fits on the screen from the start, also with all docks shown.
void TestWindowFrame::fitsASmallScreen() {
  m_test->makeWindow({1280, 720});
  QCOMPARE(m_test->window().height(), 720);
  QVERIFY(m_test->open("small.hlpipe"));
  m_test->window().resize(1280, 719);
  QTRY_COMPARE(m_test->window().height(), 719);
}

void TestWindowFrame::theTourPointsAtWidgets() {
  QVERIFY(!m_test->child<QAction>("tour")->isEnabled());
  QVERIFY(m_test->open("a.hlpipe"));
  dock("candidates").hide();
  m_test->child<QAction>("tour")->trigger();
  auto *tour = m_test->child<Tour>("tour");
  QVERIFY(tour && tour->isVisible());
  QStringList titles;
  std::set<QWidget *> targets;
  while (tour->current() >= 0) {
    titles << m_test->child<QLabel>("tourTitle")->text();
    QVERIFY2(tour->target() && tour->target()->isVisible(), qPrintable(titles.last()));
    targets.insert(tour->target());
    QCOMPARE(button("tourBack").isEnabled(), titles.size() > 1);
    QVERIFY(m_test->window().rect().contains(tour->geometry()));
    QTest::keyClick(tour, Qt::Key_Right);
    QVERIFY(titles.size() <= 6);
  }
  QCOMPARE(titles.size(), 6);
  QCOMPARE(targets.size(), std::size_t(6));
  QTRY_VERIFY(!m_test->child<Tour>("tour"));
  // The second tour goes back once and is then skipped.
  m_test->child<QAction>("tour")->trigger();
  tour = m_test->child<Tour>("tour");
  QTest::mouseClick(&button("tourNext"), Qt::LeftButton);
  QTest::mouseClick(&button("tourBack"), Qt::LeftButton);
  QCOMPARE(m_test->child<QLabel>("tourTitle")->text(), titles.first());
  QTest::keyClick(tour, Qt::Key_Escape);
  QTRY_VERIFY(!m_test->child<Tour>("tour"));
}

void TestWindowFrame::theTourComesOnce() {
  m_test->window().offerTour();
  QVERIFY(!m_test->child<Tour>("tour"));
  QVERIFY(m_test->open("a.hlpipe"));
  QTRY_VERIFY(m_test->child<Tour>("tour"));
  QTest::mouseClick(&button("tourSkip"), Qt::LeftButton);
  QTRY_VERIFY(!m_test->child<Tour>("tour"));
  m_test->makeWindow();
  m_test->window().offerTour();
  QVERIFY(m_test->open("a.hlpipe"));
  QVERIFY(!m_test->child<Tour>("tour"));
}

void TestWindowFrame::cardsStandBesideTheirTargets() {
  const QRect room(0, 0, 1000, 800);
  const QSize card(300, 160);
  for (const QRect &target : {QRect(10, 10, 50, 30), QRect(700, 100, 290, 600),
                              QRect(100, 700, 600, 90), QRect(0, 0, 500, 800)}) {
    const QRect placed = cardPlace(target, card, room);
    QVERIFY(room.contains(placed));
    QVERIFY(!placed.intersects(target));
  }
  QVERIFY(room.contains(cardPlace(room, card, room))); // there is no room beside the target
  QVERIFY(cardPlace(QRect(0, 0, 900, 700), QSize(950, 780), room).isValid());
}

// The visible widgets that can have the focus but have no accessible name.
QStringList TestWindowFrame::nameless() {
  QStringList found;
  for (QWidget *widget : m_test->window().findChildren<QWidget *>()) {
    if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
    if (widget->objectName().startsWith(QLatin1String("qt_"))) continue; // Qt's own parts
    // The widget's own name is read first, because the interface of an empty tab bar hides it.
    if (!widget->accessibleName().isEmpty()) continue;
    QAccessibleInterface *face = QAccessible::queryAccessibleInterface(widget);
    if (!face || !face->text(QAccessible::Name).isEmpty()) continue;
    found << QStringLiteral("%1 %2 in %3 %4")
                 .arg(widget->metaObject()->className(), widget->objectName(),
                      widget->parentWidget()->metaObject()->className(),
                      widget->parentWidget()->objectName());
  }
  return found;
}

void TestWindowFrame::everyWidgetOfEveryDockHasAName() {
  QStringList all = nameless(); // on the start page
  QVERIFY(m_test->open("a.hlpipe"));
  QVERIFY(m_test->search());
  for (QDockWidget *one : m_test->window().findChildren<QDockWidget *>()) {
    QVERIFY2(!one->accessibleName().isEmpty(), qPrintable(one->objectName()));
    one->show();
    one->raise();
    QTRY_VERIFY2(one->widget()->isVisible(), qPrintable(one->objectName()));
    for (QTabWidget *tabs : one->findChildren<QTabWidget *>())
      for (int tab = 0; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        all += nameless();
      }
    all += nameless();
  }
  for (const char *action : {"find-action", "tour"}) {
    m_test->child<QAction>(action)->trigger();
    all += nameless();
  }
  all.removeDuplicates();
  QVERIFY2(all.isEmpty(), qPrintable(all.join('\n')));
}

// An empty table shows a reason instead of column titles. The titles return with the first row.
void TestWindowFrame::emptyTablesSayWhy() {
  auto &services = m_test->services();
  services.open.open = [open = services.open.open](const open::OpenRequest &wanted,
                                                   std::stop_token stop,
                                                   const job::ProgressCallback &progress) {
    auto opened = open(wanted, stop, progress);
    if (opened && wanted.path.find("clean") != std::string::npos)
      opened->pipeline = test::layeredPipeline(6, 1);
    return opened;
  };
  m_test->makeWindow();
  const auto note = [&](const char *table) {
    return m_test->child<QTableView>(table)->findChild<QLabel *>("emptyNote");
  };
  const auto hasTitles = [&](const char *table) {
    return m_test->child<QTableView>(table)->horizontalHeader()->isVisible();
  };
  QVERIFY(m_test->open("clean.hlpipe"));
  dock("problems").raise();
  QTRY_VERIFY(note("problems")->isVisible());
  QVERIFY(note("problems")->text().contains("no problems"));
  QVERIFY(!hasTitles("problems"));
  auto *filter = m_test->child<QLineEdit>("stageFilter");
  QVERIFY(!note("stageTable")->isVisible());
  filter->setFocus();
  QTest::keyClicks(filter, "nothing is called so");
  QVERIFY(note("stageTable")->isVisible() && !hasTitles("stageTable"));
  QCOMPARE(note("stageTable")->size(), m_test->child<QTableView>("stageTable")->viewport()->size());
  filter->selectAll();
  QTest::keyClick(filter, Qt::Key_Delete);
  QVERIFY(!note("stageTable")->isVisible() && hasTitles("stageTable"));
  QVERIFY(m_test->open("small.hlpipe"));
  QTRY_VERIFY(!note("problems")->isVisible() && hasTitles("problems"));
}

QTEST_MAIN(TestWindowFrame)
#include "tst_window_frame.moc"
