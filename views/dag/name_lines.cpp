// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dag/name_lines.h"

#include <algorithm>

namespace tessera::views {

namespace {

bool endsWord(const QString &name, qsizetype before) {
  const QChar last = name[before - 1], next = name[before];
  return last == '_' || last == '.' || (last.isLower() && next.isUpper());
}

// Keeps the end of the text, because names of one family differ there.
QString fitted(const QString &text, double room,
               const std::function<double(const QString &)> &width) {
  if (width(text) <= room) return text;
  for (qsizetype kept = text.size() - 1; kept > 0; --kept)
    if (const QString shorter = QChar(0x2026) + text.right(kept); width(shorter) <= room)
      return shorter;
  return QString(QChar(0x2026));
}

} // namespace

QStringList nameLines(const QString &name, double room,
                      const std::function<double(const QString &)> &width) {
  if (name.size() < 2 || width(name) <= room) return {name};
  qsizetype best = 0;
  double least = room;
  for (qsizetype at = 1; at < name.size(); ++at) {
    if (!endsWord(name, at)) continue;
    const double longer = std::max(width(name.left(at)), width(name.mid(at)));
    if (longer > least) continue;
    least = longer;
    best = at;
  }
  if (best > 0) return {name.left(best), name.mid(best)};
  qsizetype most = 1;
  while (most + 1 < name.size() && width(name.left(most + 1)) <= room)
    ++most;
  return {name.left(most), fitted(name.mid(most), room, width)};
}

} // namespace tessera::views
