// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/code_difference.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {

// Patterns of text that the comparison ignores, each with its replacement.
using Replaced = std::vector<std::pair<QRegularExpression, QString>>;

Replaced replacedIn(CodeKind kind) {
  const auto pattern = [](const char *text) {
    return QRegularExpression(QString::fromLatin1(text));
  };
  if (kind == CodeKind::Loops) // temporaries: let t12 = …
    return {{pattern("\\bt\\d+\\b"), QStringLiteral("t")}};
  // The kernel number in k3_blur_x_s0.
  const std::pair kernel{pattern("\\bk\\d+_"), QStringLiteral("k_")};
  if (kind == CodeKind::Ptx)
    return {{pattern("%([a-z]+)\\d+\\b"), QStringLiteral("%\\1")}, // registers: %rd12
            {pattern("\\$L__BB[0-9_]+"), QStringLiteral("$L")},
            {pattern("\\s*//.*$"), QString()}, // LLVM's names of basic blocks
            kernel};
  return {{pattern("/\\*[0-9a-f]{4,}\\*/"), QString()},                    // addresses
          {pattern("\\b(U?[RP]|S?B)\\d+\\b"), QStringLiteral("\\1")},      // R12, UP0, B3
          {pattern("\\.L_x_\\d+|`\\(\\.L_\\d+\\)"), QStringLiteral(".L")}, // labels
          kernel};
}

} // namespace

ComparedText comparedText(CodeKind kind, const QString &text, const report::CompileReport &report) {
  ComparedText compared{text.split('\n'), {}, {}};
  compared.keys = compared.lines;
  const Replaced replaced = replacedIn(kind);
  for (QString &key : compared.keys)
    for (const auto &[what, by] : replaced)
      key.replace(what, by);
  if (kind == CodeKind::Loops) return compared;
  static const QRegularExpression number(QStringLiteral("^k\\d+_"));
  for (const report::KernelReport &kernel : report.kernels) {
    const auto first = kind == CodeKind::Sass ? kernel.sassFirstLine : kernel.firstLine;
    const QString name = QString::fromStdString(kernel.name).remove(number);
    if (first > 0) compared.sections.push_back({int(first) - 1, name});
  }
  std::ranges::sort(compared.sections, {}, &ComparedText::Section::first);
  return compared;
}

std::vector<LineMark> marksIn(const TextDifference &difference, std::vector<LineMark> marks) {
  const std::vector<int> places = difference.placesOfNow();
  const auto placeOf = [&](int line) { return places[static_cast<std::size_t>(line)]; };
  std::erase_if(marks, [&](const LineMark &mark) { return mark.last >= int(places.size()); });
  for (LineMark &mark : marks)
    mark = {placeOf(mark.first), placeOf(mark.last), std::move(mark.subjects)};
  return marks;
}

} // namespace tessera::views
