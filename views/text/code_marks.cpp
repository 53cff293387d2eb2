// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/code_marks.h"

#include "engine/measure/stage_column.h"
#include "engine/schedule/directives/lasting_names.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::views {

using report::KernelReport;
using report::KernelStage;
using report::StageLines;

namespace {

// Finds stages by the names that all texts use for them.
class StageNames {
public:
  explicit StageNames(const pipeline::Pipeline &pipeline) {
    for (std::uint32_t i = 0; i < pipeline.stages().size(); ++i)
      m_stages[pipeline.stageName(pipeline::StageId{i})] = Subject::stage(pipeline::StageId{i});
  }
  std::vector<Subject> find(const KernelStage &stage) const {
    const auto found = m_stages.find(measure::toString(stage));
    return found == m_stages.end() ? std::vector<Subject>() : std::vector{found->second};
  }

private:
  std::map<std::string, Subject> m_stages;
};

// The funcs of a pipeline by the names that texts in C++ and Python have for them.
QHash<QString, QString> funcsByLastingName(const pipeline::Pipeline &pipeline) {
  std::vector<std::string> names;
  for (const pipeline::Func &func : pipeline.funcs())
    names.push_back(func.name);
  QHash<QString, QString> funcs;
  for (const auto &[name, lasting] : schedule::lastingNames(names))
    funcs[QString::fromStdString(textOf(lasting))] = QString::fromStdString(name);
  return funcs;
}

// In C++ and Python a statement starts with the func's identifier after four blanks; its
// continuation lines are indented further. find("NAME") binds an identifier to a func, and
// find("NAME", 2, 3, 2, 0) to the second of three that have this name, which has two dimensions and
// no update.
std::vector<LineMark> marksOfStatements(const QStringList &lines, const StageNames &names,
                                        const QHash<QString, QString> &lastingFuncs) {
  static const QRegularExpression bound(QStringLiteral(
      "^    (?:Func )?(\\w+) = find\\(\"([^\"]*)\"(?:, (\\d+), (\\d+)(?:, \\d+, \\d+)?)?\\)"));
  static const QRegularExpression statement(
      QStringLiteral("^    \\(?(\\w+)(?:\\.update\\((\\d*)\\))?(?:[.\\s]|$)"));
  QHash<QString, QString> funcs;
  std::vector<LineMark> marks;
  bool isOpen = false; // the next line may continue the last mark
  for (int i = 0; i < lines.size(); ++i) {
    const QString &line = lines[i];
    if (const auto found = bound.match(line); found.hasMatch()) {
      schedule::LastingName name{found.captured(2).toStdString()};
      if (found.hasCaptured(3)) {
        name.which = found.captured(3).toUInt();
        name.of = found.captured(4).toUInt();
      }
      const QString inText = QString::fromStdString(textOf(name));
      funcs[found.captured(1)] = lastingFuncs.value(inText, inText);
    }
    const bool goesOn = line.startsWith(QLatin1String("     "));
    if (goesOn && isOpen) marks.back().last = i;
    if (goesOn) continue;
    const auto found = statement.match(line);
    isOpen = found.hasMatch() && funcs.contains(found.captured(1)) &&
             !line.contains(QLatin1String(" = "));
    if (!isOpen) continue;
    const bool isUpdate = found.capturedStart(2) >= 0; // update() means update 0
    const KernelStage stage{funcs[found.captured(1)].toStdString(),
                            isUpdate ? found.captured(2).toUInt() + 1 : 0};
    marks.push_back({i, i, names.find(stage)});
  }
  return marks;
}

// In JSON an object starts after four blanks; its members "func" and, if present, "stage" start
// after six.
std::vector<LineMark> marksOfObjects(const QStringList &lines, const StageNames &names) {
  static const QRegularExpression member(
      QStringLiteral("^      \"(func|stage)\": \"?([^\",]*)\"?,?$"));
  std::vector<LineMark> marks;
  int first = -1;
  KernelStage stage;
  for (int i = 0; i < lines.size(); ++i) {
    if (lines[i] == QLatin1String("    {")) {
      first = i;
      stage = {};
    } else if (lines[i].startsWith(QLatin1String("    }")) && first >= 0) {
      if (!stage.func.empty()) marks.push_back({first, i, names.find(stage)});
      first = -1;
    } else if (const auto found = member.match(lines[i]); found.hasMatch()) {
      if (found.captured(1) == QLatin1String("func"))
        stage.func = found.captured(2).toStdString();
      else
        stage.stage = found.captured(2).toUInt();
    }
  }
  return marks;
}

} // namespace

std::vector<LineMark> marksOfSchedule(CodeKind kind, const QString &text,
                                      const pipeline::Pipeline &pipeline) {
  const QStringList lines = text.split('\n');
  const StageNames names(pipeline);
  if (kind == CodeKind::Json) return marksOfObjects(lines, names);
  return marksOfStatements(lines, names, funcsByLastingName(pipeline));
}

std::vector<LineMark> marksOfCompiled(CodeKind kind, const report::CompileReport &report,
                                      const pipeline::Pipeline &pipeline) {
  const StageNames names(pipeline);
  std::vector<LineMark> marks;
  if (kind == CodeKind::Loops) {
    for (const StageLines &lines : report.loweredLines)
      marks.push_back({int(lines.first) - 1, int(lines.last) - 1, names.find(lines.stage)});
    return marks;
  }
  for (const KernelReport &kernel : report.kernels) {
    const bool isSass = kind == CodeKind::Sass;
    const int first = int(isSass ? kernel.sassFirstLine : kernel.firstLine) - 1;
    const int count = int(isSass ? kernel.sassLineCount : kernel.lineCount);
    if (count == 0) continue;
    LineMark mark{first, first + count - 1, {}};
    for (const KernelStage &stage : kernel.stages)
      for (const Subject subject : names.find(stage))
        mark.subjects.push_back(subject);
    marks.push_back(std::move(mark));
  }
  std::ranges::sort(marks, {}, &LineMark::first);
  return marks;
}

const LineMark *markAt(const std::vector<LineMark> &marks, int line) {
  const auto after = std::ranges::upper_bound(marks, line, {}, &LineMark::first);
  if (after == marks.begin()) return nullptr;
  const LineMark &mark = *std::prev(after);
  return line <= mark.last ? &mark : nullptr;
}

} // namespace tessera::views
