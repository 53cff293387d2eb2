// SPDX-License-Identifier: GPL-3.0-or-later
// What the code dock computes about texts: tokens, lines of stages, differences of two texts.
#include "../test_pipelines.h"
#include "views/text/code_difference.h"
#include "views/text/code_marks.h"
#include "views/text/text_difference.h"
#include "engine/document/schedule_file.h"
#include "engine/schedule/edits/default_schedule.h"
#include "tests/engine/pipeline/sketch.h"

#include <QTest>

#include <random>

using namespace tessera;
using namespace tessera::views;
using Kind = CodeToken::Kind;

class TestCode : public QObject {
  Q_OBJECT
private slots:
  void tellsPartsOfALine_data();
  void tellsPartsOfALine();
  void brokenLinesEndSomewhere();
  void findsStagesInExportedText_data();
  void findsStagesInExportedText();
  void findsStagesOfFuncsThatShareAName();
  void findsStagesInCompiledCode();
  void findsTheMarkOfALine();
  void differencesAreTheFewest();
  void differencesGiveBothTextsBack();
  void differencesOfLongTexts();
  void sectionsOfOneNameBelongTogether();
  void whatCompilersNumberAnewDoesNotCount_data();
  void whatCompilersNumberAnewDoesNotCount();
  void marksGoAlongIntoADifference();
};

namespace {

// The painted tokens of the line, each after the first letter of its kind: "K using|C find|S
// \"x\"".
QString parts(CodeKind kind, const QString &line) {
  QStringList all;
  for (const CodeToken &token : tokensOf(kind, line))
    all << QStringLiteral("%1 %2")
               .arg(QStringLiteral("KCNSOR")[int(token.kind)])
               .arg(line.mid(token.from, token.length));
  return all.join('|');
}

} // namespace

void TestCode::tellsPartsOfALine_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char *name, CodeKind kind, const char *line, const char *expected) {
    QTest::newRow(name) << int(kind) << QString(line) << QString(expected);
  };
  row("C++", CodeKind::Cpp, "    Func f = find(\"f\"); // x", "C find|S \"f\"|O // x");
  row("C++ call", CodeKind::Cpp, "        .split(x, x_1, 64)", "C split|N 64");
  row("C++ word", CodeKind::Cpp, "    using ::Halide::Func;", "K using");
  row("C++ escape", CodeKind::Cpp, "s = \"a\\\"b\" + 1", "S \"a\\\"b\"|N 1");
  row("Python", CodeKind::Python, "for x in f(1): # // no", "K for|K in|C f|N 1|O # // no");
  row("JSON", CodeKind::Json, "  \"func\": \"a//b\", true, 12",
      "C \"func\"|S \"a//b\"|K true|N 12");
  row("loops", CodeKind::Loops, " let t.s = max(a.b, 3)", "K let|C max|N 3");
  row("PTX", CodeKind::Ptx, "\tadd.s32 \t%r271, %r37, 0f37; // x",
      "C add.s32|R %r271|R %r37|N 0f37|O // x");
  row("PTX directive", CodeKind::Ptx, ".visible .entry k0(", "K .visible|K .entry|C k0");
  row("SASS", CodeKind::Sass, "  /*0030*/  IADD3 R1, R1, -0x38, RZ ;",
      "O /*0030*/|C IADD3|R R1|R R1|N 0x38|R RZ");
  row("empty", CodeKind::Cpp, "", "");
}

void TestCode::tellsPartsOfALine() {
  QFETCH(int, kind);
  QFETCH(QString, line);
  QFETCH(QString, expected);
  QCOMPARE(parts(CodeKind(kind), line), expected);
}

void TestCode::brokenLinesEndSomewhere() {
  std::mt19937 random(1);
  const QString letters = QStringLiteral("\"'\\/*#%.$a1 _(:;ä\t");
  for (int n = 0; n < 2000; ++n) {
    QString line;
    for (unsigned i = random() % 20; i > 0; --i)
      line += letters[int(random() % unsigned(letters.size()))];
    for (int kind = 0; kind < kCodeKinds; ++kind) {
      qsizetype end = 0;
      for (const CodeToken &token : tokensOf(CodeKind(kind), line)) {
        QVERIFY2(token.from >= end && token.length > 0, qPrintable(line));
        end = token.from + token.length;
      }
      QVERIFY2(end <= line.size(), qPrintable(line));
    }
  }
}

void TestCode::findsStagesInExportedText_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<QString>("format");
  QTest::newRow("C++") << int(CodeKind::Cpp) << "h";
  QTest::newRow("Python") << int(CodeKind::Python) << "py";
  QTest::newRow("JSON") << int(CodeKind::Json) << "json";
}

void TestCode::findsStagesInExportedText() {
  QFETCH(int, kind);
  QFETCH(QString, format);
  const auto pipeline = test::smallPipeline();
  const auto exported = document::scheduleText(test::defaultFound(pipeline).schedule,
                                               format.toStdString(), {"h200", "1", {}, {}});
  QVERIFY(exported);
  const QString text = QString::fromStdString(*exported);
  const QStringList lines = text.split('\n');
  const auto marks = marksOfSchedule(CodeKind(kind), text, *pipeline);
  std::vector<Subject> found;
  for (const LineMark &mark : marks) {
    QCOMPARE(mark.subjects.size(), std::size_t(1));
    const std::string name = pipeline->stageName(mark.subjects.front().stageId());
    const QString own = lines.mid(mark.first, mark.last - mark.first + 1).join('\n');
    QVERIFY2(own.contains(QString::fromStdString(name).section('.', 0, 0)), qPrintable(own));
    if (kind != int(CodeKind::Json)) // the statement of an update contains .update()
      QCOMPARE(lines[mark.first].contains(".update()"), name.ends_with("update(0)"));
    found.push_back(mark.subjects.front());
  }
  // In the default schedule every stage is a kernel of its own, so each has directives.
  for (std::uint32_t i = 0; i < pipeline->stages().size(); ++i)
    QVERIFY2(std::ranges::count(found, Subject::stage(pipeline::StageId{i})) > 0,
             pipeline->stageName(pipeline::StageId{i}).c_str());
}

// Texts have no numbers of Halide's, which tell apart the funcs of a name.
void TestCode::findsStagesOfFuncsThatShareAName() {
  const auto pipeline = pipeline::test::sketch(R"(
    input in 66 66
    func blur$4(x y) 66 64 = in(x; y+[0,2])
    func blur$10(x y) 64 64 = blur$4(x+[0,2]; y)
    output blur$10
  )");
  const auto schedule = schedule::defaultSchedule(pipeline);
  for (const auto &[kind, format] :
       {std::pair(CodeKind::Cpp, "h"), std::pair(CodeKind::Python, "py")}) {
    const auto exported = document::scheduleText(schedule, format, {"h200", "1", {}, {}});
    QVERIFY(exported);
    std::vector<Subject> found;
    for (const LineMark &mark : marksOfSchedule(kind, QString::fromStdString(*exported), *pipeline))
      found.insert(found.end(), mark.subjects.begin(), mark.subjects.end());
    // The first one is inlined.
    QVERIFY(found == std::vector{Subject::stage(pipeline::StageId{1})});
  }
}

void TestCode::findsStagesInCompiledCode() {
  const auto pipeline = test::smallPipeline();
  report::CompileReport report;
  report.loweredLines = {{3, 5, {"blur_x", 0}}, {6, 6, {"blur_y", 1}}, {7, 9, {"derived", 0}}};
  report::KernelReport first, second, none;
  first.stages = {{"blur_x", 0}};
  first.firstLine = 20, first.lineCount = 10;
  first.sassFirstLine = 100, first.sassLineCount = 10;
  second.stages = {{"blur_y", 0}, {"blur_y", 1}};
  second.firstLine = 40, second.lineCount = 5;
  second.sassFirstLine = 50, second.sassLineCount = 5; // nvdisasm prints kernels in another order
  report.kernels = {first, second, none};

  const auto loops = marksOfCompiled(CodeKind::Loops, report, *pipeline);
  QCOMPARE(loops.size(), std::size_t(3));
  QCOMPARE(loops[0].first, 2);
  QCOMPARE(loops[0].last, 4);
  QCOMPARE(pipeline->stageName(loops[0].subjects.front().stageId()), std::string("blur_x"));
  QCOMPARE(pipeline->stageName(loops[1].subjects.front().stageId()),
           std::string("blur_y.update(0)"));
  QVERIFY(loops[2].subjects.empty());

  const auto ptx = marksOfCompiled(CodeKind::Ptx, report, *pipeline);
  QCOMPARE(ptx.size(), std::size_t(2));
  QCOMPARE(ptx[0].first, 19);
  QCOMPARE(ptx[0].last, 28);
  QCOMPARE(ptx[1].subjects.size(), std::size_t(2));

  const auto sass = marksOfCompiled(CodeKind::Sass, report, *pipeline);
  QCOMPARE(sass[0].first, 49);
  QCOMPARE(sass[1].first, 99);
}

void TestCode::findsTheMarkOfALine() {
  const std::vector<LineMark> marks{{2, 4, {}}, {5, 5, {}}, {9, 12, {}}};
  QVERIFY(!markAt(marks, 1));
  QCOMPARE(markAt(marks, 2), &marks[0]);
  QCOMPARE(markAt(marks, 4), &marks[0]);
  QCOMPARE(markAt(marks, 5), &marks[1]);
  QVERIFY(!markAt(marks, 6));
  QCOMPARE(markAt(marks, 12), &marks[2]);
  QVERIFY(!markAt(marks, 13));
  QVERIFY(!markAt({}, 0));
}

void TestCode::differencesAreTheFewest() {
  const TextDifference found = differenceOf({"a", "b", "c", "d"}, {"a", "c", "x", "d"});
  QCOMPARE(found.lines, QStringList({"a", "b", "c", "x", "d"}));
  using enum LineChange;
  QCOMPARE(found.changes, (std::vector{Same, Removed, Same, Added, Same}));
  QCOMPARE(differenceOf({"a"}, {"a"}).count(Same), 1);
  QCOMPARE(differenceOf({}, {"a"}).count(Added), 1);
  QCOMPARE(differenceOf({"a"}, {}).count(Removed), 1);
  QCOMPARE(differenceOf(QStringList(), QStringList()).lines.size(), 0);
}

void TestCode::differencesGiveBothTextsBack() {
  std::mt19937 random(7);
  for (int n = 0; n < 2000; ++n) {
    const auto text = [&] {
      QStringList lines;
      for (unsigned i = random() % 25; i > 0; --i)
        lines << QString(QChar('a' + int(random() % 3)));
      return lines;
    };
    const QStringList before = text(), now = text();
    const TextDifference found = differenceOf(before, now);
    QStringList oldLines, newLines;
    for (int i = 0; i < found.lines.size(); ++i) {
      if (found.changes[std::size_t(i)] != LineChange::Added) oldLines << found.lines[i];
      if (found.changes[std::size_t(i)] != LineChange::Removed) newLines << found.lines[i];
    }
    QCOMPARE(oldLines, before);
    QCOMPARE(newLines, now);
    // The number of equal lines is the length of the longest common subsequence.
    std::vector<std::vector<int>> longest(std::size_t(before.size()) + 1,
                                          std::vector<int>(std::size_t(now.size()) + 1));
    for (std::size_t i = 1; i < longest.size(); ++i)
      for (std::size_t j = 1; j < longest[i].size(); ++j)
        longest[i][j] = before[int(i) - 1] == now[int(j) - 1]
                            ? longest[i - 1][j - 1] + 1
                            : std::max(longest[i - 1][j], longest[i][j - 1]);
    QCOMPARE(found.count(LineChange::Same), longest.back().back());
  }
}

// Every second line is equal. Although the texts are long, their comparison needs only memory
// proportional to their length.
void TestCode::differencesOfLongTexts() {
  QStringList before, now;
  for (int i = 0; i < 6000; ++i) {
    before << QStringLiteral("a%1").arg(i);
    now << (i % 2 == 0 ? before.back() : QStringLiteral("b%1").arg(i));
  }
  const TextDifference found = differenceOf(before, now);
  QCOMPARE(found.count(LineChange::Same), 3000);
  QCOMPARE(found.count(LineChange::Removed), 3000);
  QCOMPARE(found.count(LineChange::Added), 3000);
  now.clear();
  for (int i = 0; i < 6000; ++i)
    now << QStringLiteral("b%1").arg(i);
  QCOMPARE(differenceOf(before, now).count(LineChange::Same), 0);
  std::stop_source source;
  source.request_stop(); // the result is dropped, but it must come soon
  QCOMPARE(differenceOf({before, before, {}}, {now, now, {}}, source.get_token()).lines.size(),
           12000);
}

// The kernels are in another order, and one of them differs.
void TestCode::sectionsOfOneNameBelongTogether() {
  using enum LineChange;
  const QStringList old{"head", "x", "same", "y", "same"}, now{"head", "y", "same", "z", "same"};
  const TextDifference found =
      differenceOf({old, old, {{1, "x"}, {3, "y"}}}, {now, now, {{1, "y"}, {3, "z"}}});
  QCOMPARE(found.lines, QStringList({"head", "x", "same", "y", "same", "z", "same"}));
  QCOMPARE(found.changes, (std::vector{Same, Removed, Removed, Same, Same, Added, Added}));
}

void TestCode::whatCompilersNumberAnewDoesNotCount_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<QString>("before");
  QTest::addColumn<QString>("now");
  QTest::addColumn<bool>("isSame");
  const auto row = [](const char *name, CodeKind kind, const char *before, const char *now,
                      bool isSame) {
    QTest::newRow(name) << int(kind) << QString(before) << QString(now) << isSame;
  };
  row("temporary", CodeKind::Loops, " let t12 = t3 + at1", " let t1 = t2 + at1", true);
  row("variable", CodeKind::Loops, " x.s1 = 1", " x.s2 = 1", false);
  row("register", CodeKind::Ptx, "\tadd.s32 \t%r271, %r37, 4;", "\tadd.s32 \t%r1, %r2, 4;", true);
  row("number", CodeKind::Ptx, "\tadd.s32 \t%r1, %r2, 4;", "\tadd.s32 \t%r1, %r2, 8;", false);
  row("label", CodeKind::Ptx, "$L__BB0_1: // %then_bb", "$L__BB3_12: // %then_bb7", true);
  row("kernel", CodeKind::Ptx, ".visible .entry k0_f_s0(", ".visible .entry k3_f_s0(", true);
  row("another", CodeKind::Ptx, ".visible .entry k0_f_s0(", ".visible .entry k0_g_s0(", false);
  row("special", CodeKind::Ptx, "\tmov.u32 %r1, %tid.x;", "\tmov.u32 %r1, %tid.y;", false);
  row("address", CodeKind::Sass, " /*0030*/  IADD3 R1, R1, -0x38, RZ ;",
      " /*1230*/  IADD3 R12, R4, -0x38, RZ ;", true);
  row("predicate", CodeKind::Sass, " @!P0 BRA `(.L_x_12) ;", " @!P3 BRA `(.L_x_1) ;", true);
  row("zero", CodeKind::Sass, "  MOV R1, RZ ;", "  MOV R1, R2 ;", false);
  row("uniform", CodeKind::Sass, "  MOV R1, UR4 ;", "  MOV R1, R4 ;", false);
}

void TestCode::whatCompilersNumberAnewDoesNotCount() {
  QFETCH(int, kind);
  QFETCH(QString, before);
  QFETCH(QString, now);
  QFETCH(bool, isSame);
  const auto text = [&](const QString &line) { return comparedText(CodeKind(kind), line, {}); };
  const TextDifference found = differenceOf(text(before), text(now));
  QCOMPARE(found.count(LineChange::Same), isSame ? 1 : 0);
  if (isSame) QCOMPARE(found.lines.front(), now);
}

void TestCode::marksGoAlongIntoADifference() {
  const TextDifference found = differenceOf({"a", "b", "c", "d"}, {"a", "c", "x", "d"});
  const auto marks = marksIn(found, {{0, 1, {}}, {2, 3, {}}, {9, 9, {}}});
  QCOMPARE(marks, (std::vector<LineMark>{{0, 2, {}}, {3, 4, {}}}));
}

QTEST_MAIN(TestCode)
#include "tst_code.moc"
