// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/log_filter.h"

#include <algorithm>

namespace tessera::views {

LogFilter::LogFilter(LogModel &log, QObject *parent) : QSortFilterProxyModel(parent) {
  setSourceModel(&log);
}

void LogFilter::setKind(std::optional<LogLine::Kind> kind) {
  m_kind = kind;
  invalidateFilter();
}

void LogFilter::setTroubleOnly(bool only) {
  m_troubleOnly = only;
  invalidateFilter();
}

void LogFilter::setWords(const QString &words) {
  m_words = words.split(' ', Qt::SkipEmptyParts);
  invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex &parent) const {
  if (parent.isValid()) return true;
  const QModelIndex line = sourceModel()->index(row, 0);
  if (m_kind && line.data(LogModel::KindRole).toInt() != int(*m_kind)) return false;
  const QVariant severity = line.data(LogModel::SeverityRole);
  if (m_troubleOnly && (!severity.isValid() || severity.toInt() == int(Problem::Severity::Remark)))
    return false;
  if (m_words.isEmpty()) return true;
  const QString text = line.data(LogModel::TextRole).toString();
  return std::ranges::all_of(
      m_words, [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

QString LogFilter::text() const {
  QString text;
  for (int row = 0; row < rowCount(); ++row)
    text += index(row, 0).data(LogModel::TextRole).toString() + '\n';
  return text;
}

} // namespace tessera::views
