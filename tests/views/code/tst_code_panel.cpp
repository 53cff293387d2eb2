// SPDX-License-Identifier: GPL-3.0-or-later
// The code dock: texts of the engine, lines and stages that follow each other, compilation on
// request.
#include "../test_pipelines.h"
#include "views/code/code_panel.h"
#include "engine/document/schedule_file.h"
#include "views/theme/find_bar.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>
#include <QTextBlock>

#include <atomic>

using namespace tessera;
using namespace tessera::views;

class TestCodePanel : public QObject {
  Q_OBJECT
private slots:
  void init();

  void showsWhatTheEngineExports();
  void aLineSelectsItsStage();
  void theSelectionLightsItsLines();
  void compilesWhenAsked();
  void compilingCanBeStopped();
  void saysWhyCompilingFailed();
  void saysWhatIsMissing();
  void anotherScheduleForgetsWhatWasCompiled();
  void findsText();
  void findKeysMeanThisText();
  void copiesAll();
  void showsTheDifference();
  void comparesCompiledCode();
  void comparingGoesOnBehindTheText();
  void saysWhyTheOtherIsNotCompiled();
  void anotherChoiceIsAnotherCompilation();
  void whatWasCompiledIsNotCompiledAgain();
  void keepsItsPlaceInABetterSchedule();

private:
  ShownSchedulePtr scheduled(std::int32_t registerCap = 64) const;
  void show(const ShownSchedulePtr &shown);
  CodeView &view() { return m_panel->view(); }
  QString text() { return view().toPlainText(); }
  QString note() { return m_panel->findChild<QLabel *>("codeNote")->text(); }
  QString about() { return m_panel->findChild<QLabel *>("codeAbout")->text(); }
  QPushButton *button() { return m_panel->findChild<QPushButton *>("codeCompile"); }
  QAction *action(const char *name) { return m_panel->findChild<QAction *>(name); }
  Subject stage(const std::string &name) const;
  void clickLine(int line);
  int lineOf(const QString &words) {
    return int(text().left(qMax(0, text().indexOf(words))).count('\n'));
  }

  struct Compiler {
    std::atomic<int> runs = 0, stops = 0;
    // The register cap at which compiling waits or fails; -1: at any cap, 0: never.
    std::atomic<int> waitsAt = 0, failsAt = 0;
    Error error{ErrorCode::System, "the worker crashed", "Try again."};
    CompiledTexts texts;
  };
  QString loopsOf(int registerCap) const {
    return QString::fromStdString(m_compiler->texts.loops + "// " + std::to_string(registerCap));
  }
  QWidget *comparison() { return m_panel->findChild<QLabel *>("codeComparing")->parentWidget(); }
  QString comparing() { return m_panel->findChild<QLabel *>("codeComparing")->text(); }
  QPushButton *compareButton() { return m_panel->findChild<QPushButton *>("codeCompareButton"); }
  void showDifferenceOfLoops(); // compares the loops of 128 registers with those of 64
  std::shared_ptr<Compiler> m_compiler;
  std::unique_ptr<Bridge> m_bridge;
  std::unique_ptr<Selection> m_selection;
  std::unique_ptr<ShownKernels> m_kernels;
  CrashLadder m_ladder;
  CompiledSchedules m_compiled;
  std::unique_ptr<CompileFlow> m_compile, m_compared;
  std::unique_ptr<CodePanel> m_panel;
  pipeline::PipelinePtr m_pipeline;
};

void TestCodePanel::init() {
  m_panel.reset();
  m_compile.reset();
  m_compared.reset();
  m_compiled.clear();
  m_kernels.reset();
  m_bridge.reset();
  m_compiler = std::make_shared<Compiler>();
  m_compiler->texts.loops = "let a = 1\nproduce blur_x\n blur_x[0] = 1\nblur_y[0] = 2\n";
  m_compiler->texts.ptx = ".visible .entry k0(\n)\n.visible .entry k1(\n)\n";
  m_compiler->texts.report.loweredLines = {{2, 3, {"blur_x", 0}}, {4, 4, {"blur_y", 0}}};
  report::KernelReport first, second;
  first.stages = {{"blur_x", 0}};
  first.firstLine = 1, first.lineCount = 2;
  second.stages = {{"blur_y", 0}, {"blur_y", 1}};
  second.firstLine = 3, second.lineCount = 2;
  m_compiler->texts.report.kernels = {first, second};
  m_compiler->texts.report.remarks = {"no disassembler is found"};
  KernelService service = test::cannedKernelService();
  service.compile = [compiler =
                         m_compiler](const CompileWish &wish, std::stop_token stop,
                                     const job::ProgressCallback &) -> Result<CompiledTexts> {
    ++compiler->runs;
    const int cap = wish.schedule.settings().registerCap;
    const auto isMeant = [cap](const std::atomic<int> &at) { return at == cap || at == -1; };
    while (isMeant(compiler->waitsAt) && !stop.stop_requested())
      std::this_thread::yield();
    if (stop.stop_requested()) {
      ++compiler->stops;
      return Error{ErrorCode::Cancelled, "cancelled", {}};
    }
    if (isMeant(compiler->failsAt)) return compiler->error;
    CompiledTexts texts = compiler->texts;
    texts.loops += "// " + std::to_string(cap);
    return texts;
  };
  m_selection = std::make_unique<Selection>();
  m_bridge = std::make_unique<Bridge>(2);
  m_kernels = std::make_unique<ShownKernels>(service, *m_bridge, *m_selection);
  m_compile = std::make_unique<CompileFlow>(CompileFlow::Of::Shown, service, *m_bridge, *m_kernels,
                                            m_ladder, m_compiled);
  m_compared = std::make_unique<CompileFlow>(CompileFlow::Of::Compared, service, *m_bridge,
                                             *m_kernels, m_ladder, m_compiled);
  m_compile->setFile(open::PipelineFiles{});
  m_compared->setFile(open::PipelineFiles{});
  m_panel = std::make_unique<CodePanel>(*m_kernels, *m_compile, *m_compared, *m_selection,
                                        *m_bridge, "1.2.3");
  m_panel->resize(700, 500);
  static_cast<QWidget *>(m_panel.get())->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
  QApplication::setActiveWindow(m_panel.get());
  m_pipeline = test::smallPipeline();
}

ShownSchedulePtr TestCodePanel::scheduled(std::int32_t registerCap) const {
  FoundSchedule found = test::defaultFound(m_pipeline);
  schedule::Settings settings = found.schedule.settings();
  settings.registerCap = registerCap;
  found.schedule.set(settings);
  return showSchedule(std::move(found), "h200");
}

void TestCodePanel::show(const ShownSchedulePtr &shown) {
  m_kernels->setSchedule(shown, ShownKernels::Stage::Settled);
  QTRY_COMPARE(m_kernels->schedule(), shown);
  QTRY_VERIFY(m_bridge->running().empty());
}

Subject TestCodePanel::stage(const std::string &name) const {
  for (std::uint32_t i = 0; i < m_pipeline->stages().size(); ++i)
    if (m_pipeline->stageName(pipeline::StageId{i}) == name)
      return Subject::stage(pipeline::StageId{i});
  qFatal("no stage %s", name.c_str());
}

void TestCodePanel::clickLine(int line) {
  QTextCursor cursor(view().document()->findBlockByNumber(line));
  view().setTextCursor(cursor);
  QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, view().cursorRect(cursor).center());
}

void TestCodePanel::showsWhatTheEngineExports() {
  QVERIFY(note().contains("no schedule"));
  show(scheduled());
  const FoundSchedule &found = m_kernels->schedule()->found;
  const std::string machine = m_kernels->facts().machine.name;
  for (const auto &[kind, format] :
       {std::pair(CodeKind::Cpp, "h"), std::pair(CodeKind::Python, "py"),
        std::pair(CodeKind::Json, "json")}) {
    m_panel->show(kind);
    const auto expected = document::scheduleText(
        found.schedule, format, {machine, "1.2.3", found.prediction.milliseconds(), {}});
    QVERIFY(expected);
    QTRY_COMPARE(text(), QString::fromStdString(*expected));
  }
}

void TestCodePanel::aLineSelectsItsStage() {
  show(scheduled());
  const int line = lineOf("    blur_y.update()");
  QVERIFY(line > 0);
  clickLine(line);
  QTRY_COMPARE(m_selection->active(), std::optional(stage("blur_y.update(0)")));
  clickLine(0); // a click on a comment line keeps the selection
  QCOMPARE(m_selection->active(), std::optional(stage("blur_y.update(0)")));
}

void TestCodePanel::theSelectionLightsItsLines() {
  show(scheduled());
  m_selection->select(stage("blur_x"));
  QTRY_VERIFY(view().litLines() > 0);
  const LineMark *mark = markAt(view().marks(), view().textCursor().blockNumber());
  QVERIFY(mark); // the cursor is at a line of the stage
  QCOMPARE(mark->subjects, std::vector{stage("blur_x")});
  QVERIFY(about().startsWith("blur_x"));
  m_selection->clear();
  QTRY_COMPARE(view().litLines(), 0);
  QTRY_VERIFY(about().isEmpty());
}

void TestCodePanel::compilesWhenAsked() {
  show(scheduled());
  m_panel->show(CodeKind::Loops);
  QVERIFY(button()->isVisible());
  QCOMPARE(m_compiler->runs.load(), 0); // nobody has asked for a compilation yet
  QTest::mouseClick(button(), Qt::LeftButton);
  QTRY_COMPARE(text(), loopsOf(64));
  m_panel->show(CodeKind::Ptx);
  QTRY_COMPARE(text().toStdString(), m_compiler->texts.ptx);
  QCOMPARE(m_compiler->runs.load(), 1); // one compilation gives all texts
  // A line of a kernel selects its stages, and a selected stage highlights its kernel.
  clickLine(2);
  QTRY_COMPARE(m_selection->selected().size(), std::size_t(2));
  QTRY_COMPARE(view().litLines(), 2);
  m_panel->show(CodeKind::Loops);
  QTRY_COMPARE(text(), loopsOf(64));
  m_selection->select(stage("blur_x"));
  QTRY_COMPARE(view().textCursor().blockNumber(), 1);
}

void TestCodePanel::compilingCanBeStopped() {
  m_compiler->waitsAt = -1;
  show(scheduled());
  m_panel->show(CodeKind::Sass);
  QTest::mouseClick(button(), Qt::LeftButton);
  QTRY_COMPARE(m_compiler->runs.load(), 1);
  QVERIFY(note().contains("Compiling"));
  QTest::mouseClick(button(), Qt::LeftButton);
  QTRY_COMPARE(m_compile->state(), CompileFlow::State::Idle);
  QVERIFY(button()->isVisible());
  QVERIFY(button()->text().contains("Compile"));
}

void TestCodePanel::saysWhyCompilingFailed() {
  m_compiler->failsAt = -1;
  show(scheduled());
  m_panel->show(CodeKind::Ptx);
  QTest::mouseClick(button(), Qt::LeftButton);
  QTRY_VERIFY(note().contains("the worker crashed"));
  m_compiler->failsAt = 0;
  QTest::mouseClick(button(), Qt::LeftButton);
  QTRY_COMPARE(text().toStdString(), m_compiler->texts.ptx);
}

void TestCodePanel::saysWhatIsMissing() {
  show(scheduled());
  m_panel->show(CodeKind::Sass);
  QTest::mouseClick(button(), Qt::LeftButton);
  QTRY_VERIFY(note().contains("no disassembler is found"));
  QVERIFY(note().contains("nvdisasm"));
  QVERIFY(!button()->isVisible());
}

void TestCodePanel::anotherScheduleForgetsWhatWasCompiled() {
  show(scheduled());
  m_panel->show(CodeKind::Ptx);
  m_compile->start();
  QTRY_COMPARE(text().toStdString(), m_compiler->texts.ptx);
  m_kernels->compareWithShown(); // the kept schedule is the shown one, so the texts stay
  QCOMPARE(m_compile->state(), CompileFlow::State::Done);
  show(scheduled()); // an equal schedule is not compiled again
  QCOMPARE(m_compile->state(), CompileFlow::State::Done);
  QVERIFY(m_kernels->isCompiled());
  show(scheduled(128));
  QCOMPARE(m_compile->state(), CompileFlow::State::Idle);
  QTRY_VERIFY(button()->isVisible());
}

void TestCodePanel::findsText() {
  show(scheduled());
  QTest::keyClick(&view(), Qt::Key_F, Qt::ControlModifier);
  auto *line = m_panel->findChild<QLineEdit *>("codeFindLine");
  QTRY_VERIFY(line->isVisible());
  QTest::keyClicks(line, "BLUR_Y");
  const int expected = int(text().count("blur_y", Qt::CaseInsensitive));
  QCOMPARE(view().matches(), expected);
  QVERIFY(expected > 2);
  QCOMPARE(view().currentMatch(), 1);
  QTest::keyClick(line, Qt::Key_Return);
  QCOMPARE(view().currentMatch(), 2);
  QTest::keyClick(line, Qt::Key_Return, Qt::ShiftModifier);
  QTest::keyClick(line, Qt::Key_Return, Qt::ShiftModifier);
  QCOMPARE(view().currentMatch(), expected); // wraps around from the first match to the last
  QCOMPARE(view().textCursor().selectedText().toLower(), QString("blur_y"));
  QTest::keyClick(line, Qt::Key_Escape);
  QVERIFY(!line->isVisible());
  QCOMPARE(view().matches(), 0);
}

void TestCodePanel::findKeysMeanThisText() {
  show(scheduled());
  for (const auto &[key, modifiers] :
       {std::pair(Qt::Key_F, Qt::ControlModifier), std::pair(Qt::Key_F3, Qt::NoModifier)}) {
    QKeyEvent override(QEvent::ShortcutOverride, key, modifiers);
    override.ignore();
    QApplication::sendEvent(m_panel.get(), &override);
    QVERIFY(override.isAccepted());
  }
}

void TestCodePanel::copiesAll() {
  show(scheduled());
  action("code-copy")->trigger();
  QCOMPARE(QGuiApplication::clipboard()->text(), text());
}

void TestCodePanel::showsTheDifference() {
  show(scheduled(64));
  QVERIFY(!action("code-difference")->isEnabled());
  show(scheduled(128));
  QVERIFY(action("code-difference")->isEnabled());
  action("code-difference")->trigger();
  QTRY_VERIFY(text().contains("// registers: 64\n"));
  QVERIFY(text().contains("// registers: 128\n"));
  // The cursor is placed at the first change.
  QVERIFY(view().textCursor().block().text().contains("registers: 64"));
  action("code-difference")->trigger();
  QTRY_VERIFY(!text().contains("// registers: 64\n"));
}

void TestCodePanel::showDifferenceOfLoops() {
  show(scheduled(64));
  show(scheduled(128));
  m_panel->show(CodeKind::Loops);
  action("code-difference")->trigger();
  QVERIFY(comparison()->isHidden()); // there is nothing compiled yet
  QTest::mouseClick(button(), Qt::LeftButton);
}

void TestCodePanel::comparesCompiledCode() {
  m_selection->select(stage("blur_y"));
  showDifferenceOfLoops();
  QTRY_VERIFY(text().contains("// 64"));
  QVERIFY(text().contains("// 128"));
  QCOMPARE(m_compiler->runs.load(), 2);
  QVERIFY(comparison()->isHidden());
  QVERIFY2(about().startsWith("+1 −1 lines compared with the previous schedule"),
           qPrintable(about()));
  QVERIFY(view().textCursor().block().text().contains("// 64")); // the first change
  // Selected stages and highlighted lines still follow each other.
  QCOMPARE(view().litLines(), 1);
  QVERIFY(about().contains("blur_y: 1 line"));
  clickLine(lineOf("produce blur_x"));
  QTRY_COMPARE(m_selection->active(), std::optional(stage("blur_x")));
  m_panel->show(CodeKind::Ptx); // the PTX of both schedules is the same
  QTRY_COMPARE(text().toStdString(), m_compiler->texts.ptx);
  QVERIFY(about().startsWith("+0 −0 lines"));
  QCOMPARE(m_compiler->runs.load(), 2);
  action("code-difference")->trigger();
  m_panel->show(CodeKind::Loops);
  QTRY_COMPARE(text(), loopsOf(128));
}

void TestCodePanel::comparingGoesOnBehindTheText() {
  m_compiler->waitsAt = 64;
  showDifferenceOfLoops();
  QTRY_COMPARE(text(), loopsOf(128));
  QTRY_COMPARE(m_compiler->runs.load(), 2);
  QTRY_VERIFY(comparison()->isVisible());
  QVERIFY2(comparing().startsWith("Compiling the previous schedule"), qPrintable(comparing()));
  QTest::mouseClick(compareButton(), Qt::LeftButton);
  QTRY_COMPARE(m_compiler->stops.load(), 1);
  QVERIFY(!action("code-difference")->isChecked());
  QVERIFY(comparison()->isHidden());
  QCOMPARE(m_compared->state(), CompileFlow::State::Idle);
  m_compiler->waitsAt = 0;
  action("code-difference")->trigger();
  QTRY_VERIFY(text().contains("// 64"));
}

void TestCodePanel::saysWhyTheOtherIsNotCompiled() {
  m_compiler->failsAt = 64;
  showDifferenceOfLoops();
  QTRY_VERIFY(comparing().contains("the worker crashed"));
  QVERIFY(comparing().startsWith("Cannot compare with the previous schedule"));
  QTRY_COMPARE(text(), loopsOf(128)); // the text of the shown schedule is still there
  m_compiler->failsAt = 0;
  QTest::mouseClick(compareButton(), Qt::LeftButton);
  QTRY_VERIFY(text().contains("// 64"));
  QVERIFY(comparison()->isHidden());
  m_panel->show(CodeKind::Sass); // neither schedule has SASS, so the note is about both
  QVERIFY(note().contains("no disassembler is found"));
}

void TestCodePanel::anotherChoiceIsAnotherCompilation() {
  m_compiler->waitsAt = 64;
  showDifferenceOfLoops();
  QTRY_COMPARE(m_compiler->runs.load(), 2);
  m_kernels->setPinned({{"A", "little", scheduled(32)}});
  QTRY_VERIFY(text().contains("// 32"));
  QTRY_COMPARE(m_compiler->stops.load(), 1);
  QCOMPARE(action("code-difference")->toolTip(), "Difference from A, little");
}

void TestCodePanel::whatWasCompiledIsNotCompiledAgain() {
  show(scheduled(64));
  m_panel->show(CodeKind::Loops);
  QTest::mouseClick(button(), Qt::LeftButton);
  QTRY_COMPARE(text(), loopsOf(64));
  show(scheduled(128));
  action("code-difference")->trigger();
  QTest::mouseClick(button(), Qt::LeftButton);
  QTRY_VERIFY(text().contains("// 128")); // until then, the plain text is shown
  QVERIFY(text().contains("// 64"));
  QCOMPARE(m_compiler->runs.load(), 2);
}

void TestCodePanel::keepsItsPlaceInABetterSchedule() {
  show(scheduled(64));
  m_panel->show(CodeKind::Json);
  QTRY_VERIFY(text().startsWith("{"));
  QScrollBar *bar = view().verticalScrollBar();
  QVERIFY(bar->maximum() > 4);
  bar->setValue(4);
  show(scheduled(128));
  QTRY_VERIFY(text().contains("\"register_cap\": 128"));
  QCOMPARE(bar->value(), 4);
}

QTEST_MAIN(TestCodePanel)
#include "tst_code_panel.moc"
