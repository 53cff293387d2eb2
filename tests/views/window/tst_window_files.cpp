// SPDX-License-Identifier: GPL-3.0-or-later
// Files as the window asks for them: where dialogs begin and what they list, recent files, what a
// compiler said, estimates that contradict the pipeline.
#include "test_window.h"
#include "views/window/action_reason.h"
#include "engine/schedule/edits/default_schedule.h"
#include "views/settings/own_sizes.h"
#include "views/tables/problem_model.h"

#include <QAbstractItemView>
#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFontInfo>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

#include <atomic>
#include <memory>

using namespace tessera;
using namespace tessera::views;

class TestWindowFiles : public QObject {
  Q_OBJECT
private slots:
  void init();
  void recentFilesStandAboveTheSamples();
  void theOpenDialogHidesOtherFiles();
  void exportsBeginBesideThePipeline();
  void nothingIsSavedBesideASample();
  void asksBeforeAScheduleIsLost();
  void aCompilerIsQuotedInLettersOfOneWidth();
  void buildOptionsAreAskedForByTheMenu();
  void aScheduleThatWasTakenOffIsOffered();
  void estimatesThatContradictAreFittedByOneClick();

private:
  MainWindow &window() { return m_test->window(); }
  QString put(const QString &folder, const QString &name);
  bool open(const QString &path);

  std::unique_ptr<test::TestWindow> m_test;
};

void TestWindowFiles::init() {
  m_test = std::make_unique<test::TestWindow>();
  m_test->services().sampleFolder = m_test->path("samples");
  QVERIFY(QDir().mkpath(m_test->path("samples")) && QDir().mkpath(m_test->path("mine")));
}

QString TestWindowFiles::put(const QString &folder, const QString &name) {
  return m_test->file(folder + '/' + name);
}

bool TestWindowFiles::open(const QString &path) {
  window().openFile(path);
  return QTest::qWaitFor([&] {
    return window().flow().document() &&
           window().flow().document()->request.path == path.toStdString() &&
           window().documents().hasDocument();
  });
}

// If the list of recent files were below the many samples, the user would have to scroll to see it.
void TestWindowFiles::recentFilesStandAboveTheSamples() {
  for (int i = 0; i < 27; ++i)
    put("samples", QStringLiteral("sample%1.hlpipe").arg(i));
  m_test->makeWindow({1358, 728});
  QVERIFY(open(put("mine", "yesterday.hlpipe")));
  m_test->action("Close")->trigger();
  auto *recent = m_test->child<QListWidget>("recent");
  auto *samples = m_test->child<QAbstractItemView>("samples");
  QTRY_VERIFY(recent->isVisible() && samples->isVisible());
  QCOMPARE(recent->count(), 1);
  auto *page = m_test->child<QScrollArea>("startPage");
  const int bottom = recent->mapTo(page, QPoint(0, recent->height())).y();
  QVERIFY(bottom <= samples->mapTo(page, QPoint()).y());
  QVERIFY(bottom < page->viewport()->height()); // seen without scrolling
}

void TestWindowFiles::theOpenDialogHidesOtherFiles() {
  m_test->makeWindow();
  QVERIFY(open(put("mine", "a.hlpipe")));
  for (const char *name : {"b.tessera", "c.cpp", "notes.txt", "picture.png"})
    put("mine", name);
  m_test->child<QAction>("open")->trigger();
  QTRY_VERIFY(m_test->child<QFileDialog>("openDialog"));
  auto *dialog = m_test->child<QFileDialog>("openDialog");
  QCOMPARE(dialog->directory().absolutePath(), m_test->path("mine"));
  auto *list = dialog->findChild<QAbstractItemView *>(QStringLiteral("listView"));
  QVERIFY(list);
  const auto names = [&] {
    QStringList all;
    for (int row = 0; row < list->model()->rowCount(list->rootIndex()); ++row)
      all << list->model()->index(row, 0, list->rootIndex()).data().toString();
    all.sort();
    return all;
  };
  QTRY_COMPARE(names(), QStringList({"a.hlpipe", "b.tessera", "c.cpp"}));
  // Generator programs have no common file-name ending, so the last filter shows all files.
  dialog->selectNameFilter(dialog->nameFilters().last());
  QTRY_COMPARE(names().size(), 5);
  // Qt's own dialog deletes the selected file with this key, unless it is read-only.
  list->setCurrentIndex(list->model()->index(0, 0, list->rootIndex()));
  QVERIFY(list->currentIndex().isValid());
  for (QAction *action : dialog->findChildren<QAction *>())
    if (action->shortcut() == QKeySequence(Qt::Key_Delete)) QVERIFY(!action->isEnabled());
  QVERIFY(dialog->testOption(QFileDialog::ReadOnly));
  dialog->reject();
}

void TestWindowFiles::exportsBeginBesideThePipeline() {
  m_test->makeWindow();
  QVERIFY(open(put("mine", "a.hlpipe")));
  QVERIFY(m_test->search());
  QVERIFY(QDir::currentPath() != m_test->path("mine"));
  const auto folderOf = [&](const char *dialog) {
    auto *shown = m_test->child<QFileDialog>(dialog);
    return shown ? shown->directory().absolutePath() : QString();
  };
  m_test->child<QAction>("exportSchedule")->trigger();
  QTRY_COMPARE(folderOf("exportDialog"), m_test->path("mine"));
  // The next file dialog begins in the folder of this export.
  QVERIFY(QDir().mkpath(m_test->path("elsewhere")));
  auto *dialog = m_test->child<QFileDialog>("exportDialog");
  dialog->setDirectory(m_test->path("elsewhere"));
  dialog->selectFile(m_test->path("elsewhere/a.schedule.h"));
  dialog->findChild<QPushButton *>()->setFocus();
  QMetaObject::invokeMethod(dialog, "accept");
  QTRY_VERIFY(QFile::exists(m_test->path("elsewhere/a.schedule.h")));
  QTRY_VERIFY(!m_test->child<QFileDialog>("exportDialog"));
  m_test->key(Qt::Key_S, Qt::ControlModifier);
  QTRY_COMPARE(folderOf("saveDialog"), m_test->path("elsewhere"));
  m_test->child<QFileDialog>("saveDialog")->reject();
}

void TestWindowFiles::nothingIsSavedBesideASample() {
  const QString sample = put("samples", "blur.hlpipe");
  m_test->makeWindow();
  QVERIFY(open(sample));
  QVERIFY(m_test->search());
  m_test->child<QAction>("exportSchedule")->trigger();
  QTRY_VERIFY(m_test->child<QFileDialog>("exportDialog"));
  QCOMPARE(m_test->child<QFileDialog>("exportDialog")->directory().absolutePath(),
           QDir::homePath());
  m_test->child<QFileDialog>("exportDialog")->reject();
}

void TestWindowFiles::asksBeforeAScheduleIsLost() {
  m_test->makeWindow();
  QVERIFY(open(put("mine", "a.hlpipe")));
  QVERIFY(m_test->search());
  window().openFile(put("mine", "b.hlpipe"));
  QTRY_VERIFY(m_test->child<QMessageBox>("unsaved"));
  QVERIFY(m_test->child<QMessageBox>("unsaved")->informativeText().contains("schedule"));
  QTest::keyClick(m_test->child<QMessageBox>("unsaved")->button(QMessageBox::Cancel),
                  Qt::Key_Space);
  QVERIFY(window().windowTitle().startsWith("a"));
  // Without a schedule there is nothing to ask about.
  QTRY_VERIFY(!m_test->child<QMessageBox>("unsaved"));
  window().documents().undo();
  QVERIFY(open(m_test->path("mine/b.hlpipe")));
}

void TestWindowFiles::aCompilerIsQuotedInLettersOfOneWidth() {
  m_test->services().open.open = [](const open::OpenRequest &, std::stop_token,
                                    const job::ProgressCallback &) {
    return Result<open::OpenedPipeline>(
        Error{ErrorCode::InputRefused,
              "The compiler (g++) on 'a.cpp' ended with exit code 1:\na.cpp:3:5: error: no\n"
              "    3 | int x\n      |     ^",
              {}});
  };
  m_test->makeWindow();
  window().openFile(put("mine", "a.hlpipe"));
  QTRY_COMPARE(window().flow().state(), OpenFlow::State::Failed);
  QPlainTextEdit *output = nullptr;
  for (QPlainTextEdit *one : window().findChildren<QPlainTextEdit *>("messageOutput"))
    if (one->isVisible()) output = one;
  QVERIFY(output);
  QVERIFY(QFontInfo(output->font()).fixedPitch());
  QCOMPARE(output->toPlainText(), QString("a.cpp:3:5: error: no\n    3 | int x\n      |     ^"));
  QVERIFY(output->isReadOnly());
}

// File > Build Options…, for a source that is open and for one that has functions to find.
void TestWindowFiles::buildOptionsAreAskedForByTheMenu() {
  m_test->makeWindow();
  const auto press = [&](const char *name) {
    QPushButton *button = nullptr;
    const auto isShown = [&] {
      for (QPushButton *one : window().findChildren<QPushButton *>(QLatin1String(name)))
        if (one->isVisible()) button = one;
      return button != nullptr;
    };
    if (!QTest::qWaitFor(isShown)) return false;
    QTest::mouseClick(button, Qt::LeftButton);
    return true;
  };
  QAction *build = m_test->action("Build Options");
  QVERIFY(build);
  QVERIFY(!build->isEnabled());
  QVERIFY(open(put("mine", "plain.hlpipe")));
  QVERIFY(!build->isEnabled());
  QVERIFY2(whyNot(*build).contains("Only a generator's C++ source is compiled"),
           qPrintable(whyNot(*build)));

  QVERIFY(open(put("mine", "extern.hlpipe")));
  QVERIFY(build->isEnabled());
  const QString path = put("mine", "source.cpp");
  window().openFile(path);
  QVERIFY(press("allow") && press("openBuild") && press("openGenerator"));
  QTRY_VERIFY(window().flow().document()->request.path == path.toStdString());
  QVERIFY(build->isEnabled());
  build->trigger();
  QTRY_COMPARE(window().flow().state(), OpenFlow::State::AskBuild);
  auto *table = m_test->child<QTableWidget>("buildTable");
  QTRY_VERIFY(table && table->isVisible());
  QCOMPARE(table->item(0, 1)->text(), "/app");
  const auto before = window().flow().document();
  QVERIFY(press("openBuild"));
  QTRY_VERIFY(window().flow().document() != before);
}

void TestWindowFiles::aScheduleThatWasTakenOffIsOffered() {
  const auto isAsked = std::make_shared<std::atomic<bool>>(false);
  m_test->services().document.schedule =
      [isAsked](const std::string &word, const open::OpenRequest &,
                const open::OpenedPipeline &opened, std::stop_token,
                const job::ProgressCallback &) -> Result<document::SourcedSchedule> {
    *isAsked = word == "manual";
    return document::SourcedSchedule{schedule::defaultSchedule(opened.pipeline)};
  };
  m_test->makeWindow();
  QVERIFY(m_test->open("plain.hlpipe"));
  auto *note = m_test->child<QWidget>("noteBar");
  QVERIFY(!note->isVisible());
  QVERIFY(m_test->open("scheduled.hlpipe"));
  QTRY_VERIFY(note->isVisible());
  QVERIFY(note->accessibleDescription().startsWith("scheduled.hlpipe has a schedule of its own"));
  QTest::mouseClick(note->findChild<QPushButton *>("noteAccept"), Qt::LeftButton);
  QTRY_VERIFY(*isAsked);
  QVERIFY(!note->isVisible());
}

// The note above the DAG and the list of problems both offer it.
void TestWindowFiles::estimatesThatContradictAreFittedByOneClick() {
  for (const QString &button : {QStringLiteral("noteAccept"), QStringLiteral("fitEstimates")}) {
    m_test->makeWindow();
    const auto shown = [&]() -> QPushButton * {
      for (auto *one : window().findChildren<QPushButton *>(button))
        if (one->isVisible()) return one;
      return nullptr;
    };
    QVERIFY(m_test->open("contradicts-" + button + ".hlpipe"));
    const auto *problems = m_test->child<QTableView>("problems")->model();
    QVERIFY(problems->index(0, ProblemModel::Text).data().toString().contains("accessed at 69"));
    m_test->child<QDockWidget>("problems")->raise();
    QTRY_VERIFY(shown());
    QTest::mouseClick(shown(), Qt::LeftButton);
    QTRY_COMPARE(window().flow().document()->request.estimates.size(), std::size_t(1));
    QCOMPARE(estimateText(window().flow().document()->request.estimates[0]), "input=0:70,0:48");
    QTRY_VERIFY(!shown());
    QVERIFY(m_test->child<QPushButton>("fitEstimates")->isHidden());
  }
}

QTEST_MAIN(TestWindowFiles)
#include "tst_window_files.moc"
