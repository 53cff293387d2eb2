// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/text/form_hint.h"

#include "views/text/from_std.h"

#include <QRegularExpression>
#include <QStringList>

namespace tessera::views {

QString formHint(const std::string &hint) {
  static const QRegularExpression kInBrackets(QStringLiteral(R"(\s*\(--[^)]*\))"));
  static const QRegularExpression kWithoutOption(QStringLiteral(R"(^(?!.*(^|\s)--[a-z]))"));
  static const QRegularExpression kBetweenSentences(QStringLiteral(R"((?<=[.!?])\s+(?=[A-Z]))"));
  QStringList lines;
  for (const QString &line : from(hint).remove(kInBrackets).split('\n')) {
    const QString kept = line.split(kBetweenSentences).filter(kWithoutOption).join(' ').trimmed();
    if (!kept.isEmpty() && !kept.endsWith(':')) lines << kept;
  }
  return lines.join('\n');
}

} // namespace tessera::views
