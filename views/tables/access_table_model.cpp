// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/access_table_model.h"

#include "views/tables/occupancy_table_model.h"
#include "views/text/column_head.h"
#include "views/text/stage_summary.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <utility>

namespace tessera::views {

using block::WarpPattern;
using cost::MemorySpace;

QString averageText(double count) {
  return count == std::round(count) ? countText(qint64(count)) : QLocale().toString(count, 'f', 2);
}

QString memoryText(MemorySpace space) {
  switch (space) {
  case MemorySpace::Global:
    return QCoreApplication::translate("AccessTableModel", "global");
  case MemorySpace::Shared:
    return QCoreApplication::translate("AccessTableModel", "shared");
  case MemorySpace::Registers:
    return QCoreApplication::translate("AccessTableModel", "registers");
  case MemorySpace::Local:
  case MemorySpace::Apart:
    break;
  }
  return QCoreApplication::translate("AccessTableModel", "local");
}

void AccessTableModel::setBlock(std::shared_ptr<const block::StageBlock> block) {
  const std::size_t before = std::size_t(rowCount());
  if (block && m_block && before == block->accesses.size() && before > 0) {
    // While a handle is pulled, only the numbers change. The model is not reset then, so that the
    // view keeps its current row.
    m_block = std::move(block);
    emit dataChanged(index(0, 0), index(int(before) - 1, ColumnCount - 1));
    return;
  }
  beginResetModel();
  m_block = std::move(block);
  endResetModel();
}

int AccessTableModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() || !m_block ? 0 : int(m_block->accesses.size());
}

int AccessTableModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QString AccessTableModel::display(int row, int column) const {
  const WarpPattern &access = m_block->accesses[std::size_t(row)];
  const bool isGlobal = access.load.space == MemorySpace::Global;
  switch (column) {
  case Number:
    return countText(row + 1);
  case Kind:
    return access.load.isStore() ? tr("store") : tr("load");
  case Array:
    return QString::fromStdString(access.array);
  case Memory:
    return memoryText(access.load.space);
  case Requests:
    return averageText(access.load.requests);
  case Sectors:
    return isGlobal ? averageText(access.load.sectors) : QString();
  case Lines:
    return isGlobal ? averageText(access.load.lines) : QString();
  case Efficiency:
    return isGlobal ? percentText(access.efficiency()) : QString();
  case Passes:
    return access.load.space == MemorySpace::Shared ? averageText(access.load.passes) : QString();
  default:
    return {};
  }
}

QVariant AccessTableModel::sortKey(int row, int column) const {
  const WarpPattern &access = m_block->accesses[std::size_t(row)];
  switch (column) {
  case Number:
    return row + 1;
  case Requests:
    return access.load.requests;
  case Sectors:
    return access.load.sectors;
  case Lines:
    return access.load.lines;
  case Efficiency:
    return access.efficiency();
  case Passes:
    return access.load.passes;
  default:
    return display(row, column);
  }
}

QString AccessTableModel::toolTip(int row) const {
  const WarpPattern &access = m_block->accesses[std::size_t(row)];
  if (!access.isInMemory())
    return tr("Each thread keeps these values for itself, so there are no addresses to show.");
  if (access.isChosen)
    return tr("The addresses depend on data, so the counts are averages over random addresses.");
  if (access.startsAnywhere)
    return tr("The address at which a row begins is not known before the launch, so the counts are "
              "averages over all possible addresses.");
  if (access.load.access.lanes[1] * access.load.access.lanes[2] > 1)
    return tr(
        "The counts assume that each row of threads in the warp is aligned like the first one.");
  return tr("The counts are exact for a full warp.");
}

QVariant AccessTableModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  switch (role) {
  case Qt::DisplayRole:
    return display(index.row(), index.column());
  case Qt::ToolTipRole:
    return toolTip(index.row());
  case Qt::TextAlignmentRole:
    return QVariant::fromValue(
        (index.column() >= Kind && index.column() <= Memory ? Qt::AlignLeft : Qt::AlignRight) |
        Qt::AlignVCenter);
  case SortRole:
    return sortKey(index.row(), index.column());
  default:
    return {};
  }
}

QVariant AccessTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const ColumnHead heads[ColumnCount] = {
      {tr("#"), tr("Number of the access, as in tessera-cli block --access")},
      {tr("Access"), tr("Whether the stage loads or stores")},
      {tr("Array"), tr("The input or func that is accessed")},
      {tr("Memory"), tr("The memory that holds the array while the kernel runs")},
      {tr("Requests"), tr("Load or store instructions of a warp in one iteration of its threads")},
      {tr("Sectors"), tr("Sectors of 32 bytes that one request of a warp touches")},
      {tr("Lines"), tr("Lines of 128 bytes that one request of a warp touches")},
      {tr("Efficiency"), tr("Bytes that the warp asks for ÷ bytes in the sectors that it touches")},
      {tr("Passes"), tr("Passes that one request needs through the 32 banks of shared memory: the "
                        "largest number of words that any bank must serve")}};
  return heads[section].data(role,
                             section >= Kind && section <= Memory ? Qt::AlignLeft : Qt::AlignRight);
}

} // namespace tessera::views
