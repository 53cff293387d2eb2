// SPDX-License-Identifier: GPL-3.0-or-later
// The log in the window: every action has a line, and a line leads to its subject.
#include "../test_pipelines.h"
#include "test_window.h"
#include "views/window/action_reason.h"
#include "views/window/palette_entries.h"
#include "views/candidates/candidate_panel.h"
#include "views/problems/log_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScopeGuard>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QRegularExpression>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>

#include <algorithm>

using namespace tessera;
using namespace tessera::views;

class TestWindowLog : public QObject {
  Q_OBJECT
private slots:
  void init();

  void tellsOfFilesAndSearches();
  void tellsWhatADamagedDocumentLostOnceItIsOpen();
  void tellsOfFailures();
  void tellsOfASearchThatIsStopped();
  void tellsOfMeasuringAndLeadsToTheCandidate();
  void tellsOfWorkersThatDie();
  void aDetailLeadsToItsStage();
  void oneOfAnotherPipelineLeadsNowhere();
  void enterOpensTheFileAgain();
  void filtersCopiesSavesAndClearsByKeys();
  void theFolderOfTheLogOnDiskIsOpenedAndSaid();
  void thatNoProgramOpensItIsSaid();
  void withoutALogOnDiskTheActionSaysWhy();
  void thatTheLogCannotBeWrittenIsALineHere();

public slots:
  // Called instead of the desktop, which would open the URL.
  void takeUrl(const QUrl &url) { m_urls << url; }

private:
  void makeWindowWithLog();
  void showLog();
  QModelIndex find(const QString &start);
  QString all();
  LogPanel &panel() { return *m_test->child<LogPanel>("log"); }
  QTreeView &lines() { return panel().lines(); }

  QList<QUrl> m_urls;
  std::shared_ptr<test::CannedGpu> m_gpu;
  std::unique_ptr<test::TestWindow> m_test;
};

void TestWindowLog::init() {
  m_gpu = std::make_shared<test::CannedGpu>();
  m_test = std::make_unique<test::TestWindow>();
  m_test->services().measure = test::cannedMeasureService(m_gpu);
  m_test->makeWindow();
}

void TestWindowLog::showLog() {
  auto *tabs = m_test->child<QTabWidget>("problemTabs");
  tabs->setCurrentWidget(&panel());
  auto *dock = qobject_cast<QDockWidget *>(tabs->parentWidget());
  dock->show();
  dock->raise();
  QTRY_VERIFY(lines().isVisible());
  lines().setFocus();
}

// The latest line that begins with `start`.
QModelIndex TestWindowLog::find(const QString &start) {
  for (int row = lines().model()->rowCount() - 1; row >= 0; --row)
    if (const QModelIndex index = lines().model()->index(row, LogModel::Text);
        index.data().toString().startsWith(start))
      return index;
  return {};
}

QString TestWindowLog::all() {
  QString text;
  for (int row = 0; row < lines().model()->rowCount(); ++row)
    text += lines().model()->index(row, 0).data(LogModel::TextRole).toString() + '\n';
  return text;
}

void TestWindowLog::tellsOfFilesAndSearches() {
  QVERIFY(m_test->open("small.hlpipe"));
  QTRY_VERIFY2(find("small.hlpipe was opened: 3 stages").isValid(), qPrintable(all()));
  QVERIFY(m_test->search());
  QTRY_VERIFY2(find("The search ended after ").isValid(), qPrintable(all()));
  QVERIFY(find("A search began: ").row() < find("The search ended").row());
  QVERIFY(find("The search ended")
              .siblingAtColumn(0)
              .data(LogModel::TextRole)
              .toString()
              .contains("Kernel 1, which computes "));
  const QString path = m_test->path("kept.tessera");
  m_test->window().documents().save(path, {});
  QTRY_VERIFY2(find("kept.tessera was saved").isValid(), qPrintable(all()));
  m_test->window().documents().exportSchedule(m_test->path("blur.schedule.h"));
  QTRY_VERIFY2(find("The schedule was exported to blur.schedule.h").isValid(), qPrintable(all()));
  m_test->window().flow().reload();
  QTRY_VERIFY2(find("small.hlpipe was opened again").isValid(), qPrintable(all()));
}

void TestWindowLog::tellsWhatADamagedDocumentLostOnceItIsOpen() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  const QString path = m_test->path("kept.tessera");
  m_test->window().documents().save(path, {});
  QTRY_VERIFY2(find("kept.tessera was saved").isValid(), qPrintable(all()));
  QFile document(path);
  QVERIFY(document.resize(document.size() - 200));
  m_test->window().openFile(path);
  QTRY_VERIFY2(find("The document is damaged").isValid(), qPrintable(all()));
  QVERIFY2(find("small.hlpipe was opened again").row() < find("The document is damaged").row(),
           qPrintable(all()));
}

void TestWindowLog::tellsOfFailures() {
  m_test->window().openFile(m_test->file("broken.hlpipe"));
  QTRY_VERIFY2(find("broken.hlpipe was not opened: ").isValid(), qPrintable(all()));
  QCOMPARE(find("broken.hlpipe").data(LogModel::SeverityRole).toInt(),
           int(Problem::Severity::Error));
  QVERIFY(m_test->open("refused.hlpipe"));
  m_test->child<QAction>("schedule")->trigger();
  QTRY_VERIFY2(find("No schedule was found: ").isValid(), qPrintable(all()));
  QVERIFY(!find("The search was stopped").isValid());
}

void TestWindowLog::tellsOfASearchThatIsStopped() {
  QVERIFY(m_test->open("endless.hlpipe"));
  m_test->child<QAction>("schedule")->trigger();
  QTRY_VERIFY(m_test->window().schedule().shown());
  m_test->window().schedule().stop();
  QTRY_VERIFY2(find("The search ended after ").isValid(), qPrintable(all()));
  m_test->child<QAction>("schedule")->trigger();
  m_test->window().schedule().stop(); // stops the search before it finds anything
  QTRY_VERIFY2(find("The search was stopped before it found anything").isValid(),
               qPrintable(all()));
}

void TestWindowLog::tellsOfMeasuringAndLeadsToTheCandidate() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  QTRY_VERIFY(m_test->child<QAction>("measure")->isEnabled());
  m_test->child<QAction>("measure")->trigger();
  QTRY_VERIFY2(find("Measuring ended after ").isValid(), qPrintable(all()));
  QVERIFY(find("Measuring on Canned GPU began").isValid());
  QTRY_VERIFY(m_test->child<QAction>("verify")->isEnabled());
  m_test->child<QAction>("verify")->trigger();
  QTRY_VERIFY2(find("Verifying ended after ").isValid(), qPrintable(all()));
  m_gpu->outcome = Outcome::LaunchError;
  QTRY_VERIFY(m_test->child<QAction>("measure")->isEnabled());
  m_test->child<QAction>("measure")->trigger();
  const QString name =
      QString::fromStdString(m_test->window().measuring().shownCandidate()->label.name);
  QTRY_VERIFY2(find(name + " was not measured").isValid(), qPrintable(all()));
  showLog();
  m_test->window().candidates().table().clearSelection();
  QTest::mouseClick(lines().viewport(), Qt::LeftButton, {},
                    lines().visualRect(find(name + " was not measured")).center());
  QVERIFY(m_test->window().candidates().table().isVisible());
  const auto chosen = m_test->window().candidates().table().selectionModel()->selectedRows();
  QCOMPARE(chosen.size(), 1);
  QCOMPARE(chosen.front().siblingAtColumn(CandidateModel::Name).data().toString(), name);
}

void TestWindowLog::tellsOfWorkersThatDie() {
  for (int i = 0; i < CrashLadder::kCrashes; ++i)
    m_test->window().ladder().crashed(CrashLadder::Worker::Gpu);
  QTRY_VERIFY2(find("Measuring is off after three crashes").isValid(), qPrintable(all()));
  QCOMPARE(all().count("The GPU's worker crashed."), CrashLadder::kCrashes);
  m_test->window().ladder().climb();
  QTRY_VERIFY(find("Compiling, measuring and counting are all on again.").isValid());
  // The next job that needs the worker starts it again, which is logged once.
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  for (int i = 1; i <= 2; ++i) {
    QTRY_VERIFY(m_test->child<QAction>("measure")->isEnabled());
    m_test->child<QAction>("measure")->trigger();
    QTRY_COMPARE(all().count("Measuring ended after "), i);
    QCOMPARE(all().count("The GPU's worker is being restarted"), 1);
  }
  // The compiling worker still runs.
  QVERIFY(!all().contains("The compiling worker is being restarted"));
}

void TestWindowLog::aDetailLeadsToItsStage() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  QTRY_VERIFY(find("The search ended").isValid());
  showLog();
  const QModelIndex line = find("The search ended");
  lines().setCurrentIndex(line);
  QTest::keyClick(&lines(), Qt::Key_Right); // opens the details
  QVERIFY(lines().isExpanded(line.siblingAtColumn(0)));
  QTest::keyClick(&lines(), Qt::Key_Down);
  QVERIFY(lines().currentIndex().parent().isValid());
  const auto &active = m_test->window().selection().active();
  QVERIFY(active && active->isStage());
  const auto pipeline = m_test->window().flow().document()->opened.pipeline;
  const QString said = lines().currentIndex().siblingAtColumn(LogModel::Text).data().toString();
  QVERIFY2(
      said.contains("computes " + QString::fromStdString(pipeline->stageName(active->stageId()))),
      qPrintable(said));
}

void TestWindowLog::oneOfAnotherPipelineLeadsNowhere() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  QTRY_VERIFY(find("The search ended").isValid());
  m_test->window().documents().undo(); // else the program would ask about the unsaved schedule
  QVERIFY(m_test->open("other.hlpipe"));
  showLog();
  const QModelIndex line = find("The search ended");
  lines().expand(line.siblingAtColumn(0));
  lines().setCurrentIndex(
      line.siblingAtColumn(0).model()->index(0, LogModel::Text, line.siblingAtColumn(0)));
  QCoreApplication::processEvents();
  QVERIFY(!m_test->window().selection().active());
}

void TestWindowLog::enterOpensTheFileAgain() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->open("other.hlpipe"));
  QTRY_VERIFY(find("other.hlpipe was opened").isValid());
  showLog();
  lines().setCurrentIndex(find("small.hlpipe was opened"));
  QCOMPARE(m_test->window().flow().request().path, m_test->path("other.hlpipe").toStdString());
  QTest::keyClick(&lines(), Qt::Key_Return);
  QTRY_COMPARE(m_test->window().flow().document()->request.path,
               m_test->path("small.hlpipe").toStdString());
}

void TestWindowLog::filtersCopiesSavesAndClearsByKeys() {
  QVERIFY(m_test->open("small.hlpipe"));
  QVERIFY(m_test->search());
  QTRY_VERIFY(find("The search ended").isValid());
  showLog();
  auto *kind = m_test->child<QComboBox>("logKind");
  kind->setFocus();
  while (kind->currentText() != "Search")
    QTest::keyClick(kind, Qt::Key_Down);
  QCOMPARE(lines().model()->rowCount(), 2);
  auto *words = m_test->child<QLineEdit>("logWords");
  words->setFocus();
  QTest::keyClicks(words, "began");
  QCOMPARE(lines().model()->rowCount(), 1);
  lines().setFocus();
  lines().clearSelection();
  QTest::keyClick(&lines(), Qt::Key_C, Qt::ControlModifier);
  QCOMPARE(QApplication::clipboard()->text(), all());
  panel().save(m_test->path("log.txt"));
  const auto saved = [this] {
    QFile file(m_test->path("log.txt"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  };
  QTRY_COMPARE(saved(), all());
  auto *clear = m_test->child<QToolButton>("logClear");
  clear->setFocus();
  QTest::keyClick(clear, Qt::Key_Space);
  QCOMPARE(m_test->window().log().rowCount(), 0);
  for (QWidget *one : panel().findChildren<QWidget *>(QRegularExpression("^log")))
    QVERIFY2(!one->accessibleName().isEmpty(), qPrintable(one->objectName()));
}

// ---- The log on disk

void TestWindowLog::makeWindowWithLog() {
  const std::string folder = m_test->path("logs").toStdString();
  m_test->services().record = record::Record::open({.folder = folder, .program = "tessera"});
  m_test->services().record.write(record::Level::Info, "program began");
  QTRY_VERIFY(!m_test->services().record.file().empty());
  m_test->makeWindow();
}

void TestWindowLog::theFolderOfTheLogOnDiskIsOpenedAndSaid() {
  makeWindowWithLog();
  QDesktopServices::setUrlHandler("file", this, "takeUrl");
  const auto forget = qScopeGuard([] { QDesktopServices::unsetUrlHandler("file"); });
  const QUrl folder = QUrl::fromLocalFile(m_test->path("logs"));
  const QString said = "The log is in " + m_test->path("logs/tessera.log");

  // The menu opens the folder, though no dock is open yet.
  QVERIFY(!panel().isVisible());
  QAction *action = m_test->action("Open Log Folder");
  QVERIFY(action && action->isEnabled());
  QVERIFY(m_test->window().menuBar()->actions().back()->menu()->actions().contains(action));
  action->trigger();
  QCOMPARE(m_urls, QList{folder});
  QCOMPARE(m_test->window().statusBar()->currentMessage(), said);
  m_test->window().statusBar()->clearMessage();

  // The palette lists the action only once.
  const auto entries = paletteEntries(m_test->window());
  const auto isIt = [](const PaletteEntry &entry) { return entry.title == "Open Log Folder"; };
  QCOMPARE(std::ranges::count_if(entries, isIt), 1);
  std::ranges::find_if(entries, isIt)->run();
  QCOMPARE(m_urls.size(), 2);

  // The button in the dock can be reached by the keyboard.
  QVERIFY(m_test->open("small.hlpipe"));
  showLog();
  auto *tool = m_test->child<QToolButton>("logFolder");
  QVERIFY(tool->isVisible() && tool->focusPolicy() == Qt::TabFocus);
  QVERIFY(!tool->accessibleName().isEmpty());
  QVERIFY(tool->toolTip().contains(m_test->path("logs")));
  auto *clear = m_test->child<QToolButton>("logClear");
  clear->setFocus();
  QTest::keyClick(clear, Qt::Key_Tab);
  QVERIFY(tool->hasFocus());
  QTest::keyClick(tool, Qt::Key_Space);
  QCOMPARE(m_urls, (QList{folder, folder, folder}));
  QCOMPARE(m_test->window().statusBar()->currentMessage(), said);
}

void TestWindowLog::thatNoProgramOpensItIsSaid() {
  makeWindowWithLog();
  QDesktopServices::setUrlHandler("file", this, "noSuchSlot");
  const auto forget = qScopeGuard([] { QDesktopServices::unsetUrlHandler("file"); });
  m_test->action("Open Log Folder")->trigger();
  QVERIFY(m_test->window().statusBar()->currentMessage().contains(m_test->path("logs")));
}

void TestWindowLog::withoutALogOnDiskTheActionSaysWhy() {
  QAction *action = m_test->action("Open Log Folder");
  QVERIFY(action && !action->isEnabled());
  QCOMPARE(whyNot(*action), QString("No log is written to disk"));
}

void TestWindowLog::thatTheLogCannotBeWrittenIsALineHere() {
  QFile file(m_test->path("logs")); // a file blocks the name of the folder
  QVERIFY(file.open(QIODevice::WriteOnly));
  m_test->services().record =
      record::Record::open({.folder = m_test->path("logs").toStdString(), .program = "tessera"});
  m_test->makeWindow();
  QVERIFY(m_test->open("small.hlpipe")); // runs jobs that write lines
  QVERIFY(m_test->search());
  QTRY_VERIFY2(find("The log on disk is incomplete: ").isValid(), qPrintable(all()));
  QCOMPARE(find("The log on disk").data(LogModel::SeverityRole).toInt(),
           int(Problem::Severity::Warning));
  QTRY_VERIFY(find("The search ended").isValid()); // other lines are still there
  QCOMPARE(all().count("The log on disk is incomplete: "), 1);
}

QTEST_MAIN(TestWindowLog)
#include "tst_window_log.moc"
