// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/log_model.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {

QString severityText(const std::optional<Problem::Severity> &severity) {
  if (!severity) return {};
  return *severity == Problem::Severity::Error     ? LogModel::tr("Error")
         : *severity == Problem::Severity::Warning ? LogModel::tr("Warning")
                                                   : LogModel::tr("Remark");
}

void shorten(QString &text) {
  if (text.size() > LogModel::kLongestText)
    text = text.left(LogModel::kLongestText - 1) + QStringLiteral("…");
}

void shorten(LogLine &line) {
  shorten(line.text);
  if (line.details.size() > std::size_t(LogModel::kMostDetails)) {
    const auto left = qlonglong(line.details.size()) - LogModel::kMostDetails + 1;
    line.details.resize(LogModel::kMostDetails - 1);
    line.details.push_back({LogModel::tr("and %1 more").arg(left), {}});
  }
  for (LogDetail &detail : line.details)
    shorten(detail.text);
}

// "2026-11-23 16:20:01  Search  Warning: …", followed by its details, which are indented.
QString wholeText(const LogLine &line) {
  QStringList parts{line.when.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")), kindText(line.kind)};
  parts << (line.severity ? severityText(line.severity) + QStringLiteral(": ") + line.text
                          : line.text);
  QString text = parts.join(QStringLiteral("  "));
  for (const LogDetail &detail : line.details)
    text += QStringLiteral("\n    ") + detail.text;
  return text;
}

} // namespace

QString kindText(LogLine::Kind kind) {
  switch (kind) {
  case LogLine::Kind::File:
    return LogModel::tr("File");
  case LogLine::Kind::Search:
    return LogModel::tr("Search");
  case LogLine::Kind::Compile:
    return LogModel::tr("Compile");
  case LogLine::Kind::Measure:
    return LogModel::tr("Measure");
  case LogLine::Kind::Verify:
    return LogModel::tr("Verify");
  case LogLine::Kind::Worker:
    break;
  }
  return LogModel::tr("Worker");
}

LogModel::LogModel(QObject *parent) : QAbstractItemModel(parent) {}

void LogModel::add(LogLine line) {
  line.when = QDateTime::currentDateTime();
  shorten(line);
  const std::scoped_lock lock(m_mutex);
  m_arrived.push_back(std::move(line));
  if (m_arrived.size() > std::size_t(kMostLines)) {
    m_arrived.pop_front();
    ++m_overflown;
  }
  if (!std::exchange(m_noticed, true))
    QMetaObject::invokeMethod(this, &LogModel::collect, Qt::QueuedConnection);
}

void LogModel::collect() {
  std::deque<LogLine> arrived;
  {
    const std::scoped_lock lock(m_mutex);
    m_noticed = false;
    arrived.swap(m_arrived);
    m_gone += std::exchange(m_overflown, 0);
  }
  if (arrived.empty()) return; // the log was cleared in between
  const auto room = std::size_t(kMostLines) - arrived.size();
  if (m_lines.size() > room) {
    const std::size_t old = m_lines.size() - room;
    beginRemoveRows({}, 0, int(old) - 1);
    m_lines.erase(m_lines.begin(), m_lines.begin() + std::ptrdiff_t(old));
    m_first += old;
    m_gone += qint64(old);
    endRemoveRows();
  }
  beginInsertRows({}, int(m_lines.size()), int(m_lines.size() + arrived.size()) - 1);
  std::ranges::move(arrived, std::back_inserter(m_lines));
  endInsertRows();
}

void LogModel::clear() {
  beginResetModel();
  {
    const std::scoped_lock lock(m_mutex);
    m_arrived.clear();
    m_overflown = 0;
  }
  m_first += m_lines.size();
  m_lines.clear();
  m_gone = 0;
  endResetModel();
}

// ---- Model indices. The internal id is 0 for a line. For a detail it is 1 + the number of its
// line, counted over all lines ever added, so it stays valid when old lines are removed.

QModelIndex LogModel::index(int row, int column, const QModelIndex &parent) const {
  if (!hasIndex(row, column, parent)) return {};
  if (!parent.isValid()) return createIndex(row, column, quintptr(0));
  return createIndex(row, column, quintptr(m_first + std::uint64_t(parent.row()) + 1));
}

QModelIndex LogModel::parent(const QModelIndex &child) const {
  if (!child.isValid() || child.internalId() == 0) return {};
  const std::uint64_t line = child.internalId() - 1;
  if (line < m_first || line - m_first >= m_lines.size()) return {}; // the line has been removed
  return createIndex(int(line - m_first), 0, quintptr(0));
}

int LogModel::rowCount(const QModelIndex &parent) const {
  if (!parent.isValid()) return int(m_lines.size());
  if (parent.internalId() != 0 || parent.column() != 0) return 0;
  return int(m_lines[std::size_t(parent.row())].details.size());
}

int LogModel::columnCount(const QModelIndex &) const { return ColumnCount; }

const LogLine &LogModel::lineOf(const QModelIndex &index) const {
  const QModelIndex line = index.internalId() == 0 ? index : parent(index);
  return m_lines[std::size_t(line.row())];
}

const LogDetail *LogModel::detailOf(const QModelIndex &index) const {
  return index.internalId() == 0 ? nullptr : &lineOf(index).details[std::size_t(index.row())];
}

LogTarget LogModel::targetAt(const QModelIndex &index) const {
  if (!index.isValid()) return {};
  const LogDetail *detail = detailOf(index);
  const bool isItsOwn = detail && (detail->target.subject || detail->target.candidate);
  return isItsOwn ? detail->target : lineOf(index).target;
}

QVariant LogModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const LogDetail *detail = detailOf(index);
  if (!detail) return lineData(lineOf(index), index.column(), role);
  const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole;
  if (isText && index.column() == Text) return detail->text;
  return role == Qt::AccessibleTextRole ? QVariant(tr("Detail: %1").arg(detail->text)) : QVariant();
}

QVariant LogModel::lineData(const LogLine &line, int column, int role) const {
  switch (role) {
  case Qt::DisplayRole:
    return column == When   ? line.when.toString(QStringLiteral("HH:mm:ss"))
           : column == Kind ? kindText(line.kind)
                            : line.text;
  case Qt::ToolTipRole:
    return column == When ? QLocale().toString(line.when, QLocale::LongFormat) : line.text;
  case Qt::AccessibleTextRole: {
    const QString severity = severityText(line.severity);
    const QString said =
        tr("%1, %2").arg(kindText(line.kind),
                         severity.isEmpty() ? line.text : tr("%1: %2").arg(severity, line.text));
    return line.details.empty() ? said : tr("%1; has details").arg(said);
  }
  case SeverityRole:
    return line.severity ? QVariant(int(*line.severity)) : QVariant();
  case KindRole:
    return int(line.kind);
  case TextRole:
    return wholeText(line);
  default:
    return {};
  }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == When ? tr("Time") : section == Kind ? tr("Kind") : tr("What happened");
}

} // namespace tessera::views
