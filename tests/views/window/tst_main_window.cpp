// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a fake engine with fixed answers: every way to open, every question, with clicks
// and keys.
#include "../test_pipelines.h"
#include "views/window/main_window.h"
#include "views/window/window_settings.h"
#include "views/dag/dag_panel.h"
#include "views/stages/stage_panel.h"
#include "views/tables/stage_table_model.h"
#include "views/theme/theme.h"

#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>

using namespace tessera;
using namespace tessera::views;

class TestMainWindow : public QObject {
  Q_OBJECT
private slots:
  void init();
  void cleanup();

  void opensFromTheMenu();
  void opensFromTheStartPage();
  void opensRecentFiles();
  void opensWhatIsDropped();
  void errorsStandWhereTheDagWouldBe();
  void anErrorLosesNothing();
  void asksForTrustThenGeneratorThenOpens();
  void asksForEstimates();
  void cancelStopsAnOpen();
  void latestOpenWins();
  void reloadsWhatChangedOnDisk();
  void opensAtAnotherSize();
  void closeGoesBackToTheStartPage();
  void selectionIsShared();
  void keyboardDrivesTheDag();
  void mousePansAndZooms();
  void findJumpsBetweenMatches();
  void filterNarrowsTheStages();
  void exportsThePictures();
  void schedulesWhatIsOpen();
  void stopEndsTheSearch();
  void anotherFileForgetsTheSchedule();
  void saysWhyThereIsNoSchedule();
  void remembersWhatToScheduleWith();
  void detailsFollowLinks();
  void darkAndLight();
  void everyWidgetHasAName();
  void layoutIsRestored();
  void offScreenWindowsAreRescued();

private:
  QString file(const QString &name);
  void open(const QString &name);
  void waitForDag();
  template <typename T>
  T *child(const char *name) {
    return m_window->findChild<T *>(QString::fromLatin1(name));
  }
  QAction *action(const QString &text);
  QPushButton *shownButton(const char *name);
  QString shownText();
  void makeWindow();
  QString predicted() { return child<QLabel>("predicted")->text(); }
  QToolButton *toolButton(const char *action);

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<MainWindow> m_window;
};

void TestMainWindow::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_settings = std::make_unique<QSettings>(m_folder->filePath("s.ini"), QSettings::IniFormat);
  file("blur.hlpipe"); // a "sample"
  makeWindow();
}

void TestMainWindow::makeWindow() {
  WindowServices services;
  services.open = test::cannedService();
  services.schedule = test::cannedScheduleService();
  services.kernels = test::cannedKernelService();
  services.sampleFolder = m_folder->path();
  services.versions = {{"Tessera", "test"}};
  m_window = std::make_unique<MainWindow>(std::move(services), *m_settings);
  m_window->resize(1200, 800);
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
  // Without a window manager, the test has to make this the window that gets shortcuts.
  QApplication::setActiveWindow(m_window.get());
}

void TestMainWindow::cleanup() { m_window.reset(); }

QString TestMainWindow::file(const QString &name) {
  QFile made(m_folder->filePath(name));
  if (!made.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(name));
  made.write("content");
  return made.fileName();
}

void TestMainWindow::waitForDag() {
  QTRY_VERIFY(m_window->dag().isVisible() && m_window->dag().isLaidOut());
}

void TestMainWindow::open(const QString &name) {
  m_window->openFile(file(name));
  waitForDag();
}

QAction *TestMainWindow::action(const QString &text) {
  for (QAction *action : m_window->findChildren<QAction *>())
    if (action->text().remove('&').startsWith(text)) return action;
  qFatal("no action %s", qPrintable(text));
}

QPushButton *TestMainWindow::shownButton(const char *name) {
  for (QPushButton *button : m_window->findChildren<QPushButton *>(QString::fromLatin1(name)))
    if (button->isVisible()) return button;
  return nullptr;
}

QToolButton *TestMainWindow::toolButton(const char *name) {
  return qobject_cast<QToolButton *>(
      child<QToolBar>("tools")->widgetForAction(child<QAction>(name)));
}

QString TestMainWindow::shownText() {
  QString all;
  for (const QLabel *label : m_window->findChildren<QLabel *>())
    if (label->isVisible()) all += label->text() + "\n";
  return all;
}

void TestMainWindow::opensFromTheMenu() {
  const QString path = file("menu.hlpipe");
  QTest::keyClick(m_window.get(), Qt::Key_O, Qt::ControlModifier);
  QTRY_VERIFY(m_window->findChild<QFileDialog *>());
  auto *dialog = m_window->findChild<QFileDialog *>();
  QTRY_VERIFY(dialog->isVisible());
  auto *line = dialog->findChild<QLineEdit *>("fileNameEdit");
  QVERIFY(line);
  line->setText(path);
  QTest::keyClick(line, Qt::Key_Return);
  waitForDag();
  QVERIFY(m_window->windowTitle().startsWith("menu"));
}

void TestMainWindow::opensFromTheStartPage() {
  auto *samples = child<QListView>("samples");
  QVERIFY(samples->isVisible());
  const QRect card = samples->visualRect(samples->model()->index(0, 0));
  QTest::mouseClick(samples->viewport(), Qt::LeftButton, {}, card.center());
  waitForDag();
  QVERIFY(m_window->windowTitle().startsWith("blur"));
}

void TestMainWindow::opensRecentFiles() {
  open("first.hlpipe");
  open("second.hlpipe");
  QTRY_VERIFY(m_window->windowTitle().startsWith("second"));
  auto *menu = child<QMenu>("recentMenu");
  QCOMPARE(menu->actions().front()->text(), "second.hlpipe");
  menu->actions().at(1)->trigger();
  QTRY_VERIFY(m_window->windowTitle().startsWith("first"));
  action("Close")->trigger();
  auto *recent = child<QListWidget>("recent");
  QTRY_VERIFY(recent->isVisible());
  QCOMPARE(recent->count(), 2);
  recent->setFocus();
  recent->setCurrentRow(1);
  QTest::keyClick(recent, Qt::Key_Return);
  QTRY_VERIFY(m_window->windowTitle().startsWith("second"));
}

void TestMainWindow::opensWhatIsDropped() {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file("dropped.hlpipe"))});
  QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(m_window.get(), &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(m_window.get(), &drop);
  waitForDag();
  QVERIFY(m_window->windowTitle().startsWith("dropped"));
}

void TestMainWindow::errorsStandWhereTheDagWouldBe() {
  m_window->openFile(file("broken.hlpipe"));
  QTRY_VERIFY(shownButton("retry"));
  QVERIFY(shownText().contains("truncated at byte 17"));
  QVERIFY(shownText().contains("Write it again."));
  auto *problems = child<QTableView>("problems");
  QCOMPARE(problems->model()->rowCount(), 1);
  QTest::mouseClick(shownButton("back"), Qt::LeftButton);
  QTRY_VERIFY(child<QListView>("samples")->isVisible());
}

void TestMainWindow::anErrorLosesNothing() {
  open("good.hlpipe");
  m_window->openFile(file("broken.hlpipe"));
  QTRY_VERIFY(shownButton("back"));
  QVERIFY(shownButton("back")->text().contains("good"));
  QTest::keyClick(shownButton("back"), Qt::Key_Space);
  QTRY_VERIFY(m_window->dag().isVisible());
  QVERIFY(m_window->windowTitle().startsWith("good"));
  QVERIFY(m_window->dag().isLaidOut());
}

void TestMainWindow::asksForTrustThenGeneratorThenOpens() {
  const auto *page = child<QWidget>("openPage"); // the Pipeline dock has the same form
  m_window->openFile(file("generator"));
  QTRY_VERIFY(shownButton("allow"));
  QVERIFY(shownText().contains(QString(32, 'a')));
  QVERIFY(shownText().contains("sandbox"));
  QTest::mouseClick(shownButton("allow"), Qt::LeftButton);
  QTRY_VERIFY(shownButton("openGenerator"));
  auto *levels = page->findChild<QLineEdit *>("parameter.levels");
  QVERIFY(levels);
  QCOMPARE(levels->text(), "8");
  levels->clear();
  QTest::keyClicks(levels, "x5"); // letters are rejected
  QCOMPARE(levels->text(), "5");
  QTest::keyClick(page->findChild<QComboBox *>("generator"), Qt::Key_Down);
  QVERIFY(page->findChild<QComboBox *>("parameter.mode"));
  QTest::keyClick(page->findChild<QComboBox *>("generator"), Qt::Key_Up);
  QTest::keyClicks(page->findChild<QLineEdit *>("parameter.levels"), "2");
  QTest::mouseClick(shownButton("openGenerator"), Qt::LeftButton);
  waitForDag();
  QVERIFY(m_window->windowTitle().startsWith("one"));
  const auto &request = m_window->flow().document()->request;
  QCOMPARE(request.parameters.size(), std::size_t(1)); // values equal to defaults are left out
  QCOMPARE(request.parameters[0].second, std::string("82"));
  // The action lets the user choose another generator and other parameters.
  action("Generator and Parameters")->trigger();
  QTRY_VERIFY(shownButton("openGenerator"));
  QCOMPARE(page->findChild<QLineEdit *>("parameter.levels")->text(), "82");
}

void TestMainWindow::asksForEstimates() {
  m_window->openFile(file("noestimates.hlpipe"));
  QTRY_VERIFY(shownButton("openEstimates"));
  auto *table = child<QTableWidget>("estimateTable");
  QCOMPARE(table->item(0, 0)->text(), "blur_y");
  QCOMPARE(table->item(0, 1)->text(), "0:64, 0:48"); // a value to begin with
  QCOMPARE(table->item(1, 0)->text(), "levels");
  table->removeRow(1);
  table->item(0, 1)->setText({});
  QTest::mouseClick(shownButton("openEstimates"), Qt::LeftButton);
  QVERIFY(shownButton("openEstimates")); // no estimate was entered, so the page stays and says so
  table->item(0, 1)->setText("0:64, 0:48");
  QTest::mouseClick(shownButton("openEstimates"), Qt::LeftButton);
  waitForDag();
  QCOMPARE(m_window->flow().document()->request.estimates.size(), std::size_t(1));
  QCOMPARE(m_window->flow().document()->request.estimates[0].dims.size(), std::size_t(2));
}

void TestMainWindow::cancelStopsAnOpen() {
  m_window->openFile(file("slow.hlpipe"));
  QTRY_VERIFY(shownButton("cancelOpen"));
  QTRY_VERIFY(child<QWidget>("cancelJob")->isVisible());
  QTest::mouseClick(shownButton("cancelOpen"), Qt::LeftButton);
  QTRY_VERIFY(child<QListView>("samples")->isVisible());
  QVERIFY(m_window->bridge().running().empty());
  m_window->openFile(file("slow.hlpipe"));
  QTRY_VERIFY(child<QWidget>("cancelJob")->isVisible());
  QTest::mouseClick(child<QWidget>("cancelJob"), Qt::LeftButton);
  QTRY_VERIFY(child<QListView>("samples")->isVisible());
}

void TestMainWindow::latestOpenWins() {
  m_window->openFile(file("slow.hlpipe"));
  m_window->openFile(file("quick.hlpipe"));
  waitForDag();
  QVERIFY(m_window->windowTitle().startsWith("quick"));
}

void TestMainWindow::reloadsWhatChangedOnDisk() {
  open("watched.hlpipe");
  QSignalSpy changed(&m_window->flow(), &OpenFlow::changedOnDisk);
  const auto before = m_window->flow().document();
  file("watched.hlpipe");
  QTRY_VERIFY(changed.size() > 0);
  QTRY_VERIFY(shownButton("noteAccept"));
  QTest::mouseClick(shownButton("noteAccept"), Qt::LeftButton);
  QTRY_VERIFY(m_window->flow().document() != before);
  waitForDag();
  const auto second = m_window->flow().document();
  QTest::keyClick(m_window.get(), Qt::Key_F5);
  QTRY_VERIFY(m_window->flow().document() != second);
}

void TestMainWindow::opensAtAnotherSize() {
  auto *menu = child<QMenu>("sizeMenu");
  QVERIFY(!menu->isEnabled());
  open("plain.hlpipe");
  QVERIFY(!menu->isEnabled());
  open("sized.hlpipe");
  QTRY_VERIFY(menu->isEnabled());
  QCOMPARE(menu->actions().size(), 3);
  QVERIFY(menu->actions().at(0)->isChecked());
  QVERIFY(menu->actions().at(2)->text().contains("paper-large"));
  menu->actions().at(2)->trigger();
  QTRY_VERIFY(m_window->windowTitle().startsWith("sized, paper-large"));
  waitForDag();
  QCOMPARE(m_window->flow().document()->request.size, std::string("paper-large"));
  QVERIFY(menu->actions().at(2)->isChecked());
  const auto before = m_window->flow().document();
  m_window->flow().reload();
  QTRY_VERIFY(m_window->flow().document() != before);
  QCOMPARE(m_window->flow().document()->request.size, std::string("paper-large"));
  menu->actions().at(0)->trigger();
  QTRY_VERIFY(m_window->windowTitle().startsWith("sized[*] —"));
}

void TestMainWindow::closeGoesBackToTheStartPage() {
  QVERIFY(!action("Reload")->isEnabled());
  open("a.hlpipe");
  QVERIFY(action("Reload")->isEnabled());
  QVERIFY(child<QDockWidget>("stages")->isVisible());
  QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier);
  QTRY_VERIFY(child<QListView>("samples")->isVisible());
  QVERIFY(!child<QDockWidget>("stages")->isVisible());
  QCOMPARE(m_window->windowTitle(), "Tessera");
}

void TestMainWindow::selectionIsShared() {
  open("a.hlpipe");
  DagView &view = m_window->dag().view();
  view.zoomTo(1);
  const QRectF node = m_window->dag().scene().geometry().nodes[1]; // blur_x
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.mapFromScene(node.center()));
  const Subject blurX = Subject::stage(pipeline::StageId{0});
  QTRY_COMPARE(m_window->selection().active(), std::optional(blurX));
  QTRY_COMPARE(m_window->stages().table().currentIndex().row(), 1);
  QTRY_VERIFY(child<QTextBrowser>("details")->toPlainText().contains("input(x + 2, y)"));
  // A row of the list selects its node in the DAG, too.
  QTableView &table = m_window->stages().table();
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                    table.visualRect(table.model()->index(3, 0)).center());
  const Subject update = Subject::stage(pipeline::StageId{2});
  QTRY_COMPARE(m_window->selection().active(), std::optional(update));
  QTRY_VERIFY(child<QTextBrowser>("details")->toPlainText().contains("reduction"));
  QTest::keyClick(&table, Qt::Key_Up);
  QTRY_COMPARE(m_window->selection().active(), std::optional(Subject::stage(pipeline::StageId{1})));
  // A problem in the list selects its stage.
  auto *problems = child<QTableView>("problems");
  QTest::mouseClick(problems->viewport(), Qt::LeftButton, {},
                    problems->visualRect(problems->model()->index(0, 1)).center());
  QTRY_COMPARE(m_window->selection().active(), std::optional(blurX));
}

void TestMainWindow::keyboardDrivesTheDag() {
  open("a.hlpipe");
  DagView &view = m_window->dag().view();
  view.setFocus();
  const double fitted = view.scale();
  QTest::keyClick(&view, Qt::Key_Plus);
  QVERIFY(view.scale() > fitted);
  const int y = view.verticalScrollBar()->value();
  QTest::keyClick(&view, Qt::Key_Down);
  QVERIFY(view.verticalScrollBar()->value() > y);
  QTest::keyClick(&view, Qt::Key_F);
  QCOMPARE(view.scale(), fitted);
  QTest::keyClick(&view, Qt::Key_Down, Qt::AltModifier);
  QTRY_COMPARE(m_window->selection().active(), std::optional(Subject::input(pipeline::InputId{0})));
  QTest::keyClick(&view, Qt::Key_Down, Qt::AltModifier);
  QTRY_COMPARE(m_window->selection().active(), std::optional(Subject::stage(pipeline::StageId{0})));
  QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
  QCOMPARE(view.scale(), 1.0);
}

void TestMainWindow::mousePansAndZooms() {
  open("a.hlpipe");
  DagView &view = m_window->dag().view();
  const QPoint corner(20, 20);
  const QPointF under = view.mapToScene(200, 150);
  QWheelEvent wheel({200, 150}, view.viewport()->mapToGlobal(QPointF(200, 150)), {}, {0, 120},
                    Qt::NoButton, {}, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(view.viewport(), &wheel);
  QVERIFY(QLineF(view.mapToScene(200, 150), under).length() < 2 / view.scale());
  const int x = view.horizontalScrollBar()->value();
  QTest::mousePress(view.viewport(), Qt::LeftButton, {}, corner);
  QTest::mouseMove(view.viewport(), corner + QPoint(60, 0));
  QMouseEvent move(QEvent::MouseMove, corner + QPoint(90, 0),
                   view.viewport()->mapToGlobal(corner + QPoint(90, 0)), Qt::LeftButton,
                   Qt::LeftButton, {});
  QCoreApplication::sendEvent(view.viewport(), &move);
  QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, corner + QPoint(90, 0));
  QCOMPARE(view.horizontalScrollBar()->value(), x - 90);
  QVERIFY(!m_window->selection().active()); // a drag is no click
}

void TestMainWindow::findJumpsBetweenMatches() {
  open("a.hlpipe");
  QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
  auto *line = child<QLineEdit>("findLine");
  QTRY_VERIFY(line->isVisible());
  QTest::keyClicks(line, "blur");
  QTRY_COMPARE(m_window->selection().active(), std::optional(Subject::stage(pipeline::StageId{0})));
  QVERIFY(shownText().contains("1 of 2"));
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_COMPARE(m_window->selection().active(), std::optional(Subject::stage(pipeline::StageId{1})));
  QTest::keyClick(line, Qt::Key_Return, Qt::ShiftModifier);
  QVERIFY(shownText().contains("1 of 2"));
  QTest::keyClick(line, Qt::Key_Escape);
  QVERIFY(!line->isVisible());
}

void TestMainWindow::filterNarrowsTheStages() {
  open("a.hlpipe");
  QLineEdit &line = m_window->stages().filterLine();
  QTest::keyClicks(&line, "reduction");
  QCOMPARE(m_window->stages().table().model()->rowCount(), 1);
  line.clear();
  QCOMPARE(m_window->stages().table().model()->rowCount(), 4);
}

void TestMainWindow::exportsThePictures() {
  open("a.hlpipe");
  for (const QString suffix : {"svg", "png", "pdf"}) {
    action("Export DAG as " + suffix.toUpper())->trigger();
    QTRY_VERIFY(m_window->findChild<QFileDialog *>());
    auto *dialog = m_window->findChild<QFileDialog *>();
    const QString path = m_folder->filePath("dag." + suffix);
    dialog->findChild<QLineEdit *>("fileNameEdit")->setText(path);
    QTest::keyClick(dialog->findChild<QLineEdit *>("fileNameEdit"), Qt::Key_Return);
    QTRY_VERIFY(QFileInfo(path).size() > 500);
    QTRY_VERIFY(!m_window->findChild<QFileDialog *>());
  }
}

void TestMainWindow::schedulesWhatIsOpen() {
  auto *start = child<QAction>("schedule"), *stop = child<QAction>("stop");
  QVERIFY(!start->isEnabled() && !stop->isEnabled());
  QVERIFY(start->toolTip().contains("Open a pipeline"));
  open("a.hlpipe");
  QVERIFY(start->isEnabled() && !stop->isEnabled());
  QVERIFY(start->toolTip().contains("Ctrl+R"));
  QVERIFY(predicted().isEmpty());
  QVERIFY(!shownText().contains("inlined"));
  QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
  QTRY_VERIFY(!predicted().isEmpty() && !m_window->schedule().isRunning());
  QVERIFY2(predicted().endsWith(" ms predicted on h200, 3 kernels"), qPrintable(predicted()));
  const std::vector<NodePlace> &places = m_window->dag().scene().places();
  QCOMPARE(places.size(), std::size_t(3)); // input, blur_x, blur_y with its update
  QVERIFY(places[0].label.isEmpty());
  QCOMPARE(places[1].label, "1");
  QCOMPARE(places[2].label, "2, 3");
  QTRY_VERIFY(shownText().contains("inlined")); // the legend
  const QAbstractItemModel &table = *m_window->stages().table().model();
  QCOMPARE(table.index(0, StageTableModel::Kernel).data().toString(), "");
  QCOMPARE(table.index(1, StageTableModel::Kernel).data().toString(), "1");
  QVERIFY(table.index(1, StageTableModel::Predicted).data().toString().toDouble() > 0);
}

void TestMainWindow::stopEndsTheSearch() {
  open("endless.hlpipe");
  const auto isRunning = [this] { return m_window->schedule().isRunning(); };
  QTest::mouseClick(toolButton("schedule"), Qt::LeftButton);
  QTRY_VERIFY(!predicted().isEmpty());
  QVERIFY(isRunning() && !toolButton("schedule")->isEnabled());
  QTRY_VERIFY(child<QWidget>("cancelJob")->isVisible());
  QVERIFY(shownText().contains("Scheduling endless: looking"));
  QTest::mouseClick(toolButton("stop"), Qt::LeftButton);
  QVERIFY(!isRunning() && !toolButton("stop")->isEnabled());
  QVERIFY(!predicted().isEmpty()); // the best schedule so far stays
  QTRY_VERIFY(!child<QWidget>("cancelJob")->isVisible());
  // Starting and stopping a search also works by the keyboard alone.
  QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
  QVERIFY(isRunning());
  QTRY_VERIFY(child<QWidget>("cancelJob")->isVisible());
  QTest::keyClick(m_window.get(), Qt::Key_Escape);
  QTRY_VERIFY(!isRunning());
}

void TestMainWindow::anotherFileForgetsTheSchedule() {
  open("endless.hlpipe");
  child<QAction>("schedule")->trigger();
  QTRY_VERIFY(!predicted().isEmpty());
  m_window->openFile(file("b.hlpipe"));
  QTRY_VERIFY(m_window->windowTitle().startsWith("b[*]"));
  QVERIFY(predicted().isEmpty());
  QVERIFY(!m_window->schedule().isRunning());
  QVERIFY(m_window->dag().scene().places().empty());
  const QAbstractItemModel &table = *m_window->stages().table().model();
  QVERIFY(table.index(1, StageTableModel::Kernel).data().toString().isEmpty());
  QVERIFY(child<QAction>("schedule")->isEnabled());
  action("Close")->trigger();
  QTRY_VERIFY(!child<QAction>("schedule")->isEnabled());
}

void TestMainWindow::saysWhyThereIsNoSchedule() {
  open("refused.hlpipe");
  child<QAction>("schedule")->trigger();
  QTRY_VERIFY(shownText().contains("blur_x cannot be scheduled"));
  QVERIFY(child<QAction>("schedule")->isEnabled());
}

void TestMainWindow::remembersWhatToScheduleWith() {
  auto *machine = child<QComboBox>("machine");
  QCOMPARE(machine->currentText(), "h200");
  QCOMPARE(child<QComboBox>("algorithm")->currentText(), "auto");
  QTest::keyClick(machine, Qt::Key_Up);
  QCOMPARE(machine->currentText(), "a100");
  QVERIFY(machine->toolTip().contains("An A100"));
  open("a.hlpipe");
  child<QAction>("schedule")->trigger();
  QTRY_VERIFY(predicted().contains("a100"));
  m_window->close();
  makeWindow();
  QCOMPARE(child<QComboBox>("machine")->currentText(), "a100");
}

void TestMainWindow::detailsFollowLinks() {
  open("a.hlpipe");
  auto *details = child<QTextBrowser>("details");
  QVERIFY(details->toPlainText().contains("Outputs"));
  emit details->anchorClicked(QUrl("stage:0"));
  QTRY_VERIFY(details->toPlainText().contains("input(x + [0, 2], y)"));
  QVERIFY(details->toPlainText().contains("vectorize(x, 8)"));
  emit details->anchorClicked(QUrl("input:0"));
  QTRY_VERIFY(details->toPlainText().contains("derived from the outputs"));
}

void TestMainWindow::darkAndLight() {
  open("a.hlpipe");
  action("Dark")->trigger();
  QTRY_VERIFY(isDark(m_window->palette()));
  QTRY_VERIFY(isDark(m_window->dag().palette()));
  QCOMPARE(m_window->dag().view().backgroundBrush().color(), darkPalette().color(QPalette::Base));
  action("Light")->trigger();
  QTRY_VERIFY(!isDark(m_window->palette()));
}

void TestMainWindow::everyWidgetHasAName() {
  open("a.hlpipe");
  QStringList nameless;
  for (const QWidget *widget : m_window->findChildren<QWidget *>()) {
    if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisibleTo(m_window.get())) continue;
    if (widget->objectName().startsWith("qt_")) continue;
    QAccessibleInterface *face =
        QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
    if (!face || !face->text(QAccessible::Name).isEmpty()) continue;
    nameless << QString("%1 %2 in %3")
                    .arg(widget->metaObject()->className(), widget->objectName(),
                         widget->parentWidget()->metaObject()->className());
  }
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(", ")));
}

void TestMainWindow::layoutIsRestored() {
  open("a.hlpipe");
  auto *problems = child<QDockWidget>("problems");
  problems->toggleViewAction()->trigger();
  QVERIFY(problems->isHidden());
  m_window->close();
  makeWindow();
  open("a.hlpipe");
  QVERIFY(child<QDockWidget>("problems")->isHidden());
  action("Restore Default Layout")->trigger();
  QVERIFY(!child<QDockWidget>("problems")->isHidden()); // it is a tab behind another dock
}

void TestMainWindow::offScreenWindowsAreRescued() {
  const QList<QRect> screens{{0, 0, 1600, 1000}};
  QCOMPARE(rescued({100, 100, 800, 600}, screens), QRect(100, 100, 800, 600));
  const QRect lost = rescued({5000, 100, 3000, 600}, screens);
  QVERIFY(screens[0].contains(lost));
  QVERIFY(screens[0].contains(rescued({100, -900, 800, 600}, screens)));
}

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
