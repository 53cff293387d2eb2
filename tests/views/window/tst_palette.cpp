// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette: how typed letters find names, and everything that it offers, by keys alone.
#include "test_window.h"
#include "views/window/palette_entries.h"
#include "views/palette/command_palette.h"
#include "views/tables/palette_model.h"
#include "views/text/fuzzy_match.h"
#include "views/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListView>
#include <QTest>

using namespace tessera;
using namespace tessera::views;

class TestPalette : public QObject {
  Q_OBJECT
private slots:
  void findsLettersInOrder_data();
  void findsLettersInOrder();
  void prefersStartsOfWords();
  void scatteredLettersAreALastResort();
  void modelKeepsItsWord();
  void lastDoneStandsFirst();
  void manyRowsAreQuickEnough();

  void opensByKeysAndRuns();
  void saysWhyNot();
  void selectsStages();
  void loadsCandidates();
  void goesToDocksAndTheirTools();
  void escapeGivesTheFocusBack();
  void keysLeadToGpuAndAlgorithm();

private:
  QLineEdit &line() { return *m_test->child<QLineEdit>("paletteLine"); }
  QListView &list() { return *m_test->child<QListView>("paletteList"); }
  CommandPalette &palette() { return *m_test->child<CommandPalette>("commandPalette"); }
  void begin(const QString &file = {});
  void ask(const QString &typed);
  QString shown(int row, int role = Qt::DisplayRole) {
    return list().model()->index(row, 0).data(role).toString();
  }

  std::unique_ptr<test::TestWindow> m_test;
};

void TestPalette::findsLettersInOrder_data() {
  QTest::addColumn<QString>("pattern");
  QTest::addColumn<QString>("text");
  QTest::addColumn<QList<int>>("positions"); // empty: no match
  QTest::newRow("start") << "zo"
                         << "Zoom In" << QList<int>{0, 1};
  QTest::newRow("words") << "zi"
                         << "Zoom In" << QList<int>{0, 5};
  QTest::newRow("blanks") << "z in"
                          << "Zoom In" << QList<int>{0, 5, 6};
  QTest::newRow("camel") << "gp"
                         << "ggaussPyramid" << QList<int>{0, 6};
  QTest::newRow("underscore") << "by"
                              << "blur_y" << QList<int>{0, 5};
  QTest::newRow("number") << "s42"
                          << "stage_142_42" << QList<int>{0, 10, 11};
  QTest::newRow("far") << "ax"
                       << "a........x" << QList<int>{0, 9};
  QTest::newRow("order") << "iz"
                         << "Zoom In" << QList<int>{};
  QTest::newRow("longer") << "zoom in out"
                          << "Zoom In" << QList<int>{};
  QTest::newRow("umlaut") << QString::fromUtf8("ÜB") << QString::fromUtf8("über")
                          << QList<int>{0, 1};
}

void TestPalette::findsLettersInOrder() {
  QFETCH(const QString, pattern);
  QFETCH(const QString, text);
  QFETCH(const QList<int>, positions);
  const auto match = fuzzyMatch(pattern, text);
  QCOMPARE(match.has_value(), !positions.isEmpty());
  if (match) QCOMPARE(match->positions, positions);
}

void TestPalette::prefersStartsOfWords() {
  const auto score = [](const char *pattern, const char *text) {
    return fuzzyMatch(QString(pattern), QString(text))->score;
  };
  QVERIFY(score("fs", "Filter Stages") > score("fs", "Offset"));
  QVERIFY(score("undo", "Undo") > score("undo", "Found nothing to do"));
  QVERIFY(score("abc", "xabc") > score("abc", "xaxbxc"));
  QVERIFY(fuzzyMatch(u"", u"anything"));
  QVERIFY(!fuzzyMatch(u"a", u""));
}

void TestPalette::scatteredLettersAreALastResort() {
  PaletteModel model;
  model.setEntries({{"Close Decisions", "Dock", {}, {}, {}, {}},
                    {"Occupancy", "Dock", {}, {}, {}, {}},
                    {"Close Code", "Dock", {}, {}, {}, {}},
                    {"Close Occupancy", "Dock", {}, {}, {}, {}}});
  model.setFilter("occ");
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.index(0).data().toString(), "Occupancy");
  QCOMPARE(model.index(1).data().toString(), "Close Occupancy");
  model.setFilter("cd"); // the starts of words
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(model.index(0).data().toString(), "Close Decisions");
  model.setFilter("lsdcn"); // scattered letters, as nothing fits better
  QCOMPARE(model.rowCount(), 1);
}

void TestPalette::modelKeepsItsWord() {
  PaletteModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setEntries({{"Save", "File", "Ctrl+S", {}, {}, {}},
                    {"Save As", "File", {}, "No pipeline is open", {}, {}},
                    {"Dark", "Appearance", {}, {}, true, {}},
                    {"saved_frame", "Stage", {}, {}, {}, {}}});
  QCOMPARE(model.rowCount(), 4);
  model.setFilter("save");
  QCOMPARE(model.rowCount(), 3);
  QCOMPARE(model.index(0).data().toString(), "Save");
  // An entry that can be run comes before one that cannot.
  QCOMPARE(model.index(1).data().toString(), "saved_frame");
  QCOMPARE(model.index(2).data(PaletteModel::WhyNotRole).toString(), "No pipeline is open");
  QVERIFY(model.index(2).data(Qt::AccessibleTextRole).toString().contains("not now"));
  QCOMPARE(model.index(0).data(PaletteModel::MatchedRole).value<QList<int>>(),
           QList<int>({0, 1, 2, 3}));
  model.setFilter("app dark"); // the name of the menu matches, too
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(model.index(0).data(PaletteModel::MatchedRole).value<QList<int>>(),
           QList<int>({0, 1, 2, 3}));
  QVERIFY(model.index(0).data(Qt::AccessibleTextRole).toString().contains("on"));
  model.setFilter("no such thing");
  QCOMPARE(model.rowCount(), 0);
}

void TestPalette::lastDoneStandsFirst() {
  PaletteModel model;
  model.setEntries({{"One", "A", {}, {}, {}, {}}, {"Two", "A", {}, {}, {}, {}}});
  model.remember(1);
  model.setFilter({});
  QCOMPARE(model.index(0).data().toString(), "Two");
}

// Measures no time: if matching took exponential time, the test would not end with such long names.
void TestPalette::manyRowsAreQuickEnough() {
  std::vector<PaletteEntry> entries;
  for (int i = 0; i < 2000; ++i)
    entries.push_back({QString("a").repeated(60) + QString::number(i), "Stage", {}, {}, {}, {}});
  PaletteModel model;
  model.setEntries(std::move(entries));
  model.setFilter(QString("a").repeated(30) + "7");
  QVERIFY(model.rowCount() > 100);
}

void TestPalette::begin(const QString &file) {
  m_test = std::make_unique<test::TestWindow>();
  m_test->makeWindow();
  if (!file.isEmpty()) QVERIFY(m_test->open(file));
}

void TestPalette::ask(const QString &typed) {
  m_test->key(Qt::Key_K, Qt::ControlModifier);
  QVERIFY(palette().isVisible());
  QTest::keyClicks(&line(), typed);
}

void TestPalette::opensByKeysAndRuns() {
  begin("a.hlpipe");
  m_test->key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(palette().isVisible());
  QTRY_VERIFY(line().hasFocus());
  QVERIFY(list().model()->rowCount() > 40);
  QTest::keyClicks(&line(), "dark");
  QCOMPARE(shown(0), "Dark");
  QVERIFY(!list().model()->index(0, 0).data(PaletteModel::CheckedRole).toBool());
  QTest::keyClick(&line(), Qt::Key_Return);
  QVERIFY(!palette().isVisible());
  QTRY_VERIFY(isDark(m_test->window().palette()));
  // When the palette is opened again, the last command is first in the list and checked.
  ask({});
  QCOMPARE(shown(0), "Dark");
  QVERIFY(list().model()->index(0, 0).data(PaletteModel::CheckedRole).toBool());
  // The arrow keys wrap around.
  QTest::keyClick(&line(), Qt::Key_Up);
  QCOMPARE(list().currentIndex().row(), list().model()->rowCount() - 1);
  QTest::keyClick(&line(), Qt::Key_Down);
  QTest::keyClick(&line(), Qt::Key_Down);
  QCOMPARE(list().currentIndex().row(), 1);
  QTest::keyClicks(&line(), "light");
  QTest::keyClick(&line(), Qt::Key_Return);
  QTRY_VERIFY(!isDark(m_test->window().palette()));
}

void TestPalette::saysWhyNot() {
  begin();
  ask("close");
  QCOMPARE(shown(0), "Close");
  QCOMPARE(shown(0, PaletteModel::WhyNotRole), "No pipeline is open");
  QTest::keyClick(&line(), Qt::Key_Return); // does nothing, and the palette stays open
  QVERIFY(palette().isVisible());
  palette().dismiss();
  QVERIFY(m_test->open("a.hlpipe"));
  for (const auto &[name, reason] :
       {std::pair("Undo", "There is nothing to undo"),
        std::pair("Export Schedule", "There is no schedule yet"),
        std::pair("Stop", "No search is running"), std::pair("Re-search", "Nothing is frozen")}) {
    ask(name);
    QVERIFY2(shown(0).startsWith(name), qPrintable(shown(0)));
    QVERIFY2(shown(0, PaletteModel::WhyNotRole).startsWith(reason),
             qPrintable(shown(0, PaletteModel::WhyNotRole)));
    palette().dismiss();
  }
  // Every entry has a title and can be run.
  for (const PaletteEntry &entry : paletteEntries(m_test->window()))
    QVERIFY2(!entry.title.isEmpty() && entry.run, qPrintable(entry.where));
}

void TestPalette::selectsStages() {
  begin("a.hlpipe");
  ask("blur_y.u");
  QCOMPARE(shown(0), "blur_y.update(0)");
  QCOMPARE(shown(0, PaletteModel::WhereRole), "Stage");
  QTest::keyClick(&line(), Qt::Key_Return);
  QTRY_COMPARE(m_test->window().selection().active(),
               std::optional(Subject::stage(pipeline::StageId{2})));
  ask("input input");
  QCOMPARE(shown(0), "input");
  QTest::keyClick(&line(), Qt::Key_Return);
  QTRY_COMPARE(m_test->window().selection().active(),
               std::optional(Subject::input(pipeline::InputId{0})));
}

void TestPalette::loadsCandidates() {
  begin("a.hlpipe");
  QVERIFY(!m_test->window().documents().document().current());
  ask("default");
  int row = 0;
  while (row < list().model()->rowCount() &&
         !shown(row, PaletteModel::WhereRole).startsWith("Candidate"))
    ++row;
  QVERIFY(row < list().model()->rowCount());
  QVERIFY(shown(row, PaletteModel::WhereRole).contains("ms predicted"));
  for (int i = 0; i < row; ++i)
    QTest::keyClick(&line(), Qt::Key_Down);
  QTest::keyClick(&line(), Qt::Key_Return);
  QTRY_VERIFY(m_test->window().documents().document().current());
  QCOMPARE(m_test->window().documents().undoName(), "Load default");
}

void TestPalette::goesToDocksAndTheirTools() {
  begin("a.hlpipe");
  auto *problems = m_test->child<QDockWidget>("problems");
  problems->hide();
  ask("problems");
  QVERIFY(shown(0).startsWith("Problems"));
  QVERIFY(!list().model()->index(0, 0).data(PaletteModel::CheckedRole).toBool());
  QTest::keyClick(&line(), Qt::Key_Return);
  QVERIFY(problems->isVisible());
  ask("close problems");
  QTest::keyClick(&line(), Qt::Key_Return);
  QVERIFY(problems->isHidden());
  // Running a tool of a hidden dock also shows the dock.
  auto *roofline = m_test->child<QDockWidget>("roofline");
  roofline->hide();
  QVERIFY(m_test->search());
  ask("roofline compare later");
  QVERIFY2(shown(0).startsWith("Compare later"), qPrintable(shown(0)));
  QTest::keyClick(&line(), Qt::Key_Return);
  QVERIFY(roofline->isVisible());
}

void TestPalette::escapeGivesTheFocusBack() {
  begin("a.hlpipe");
  auto *filter = m_test->child<QLineEdit>("findLine");
  m_test->key(Qt::Key_F, Qt::ControlModifier);
  QTRY_VERIFY(filter->hasFocus());
  m_test->key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_VERIFY(line().hasFocus());
  QTest::keyClick(&line(), Qt::Key_Escape);
  QVERIFY(!palette().isVisible());
  QTRY_VERIFY(filter->hasFocus());
  // The palette also closes when the focus moves to another widget.
  ask({});
  filter->setFocus();
  QTRY_VERIFY(!palette().isVisible());
}

void TestPalette::keysLeadToGpuAndAlgorithm() {
  begin("blur.hlpipe");
  for (const auto &[key, name] :
       {std::pair(Qt::Key_G, "machine"), std::pair(Qt::Key_A, "algorithm")}) {
    auto *box = m_test->child<QComboBox>(name);
    m_test->key(key, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(box->view()->isVisible());
    box->hidePopup();
    QTRY_VERIFY(!box->view()->isVisible());
  }
}

QTEST_MAIN(TestPalette)
#include "tst_palette.moc"
