// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/intermediate_model.h"

#include "views/text/column_head.h"
#include "views/text/counted_text.h"
#include "views/text/stage_summary.h"

#include <QLocale>

#include <utility>

namespace tessera::views {

IntermediateModel::IntermediateModel(QObject *parent) : QAbstractTableModel(parent) {}

void IntermediateModel::setIntermediates(
    std::vector<measure::RunProfile::Intermediate> intermediates) {
  beginResetModel();
  m_rows = std::move(intermediates);
  endResetModel();
}

int IntermediateModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_rows.size());
}

int IntermediateModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant IntermediateModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const measure::RunProfile::Intermediate &row = at(index.row());
  const bool isSort = role == SortRole;
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((index.column() == Func ? Qt::AlignLeft : Qt::AlignRight) |
                               Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && index.column() == Bytes)
    return tr("%1 bytes", nullptr, numerus(row.bytes)).arg(countText(row.bytes));
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole && !isSort) return {};
  switch (index.column()) {
  case Func:
    return QString::fromStdString(row.func);
  case Bytes:
    return isSort ? QVariant(qlonglong(row.bytes)) : bytesText(row.bytes);
  case Times:
    return isSort ? QVariant(row.times) : QLocale().toString(row.times, 'g', 6);
  case From:
    return isSort ? QVariant(qulonglong(row.from)) : countText(qint64(row.from) + 1);
  case To:
    return isSort ? QVariant(qulonglong(row.to)) : countText(qint64(row.to) + 1);
  default:
    return {};
  }
}

QVariant IntermediateModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const ColumnHead heads[ColumnCount] = {
      {tr("Buffer"), tr("The func whose values the buffer holds")},
      {tr("Size"), tr("Size of the buffer in device memory")},
      {tr("Times"), tr("How often a run allocates the buffer")},
      {tr("From"), tr("The first kernel that writes the buffer")},
      {tr("To"), tr("The last kernel that reads the buffer")}};
  return heads[section].data(role, section == Func ? Qt::AlignLeft : Qt::AlignRight);
}

} // namespace tessera::views
