// SPDX-License-Identifier: GPL-3.0-or-later
// Generators that need something: folders, sources, types of inputs, all by keys.
#include "../test_pipelines.h"
#include "views/open/open_page.h"
#include "views/flows/bridge.h"
#include "views/flows/open_flow.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace tessera;
using namespace tessera::views;

class TestOpenPage : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup();
  void asksForAllCodeThenForTypesThenOpens();
  void namesAllCodeThatWouldRun();
  void rowsAreAddedChosenAndRemovedByKeys();
  void whatIsFoundNearbyIsShownAndNotChanged();
  void aSourceThatFailsLeadsToItsBuildOptions();
  void aFailureIsReadAndLeftByKeys();
  void anOpenSourceIsBuiltAgain();
  void functionsOfExternStagesAreGivenToAnyPipeline();
  void everyWidgetHasAName();

private:
  template <typename T>
  T *child(const QString &name) {
    return m_page->findChild<T *>(name);
  }
  QPushButton *shown(const char *name) {
    auto *button = child<QPushButton>(QLatin1String(name));
    return button && button->isVisible() ? button : nullptr;
  }
  void press(const char *name) {
    QTRY_VERIFY(shown(name));
    QTest::keyClick(shown(name), Qt::Key_Space);
  }
  // Opens a source up to the form with its build options.
  void askForBuild(const QString &name) {
    m_flow->open(m_folder.filePath(name));
    press("allow");
    QTRY_VERIFY(shown("openBuild"));
  }
  void openSource() {
    askForBuild(QStringLiteral("source.cpp"));
    press("openBuild");
    press("openGenerator");
    QTRY_VERIFY(m_flow->document());
  }
  QTableWidget &table() { return *child<QTableWidget>(QStringLiteral("buildTable")); }
  // Chooses what is added in the menu of the button.
  void add(int entry) { shown("addBuild")->menu()->actions().at(entry)->trigger(); }
  void addDefinition(const QString &text) {
    add(1);
    QLineEdit *editor = nullptr; // it is edited at once
    QTRY_VERIFY(editor = qobject_cast<QLineEdit *>(QApplication::focusWidget()));
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(table().item(table().rowCount() - 1, 1)->text(), text); // Qt takes it over later
  }

  QTemporaryDir m_folder;
  std::unique_ptr<Bridge> m_bridge;
  std::unique_ptr<OpenFlow> m_flow;
  std::unique_ptr<OpenPage> m_page;
};

void TestOpenPage::init() {
  m_bridge = std::make_unique<Bridge>();
  m_flow = std::make_unique<OpenFlow>(test::cannedService(), *m_bridge);
  m_page = std::make_unique<OpenPage>(*m_flow, *m_bridge);
  m_page->resize(1000, 640);
  m_page->show();
  QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
}

void TestOpenPage::cleanup() {
  m_page.reset();
  m_flow.reset();
  m_bridge.reset();
}

void TestOpenPage::asksForAllCodeThenForTypesThenOpens() {
  askForBuild("source.cpp");
  QVERIFY(m_flow->error());
  QCOMPARE(table().item(0, 1)->text(), "/app");
  QCOMPARE(table().item(1, 1)->text(), "/app/two.cpp");
  QVERIFY(shown("openBuild")->hasFocus());
  QTest::keyClick(shown("openBuild"), Qt::Key_Space);
  QTRY_VERIFY(shown("openGenerator"));
  QCOMPARE(m_flow->request().build.includes, std::vector<std::string>{"/app"});
  QCOMPARE(m_flow->request().build.sources, std::vector<std::string>{"/app/two.cpp"});

  auto *type = child<QComboBox>("parameter.in.type");
  QVERIFY(type);
  QCOMPARE(type->currentText(), "uint8"); // a value to begin with
  type->setCurrentText("float32");
  QCOMPARE(child<QLineEdit>("parameter.in.dim")->text(), "2");
  press("openGenerator");
  QTRY_VERIFY(m_flow->document());
  const open::OpenRequest &request = m_flow->document()->request;
  QCOMPARE(request.generator, std::string("lone"));
  QCOMPARE(request.parameters, (std::vector<std::pair<std::string, std::string>>{
                                   {"in.type", "float32"}, {"in.dim", "2"}}));
  QCOMPARE(request.build.sources.size(), std::size_t(1));
  m_flow->changeChoices();
  QTRY_VERIFY(shown("openGenerator"));
  QCOMPARE(child<QComboBox>("parameter.in.type")->currentText(), "float32");
}

void TestOpenPage::namesAllCodeThatWouldRun() {
  open::OpenRequest request;
  request.path = m_folder.filePath("source.cpp").toStdString();
  request.build.sources = {"/app/two.cpp"};
  request.build.libraries = {"/app/libthree.so"};
  m_flow->open(request);
  QTRY_VERIFY(shown("allow"));
  QStringList files;
  for (const OpenFlow::Code &one : m_flow->code())
    files << QString::fromStdString(one.path);
  QCOMPARE(files,
           (QStringList{m_folder.filePath("source.cpp"), "/app/two.cpp", "/app/libthree.so"}));
}

void TestOpenPage::rowsAreAddedChosenAndRemovedByKeys() {
  askForBuild("source.cpp");
  const int before = table().rowCount();
  addDefinition("TAPS=3");
  QCOMPARE(table().rowCount(), before + 1);
  QVERIFY(!shown("browseBuild")->isEnabled()); // a definition has no path
  table().setCurrentCell(0, 1);
  QVERIFY(shown("browseBuild")->isEnabled());
  press("browseBuild");
  QFileDialog *dialog = nullptr;
  QTRY_VERIFY(dialog = child<QFileDialog>("buildDialog"));
  QCOMPARE(dialog->fileMode(), QFileDialog::Directory);
  emit dialog->fileSelected("/other");
  dialog->close();
  QCOMPARE(table().item(0, 1)->text(), "/other");
  table().setCurrentCell(1, 1);
  table().setFocus();
  QTest::keyClick(&table(), Qt::Key_Delete);
  QCOMPARE(table().rowCount(), before);
  press("openBuild");
  QTRY_VERIFY(shown("openGenerator"));
  QCOMPARE(m_flow->request().build, (open::BuildOptions{{"/other"}, {"TAPS=3"}, {}, {}}));
}

void TestOpenPage::whatIsFoundNearbyIsShownAndNotChanged() {
  askForBuild("source.cpp");
  const int row = table().rowCount() - 1;
  QCOMPARE(table().item(row, 1)->text(), "NEAR=1");
  QVERIFY(table().item(row, 0)->text().contains("found"));
  QVERIFY(!(table().item(row, 1)->flags() & Qt::ItemIsEditable));
  table().setCurrentCell(row, 1);
  QVERIFY(!shown("removeBuild")->isEnabled());
  table().setFocus();
  QTest::keyClick(&table(), Qt::Key_Delete);
  QCOMPARE(table().rowCount(), row + 1);
  press("openBuild");
  QTRY_VERIFY(shown("openGenerator"));
  QVERIFY(m_flow->request().build.definitions.empty()); // the engine finds it by itself
}

void TestOpenPage::aSourceThatFailsLeadsToItsBuildOptions() {
  m_flow->open(m_folder.filePath("source-broken.cpp"));
  press("allow");
  press("failedBuild");
  QTRY_VERIFY(shown("openBuild"));
  m_flow->open(m_folder.filePath("broken.hlpipe"));
  QTRY_VERIFY(shown("retry"));
  QVERIFY(!shown("failedBuild")); // nothing of it is compiled
}

// The page says what failed, with all that the compiler said, and four ways to go on.
void TestOpenPage::aFailureIsReadAndLeftByKeys() {
  const auto fail = [&] {
    m_flow->open(m_folder.filePath("source-broken.cpp"));
    QTRY_VERIFY(shown("allow") || shown("retry")); // it was allowed once
    if (shown("allow")) press("allow");
    QTRY_VERIFY(shown("retry"));
  };
  fail();
  const QWidget *card = shown("retry")->parentWidget();
  QCOMPARE(card->accessibleName(), "source-broken.cpp could not be opened");
  QCOMPARE(card->accessibleDescription(), "The compiler ended with exit code 1:");
  const auto *output = card->findChild<QPlainTextEdit *>("messageOutput");
  QVERIFY(output && output->isVisible() && output->isReadOnly());
  QCOMPARE(output->toPlainText(), "x.cpp:3: error");
  QVERIFY(shown("retry")->hasFocus());
  QStringList names;
  for (const QPushButton *button : card->findChildren<QPushButton *>()) {
    QVERIFY(!button->accessibleName().isEmpty());
    QVERIFY2(card->rect().contains(button->geometry()), qPrintable(button->text()));
    names << button->objectName();
  }
  QCOMPARE(names, (QStringList{"back", "openAnother", "failedBuild", "retry"}));

  press("retry"); // it fails again
  QTRY_VERIFY(shown("retry"));
  QSignalSpy another(m_page.get(), &OpenPage::openWanted);
  press("openAnother");
  QCOMPARE(another.count(), 1);
  QVERIFY(shown("retry")); // the page stays until something is chosen

  press("failedBuild");
  QTRY_VERIFY(shown("openBuild"));
  addDefinition("TAPS=3");
  press("openBuild");
  QTRY_VERIFY(shown("retry"));
  QCOMPARE(m_flow->request().build.definitions, std::vector<std::string>{"TAPS=3"});
  press("failedBuild"); // what was given is still there
  QTRY_VERIFY(shown("openBuild"));
  QCOMPARE(table().item(0, 1)->text(), "TAPS=3");

  fail();
  for (QPushButton *button : m_page->findChildren<QPushButton *>("back"))
    if (button->isVisible()) QTest::keyClick(button, Qt::Key_Space);
  QTRY_COMPARE(m_flow->state(), OpenFlow::State::Idle);
  QVERIFY(!m_flow->document());
}

void TestOpenPage::functionsOfExternStagesAreGivenToAnyPipeline() {
  m_flow->open(m_folder.filePath("extern.hlpipe"));
  QTRY_VERIFY(m_flow->document());
  QVERIFY(m_flow->canChangeBuild());
  m_flow->changeBuild();
  QTRY_VERIFY(shown("openBuild"));
  const QWidget *card = shown("openBuild")->parentWidget();
  QCOMPARE(card->accessibleName(), "What does extern.hlpipe need to run?");
  QVERIFY2(card->accessibleDescription().contains("need these functions: blur_call."),
           qPrintable(card->accessibleDescription()));
  add(2);
  QLineEdit *editor = nullptr;
  QTRY_VERIFY(editor = qobject_cast<QLineEdit *>(QApplication::focusWidget()));
  QTest::keyClicks(editor, "/app/call.cpp");
  QTest::keyClick(editor, Qt::Key_Return);
  const int row = table().rowCount() - 1;
  QTRY_COMPARE(table().item(row, 1)->text(), "/app/call.cpp");
  const auto before = m_flow->document();
  press("openBuild");
  QTRY_VERIFY(m_flow->document() != before);
  QCOMPARE(m_flow->document()->opened.file.functions.build.sources,
           std::vector<std::string>{"/app/call.cpp"});
}

void TestOpenPage::anOpenSourceIsBuiltAgain() {
  m_flow->open(m_folder.filePath("good.hlpipe"));
  QTRY_VERIFY(m_flow->document());
  m_flow->changeBuild();
  QCOMPARE(m_flow->state(), OpenFlow::State::Idle); // it is not compiled
  m_flow->close();
  openSource();
  const auto before = m_flow->document();
  m_flow->changeBuild();
  QTRY_VERIFY(shown("openBuild"));
  QVERIFY(!m_flow->error());
  QCOMPARE(table().item(0, 1)->text(), "/app");
  addDefinition("TAPS=3");
  press("openBuild");
  QTRY_VERIFY(m_flow->document() != before);
  const open::OpenRequest &request = m_flow->document()->request;
  QCOMPARE(request.build.definitions, std::vector<std::string>{"TAPS=3"});
  QCOMPARE(request.parameters.size(), std::size_t(2)); // the types are kept
}

void TestOpenPage::everyWidgetHasAName() {
  askForBuild("source.cpp");
  for (const char *name : {"addBuild", "browseBuild", "removeBuild", "openBuild"})
    QVERIFY2(!shown(name)->accessibleName().isEmpty(), name);
  QVERIFY(!table().accessibleName().isEmpty());
  press("openBuild");
  QTRY_VERIFY(shown("openGenerator"));
  QCOMPARE(child<QComboBox>("parameter.in.type")->accessibleName(), "in.type");
}

QTEST_MAIN(TestOpenPage)
#include "tst_open_page.moc"
