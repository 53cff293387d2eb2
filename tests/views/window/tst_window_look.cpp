// SPDX-License-Identifier: GPL-3.0-or-later
// How the window looks: colours that follow the theme, the first size and the default layout, the
// shade of the tour, the direction of the DAG.
#include "test_window.h"
#include "views/window/about_dialog.h"
#include "views/dag/dag_panel.h"
#include "views/roofline/roofline_panel.h"
#include "views/tables/stage_table_model.h"
#include "views/theme/theme.h"
#include "views/tour/tour.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QTableView>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace tessera;
using namespace tessera::views;

class TestWindowLook : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup();
  void barsHeadsAndIconsFollowTheTheme();
  void cardsFollowTheTheme();
  void mnemonicsAreDifferent();
  void buttonsLeaveTheLettersOfTheMenus();
  void aboutShowsAllOfItsText();
  void theFirstWindowFitsItsScreen();
  void restoringTheLayoutKeepsTheSize_data();
  void restoringTheLayoutKeepsTheSize();
  void docksHaveRoom();
  void theTourDarkensAllElse();
  void theTourEndsWhereItBegan();
  void theDagCanRunToTheRight();

private:
  MainWindow &window() { return m_test->window(); }
  QDockWidget &dock(const char *name) { return *m_test->child<QDockWidget>(name); }
  bool isInFront(const char *name) { return !dock(name).visibleRegion().isEmpty(); }
  QColor pixel(QWidget &widget, QPoint at) { return widget.grab().toImage().pixelColor(at); }
  QColor inkOf(const QIcon &icon, QIcon::Mode mode = QIcon::Normal);
  // Colours of pixels that are not quite opaque are rounded, so they may differ a little.
  static bool isNear(const QColor &one, const QColor &other) {
    return std::abs(one.red() - other.red()) < 3 && std::abs(one.green() - other.green()) < 3 &&
           std::abs(one.blue() - other.blue()) < 3;
  }
  int lightnessAt(QWidget &widget, QPoint at);

  std::unique_ptr<test::TestWindow> m_test;
};

void TestWindowLook::init() {
  m_test = std::make_unique<test::TestWindow>();
  m_test->makeWindow({1584, 944});
}

void TestWindowLook::cleanup() {
  m_test.reset();
  applyAppearance(Appearance::Light, false);
}

// The colour of the most opaque pixel.
QColor TestWindowLook::inkOf(const QIcon &icon, QIcon::Mode mode) {
  const QImage image = icon.pixmap(QSize(18, 18), mode).toImage();
  QColor most(Qt::transparent);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y).alpha() > most.alpha()) most = image.pixelColor(x, y);
  return most;
}

void TestWindowLook::barsHeadsAndIconsFollowTheTheme() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  for (const bool isDark : {true, false, true}) {
    m_test->action(isDark ? "Dark" : "Light")->trigger();
    const QPalette colors = isDark ? darkPalette() : lightPalette();
    // The application has its palette at once, and its widgets get it with the next event.
    QTRY_COMPARE(window().palette().color(QPalette::Window), colors.color(QPalette::Window));
    QCOMPARE(QApplication::palette().color(QPalette::Base), colors.color(QPalette::Base));
    for (QToolBar *bar : window().findChildren<QToolBar *>()) {
      QVERIFY2(bar->styleSheet().isEmpty(), qPrintable(bar->objectName()));
      QCOMPARE(bar->palette().color(QPalette::Window), colors.color(QPalette::Window));
    }
    auto &tools = *m_test->child<QToolBar>("tools");
    QCOMPARE(pixel(tools, {tools.width() - 3, 4}), colors.color(QPalette::Window));
    QCOMPARE(pixel(tools, {tools.width() - 3, tools.height() - 1}), colors.color(QPalette::Mid));
    int heads = 0;
    for (QHeaderView *head : window().findChildren<QHeaderView *>()) {
      if (!head->isVisible() || head->orientation() != Qt::Horizontal) continue;
      ++heads;
      QCOMPARE(pixel(*head->viewport(), {1, 1}), colors.color(QPalette::Base));
      QCOMPARE(pixel(*head->viewport(), {head->viewport()->width() - 2, 2}),
               colors.color(QPalette::Base));
    }
    QVERIFY(heads >= 2);
    for (const QAction *action : window().findChildren<QAction *>())
      if (!action->icon().isNull() && action->icon().name() == action->objectName())
        QVERIFY(isNear(inkOf(action->icon()), colors.color(QPalette::WindowText)));
    for (const QToolButton *button : window().findChildren<QToolButton *>())
      if (!button->icon().isNull() && button->objectName() == QLatin1String("cancelJob"))
        QVERIFY(isNear(inkOf(button->icon()), colors.color(QPalette::WindowText)));
    QVERIFY(isNear(inkOf(m_test->child<QAction>("open")->icon(), QIcon::Disabled),
                   colors.color(QPalette::Disabled, QPalette::WindowText)));
  }
}

void TestWindowLook::cardsFollowTheTheme() {
  window().openFile(m_test->file("broken.hlpipe"));
  QTRY_COMPARE(window().flow().state(), OpenFlow::State::Failed);
  QWidget *card = nullptr;
  for (QWidget *one : window().findChildren<QWidget *>(QStringLiteral("messageCard")))
    if (one->isVisible()) card = one;
  QVERIFY(card);
  for (const bool isDark : {true, false}) {
    m_test->action(isDark ? "Dark" : "Light")->trigger();
    QTRY_COMPARE(pixel(*card, {card->width() / 2, 6}),
                 (isDark ? darkPalette() : lightPalette()).color(QPalette::Base));
  }
}

// No two entries of a menu have the same letter underlined.
void TestWindowLook::mnemonicsAreDifferent() {
  QVERIFY(m_test->open("small.hlpipe"));
  QList<QMenu *> menus;
  for (QAction *action : window().menuBar()->actions())
    menus << action->menu();
  QVERIFY(menus.size() >= 5);
  for (qsizetype i = 0; i < menus.size(); ++i) {
    std::map<QString, QString> known;
    for (const QAction *action : menus[i]->actions()) {
      if (action->menu()) menus << action->menu();
      const QString letter = QKeySequence::mnemonic(action->text()).toString();
      if (letter.isEmpty() || !action->isVisible()) continue;
      const auto [same, isNew] = known.emplace(letter, action->text());
      QVERIFY2(isNew, qPrintable(menus[i]->title() + ": " + same->second + ", " + action->text()));
    }
  }
}

// With two of the same letter, Alt and that letter do neither.
void TestWindowLook::buttonsLeaveTheLettersOfTheMenus() {
  QVERIFY(m_test->open("small.hlpipe"));
  std::map<QString, QString> menus;
  for (const QAction *action : window().menuBar()->actions())
    menus.emplace(QKeySequence::mnemonic(action->text()).toString(), action->text());
  QVERIFY(menus.size() >= 5);
  int count = 0;
  const auto check = [&](const QString &text) {
    const QString letter = QKeySequence::mnemonic(text).toString();
    if (letter.isEmpty()) return;
    ++count;
    const auto same = menus.find(letter);
    QVERIFY2(same == menus.end(),
             qPrintable(text + (same == menus.end() ? "" : " and the menu " + same->second)));
  };
  for (const auto *button : window().findChildren<QAbstractButton *>())
    if (!qobject_cast<QDialog *>(button->window())) check(button->text());
  for (const auto *label : window().findChildren<QLabel *>())
    if (label->buddy() && !qobject_cast<QDialog *>(label->window())) check(label->text());
  QVERIFY(count > 10);
}

void TestWindowLook::aboutShowsAllOfItsText() {
  AboutDialog dialog({{"Tessera", "1"}, {"Qt", "2"}, {"Halide", "3"}}, nullptr);
  dialog.show();
  QVERIFY(QTest::qWaitForWindowExposed(&dialog));
  for (const QLabel *label : dialog.findChildren<QLabel *>()) {
    QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    QVERIFY(dialog.rect().contains(label->geometry()));
  }
  auto *close = dialog.findChild<QPushButton *>();
  QVERIFY(close && close->icon().isNull()); // Qt's own is black, whatever the palette
  QTest::mouseClick(close, Qt::LeftButton);
  QVERIFY(!dialog.isVisible());
}

void TestWindowLook::theFirstWindowFitsItsScreen() {
  m_test->settings().clear();
  MainWindow fresh(m_test->services(), m_test->settings());
  const QSize screen = QGuiApplication::primaryScreen()->availableGeometry().size();
  const QSize frame(8, 40); // of a window manager with a large title bar
  QVERIFY(fresh.width() + frame.width() <= screen.width());
  QVERIFY(fresh.height() + frame.height() <= screen.height());
  QVERIFY(fresh.minimumSizeHint().height() <= 768 - frame.height());
}

void TestWindowLook::restoringTheLayoutKeepsTheSize_data() {
  QTest::addColumn<QSize>("size");
  QTest::newRow("1366×768") << QSize(1358, 728);
  QTest::newRow("1600×1000") << QSize(1592, 960);
}

// If restoring stacked all docks one above the other, even for a moment, they would need more
// height than these windows have.
void TestWindowLook::restoringTheLayoutKeepsTheSize() {
  QFETCH(const QSize, size);
  m_test->makeWindow(size);
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  QCOMPARE(window().size(), size);
  dock("roofline").setFloating(true);
  dock("stages").hide();
  int resizes = 0;
  struct Counter : QObject {
    explicit Counter(int &count) : m_count(count) {}
    bool eventFilter(QObject *, QEvent *event) override {
      m_count += event->type() == QEvent::Resize;
      return false;
    }
    int &m_count;
  } counter(resizes);
  window().installEventFilter(&counter);
  m_test->action("Restore Default Layout")->trigger();
  QCOMPARE(window().size(), size);
  QCoreApplication::processEvents();
  QCOMPARE(window().size(), size);
  QCOMPARE(resizes, 0); // a resize would end the maximized state of a window
  for (QDockWidget *one : window().findChildren<QDockWidget *>())
    QVERIFY2(!one->isFloating() && !one->isHidden(), qPrintable(one->objectName()));
  for (const char *name : {"stages", "details", "decisions"}) {
    QVERIFY2(isInFront(name), name);
    const QRect place(dock(name).mapTo(&window(), QPoint()), dock(name).size());
    QVERIFY2(window().rect().contains(place), name);
  }
}

void TestWindowLook::docksHaveRoom() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  QTRY_VERIFY(window().bridge().running().empty());
  const auto rowsIn = [](const QTableView &table) {
    return table.viewport()->height() / table.verticalHeader()->defaultSectionSize();
  };
  QVERIFY2(rowsIn(*m_test->child<QTableView>("decisionTable")) >= 9,
           qPrintable(QString::number(rowsIn(*m_test->child<QTableView>("decisionTable")))));
  auto &stages = *m_test->child<QTableView>("stageTable");
  const QHeaderView &head = *stages.horizontalHeader();
  QVERIFY(head.sectionViewportPosition(StageTableModel::Extents) +
              head.sectionSize(StageTableModel::Extents) <=
          stages.viewport()->width());
  QVERIFY(rowsIn(stages) >= 6);
  dock("roofline").raise();
  QTRY_VERIFY(window().roofline().isVisible());
  QVERIFY(m_test->child<QWidget>("rooflineView")->height() >= 250);
  QVERIFY(rowsIn(*m_test->child<QTableView>("rooflineTable")) >= 4);
  QVERIFY(window().dag().view().height() >= 350);
}

// Reads the screen, because grab() would paint anew what a repaint has left out. Returns the
// lightest of 8 × 8 pixels, because a letter of a title may be at `at`.
int TestWindowLook::lightnessAt(QWidget &widget, QPoint at) {
  const QRect place(widget.mapTo(&window(), at), QSize(8, 8));
  const QImage shown = window().screen()->grabWindow(window().winId()).toImage();
  int lightest = 0;
  for (int y = place.top(); y <= place.bottom(); ++y)
    for (int x = place.left(); x <= place.right(); ++x)
      lightest = std::max(lightest, shown.pixelColor(x, y).lightness());
  return lightest;
}

void TestWindowLook::theTourDarkensAllElse() {
  QVERIFY(m_test->open("small.hlpipe"));
  QMenuBar &bar = *window().menuBar();
  const QRect help = bar.actionGeometry(bar.actions().last());
  const QPoint inDag(4, 4), inFile(1, 1), inHelp = help.topLeft() + QPoint(2, 2);
  const QPoint inDock(6, 6);
  const int light = lightnessAt(window().dag(), inDag);
  m_test->child<QAction>("tour")->trigger();
  auto *tour = m_test->child<Tour>("tour");
  QVERIFY(tour);
  for (int step = 0; tour->current() == step; ++step) {
    QCoreApplication::processEvents();
    const bool isDagDark = lightnessAt(window().dag(), inDag) < light - 40;
    QCOMPARE(isDagDark, step > 0);
    for (const char *name : {"decisions", "candidates", "roofline"}) {
      if (!isInFront(name)) continue;
      const bool isTarget = tour->target() == &dock(name);
      QVERIFY2((lightnessAt(dock(name), inDock) < light - 40) != isTarget, name);
    }
    QVERIFY(lightnessAt(bar, inFile) < light - 40);
    if (step == 5) QVERIFY(lightnessAt(bar, inHelp) > light - 40);
    QTest::keyClick(tour, Qt::Key_Right);
  }
}

void TestWindowLook::theTourEndsWhereItBegan() {
  QVERIFY(m_test->open("small.hlpipe"));
  dock("candidates").hide();
  dock("code").raise();
  QVERIFY(isInFront("code") && isInFront("decisions"));
  m_test->child<QAction>("tour")->trigger();
  auto *tour = m_test->child<Tour>("tour");
  while (tour->current() >= 0)
    QTest::keyClick(tour, Qt::Key_Right);
  QTRY_VERIFY(!m_test->child<Tour>("tour"));
  QTRY_VERIFY(isInFront("code") && isInFront("decisions"));
  QVERIFY(dock("candidates").isHidden() && !isInFront("roofline"));
}

void TestWindowLook::theDagCanRunToTheRight() {
  QVERIFY(m_test->open("small.hlpipe"));
  const auto runsRight = [&] {
    const DagGraph &graph = *window().dag().scene().graph();
    const DagGeometry &geometry = window().dag().scene().geometry();
    return std::ranges::all_of(graph.edges, [&](const DagEdge &edge) {
      return geometry.nodes[edge.from].right() < geometry.nodes[edge.to].left();
    });
  };
  QVERIFY(!runsRight());
  QAction *rightward = m_test->action("Left to Right");
  rightward->trigger();
  QTRY_VERIFY(window().dag().isLaidOut() && runsRight());
  // The arrow keys follow the direction: Right leads to a reader.
  window().selection().select(Subject::input(pipeline::InputId{0}));
  QTest::keyClick(&window().dag().view(), Qt::Key_Right, Qt::AltModifier);
  QVERIFY(window().selection().active() && window().selection().active()->isStage());
  // The direction is remembered after a restart.
  m_test->makeWindow({1584, 944});
  QVERIFY(m_test->action("Left to Right")->isChecked());
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(runsRight());
  m_test->action("Left to Right")->trigger();
  QTRY_VERIFY(window().dag().isLaidOut() && !runsRight());
}

QTEST_MAIN(TestWindowLook)
#include "tst_window_look.moc"
