// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/palette_model.h"

#include "views/text/fuzzy_match.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tessera::views {

namespace {

constexpr int kMostDone = 8;
// Added to the score of a match in the title alone, so that it comes before one that also needs the
// menu's name.
constexpr int kInTitle = 8;

QString keyOf(const PaletteEntry &entry) { return entry.where + '\n' + entry.title; }

} // namespace

PaletteModel::PaletteModel(QObject *parent) : QAbstractListModel(parent) {}

void PaletteModel::setEntries(std::vector<PaletteEntry> entries) {
  m_entries = std::move(entries);
  setFilter({});
}

const PaletteEntry &PaletteModel::entryAt(int row) const {
  return m_entries[m_rows[std::size_t(row)].entry];
}

void PaletteModel::remember(int row) {
  const QString key = keyOf(entryAt(row));
  m_done.removeAll(key);
  m_done.prepend(key);
  while (m_done.size() > kMostDone)
    m_done.removeLast();
}

int PaletteModel::recency(const PaletteEntry &entry) const {
  const qsizetype at = m_done.indexOf(keyOf(entry));
  return at < 0 ? kMostDone : int(at);
}

std::optional<PaletteModel::Row> PaletteModel::rowOf(std::size_t number,
                                                     const QString &typed) const {
  const PaletteEntry &entry = m_entries[number];
  if (const auto match = fuzzyMatch(typed, entry.title))
    return Row{number, match->score + kInTitle, match->isTight, match->positions};
  const auto match = fuzzyMatch(typed, entry.where + ' ' + entry.title);
  if (!match) return std::nullopt;
  Row row{number, match->score, match->isTight, {}};
  for (const int position : match->positions)
    if (position > entry.where.size()) row.matched << position - int(entry.where.size()) - 1;
  return row;
}

void PaletteModel::setFilter(const QString &typed) {
  beginResetModel();
  m_rows.clear();
  for (std::size_t i = 0; i < m_entries.size(); ++i)
    if (auto row = rowOf(i, typed.simplified())) m_rows.push_back(std::move(*row));
  // A match with scattered letters is a guess. It is kept only if there is no better match.
  if (std::ranges::any_of(m_rows, &Row::isTight))
    std::erase_if(m_rows, [](const Row &row) { return !row.isTight; });
  // Entries that cannot be run now are found as well, but come after equally good matches that can
  // be run. Among equal matches, the shorter title goes first.
  const bool isAll = typed.simplified().isEmpty();
  std::ranges::stable_sort(m_rows, {}, [&](const Row &row) {
    const PaletteEntry &entry = m_entries[row.entry];
    return std::tuple(-row.score, isAll ? recency(entry) : 0, !entry.whyNot.isEmpty() && !isAll,
                      isAll ? 0 : int(entry.title.size()));
  });
  endResetModel();
}

int PaletteModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant PaletteModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const PaletteEntry &entry = entryAt(index.row());
  switch (role) {
  case Qt::DisplayRole:
    return entry.title;
  case Qt::ToolTipRole:
    return entry.whyNot.isEmpty() ? QVariant() : QVariant(entry.whyNot);
  case Qt::AccessibleTextRole: {
    QStringList words{entry.title, entry.where};
    if (entry.checked) words << (*entry.checked ? tr("on") : tr("off"));
    if (!entry.keys.isEmpty()) words << entry.keys;
    if (!entry.whyNot.isEmpty()) words << tr("not now: %1").arg(entry.whyNot);
    return words.join(QStringLiteral(", "));
  }
  case WhereRole:
    return entry.where;
  case KeysRole:
    return entry.keys;
  case WhyNotRole:
    return entry.whyNot;
  case CheckedRole:
    return entry.checked ? QVariant(*entry.checked) : QVariant();
  case MatchedRole:
    return QVariant::fromValue(m_rows[std::size_t(index.row())].matched);
  default:
    return {};
  }
}

// Entries that cannot be run can still be selected, so that the user can read the reason.
Qt::ItemFlags PaletteModel::flags(const QModelIndex &index) const {
  return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                         : Qt::NoItemFlags;
}

} // namespace tessera::views
