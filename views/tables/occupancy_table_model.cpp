// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/occupancy_table_model.h"

#include "views/text/column_head.h"
#include "views/text/stage_summary.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace tessera::views {

namespace {

// "32 × 8": x first, without trailing dimensions of size 1.
QString sizeText(const cost::Launch &launch) {
  const auto &size = launch.blockThreads;
  std::size_t last = size.size();
  while (last > 1 && size[last - 1] == 1)
    --last;
  QStringList parts;
  for (std::size_t d = 0; d < last; ++d)
    parts << countText(size[d]);
  return parts.join(QStringLiteral(" × "));
}

} // namespace

machine::BlockUse blockUse(const ShownKernels &kernels, int number) {
  const auto &[load, time] = kernels.kernel(number);
  const auto assembled = kernels.assembled(number);
  return {load.threads(), assembled ? assembled->registers : time.registers, load.sharedBytes};
}

QString spillText(const ShownKernels &kernels, int number) {
  if (const auto assembled = kernels.assembled(number)) {
    const int moved = assembled->spillStoreBytes + assembled->spillLoadBytes;
    return moved == 0
               ? QString()
               : QCoreApplication::translate(
                     "Occupancy", "Not enough registers: each thread has %1 bytes in local memory")
                     .arg(countText(assembled->stackBytes));
  }
  // Estimates below one value are within the error of the fit.
  const double spilled = kernels.kernel(number).time.spilled;
  return spilled < 1 ? QString()
                     : QCoreApplication::translate(
                           "Occupancy",
                           "Not enough registers: about %1 of a thread's values spill to local "
                           "memory")
                           .arg(countText(qRound64(spilled)));
}

QString resourceText(machine::Resource resource) {
  switch (resource) {
  case machine::Resource::Threads:
    return QCoreApplication::translate("Occupancy", "threads");
  case machine::Resource::Registers:
    return QCoreApplication::translate("Occupancy", "registers");
  case machine::Resource::SharedMemory:
    return QCoreApplication::translate("Occupancy", "shared memory");
  case machine::Resource::Blocks:
    break;
  }
  return QCoreApplication::translate("Occupancy", "blocks");
}

QString percentText(double fraction) {
  return QCoreApplication::translate("Occupancy", "%1 %")
      .arg(QLocale().toString(fraction * 100, 'f', 1));
}

bool OccupancyTableModel::hasAchieved() const {
  return std::ranges::any_of(m_rows, [](const Row &row) { return row.achieved.has_value(); });
}

OccupancyTableModel::OccupancyTableModel(const ShownKernels &kernels, QObject *parent)
    : QAbstractTableModel(parent), m_kernels(kernels) {}

void OccupancyTableModel::reload() {
  beginResetModel();
  m_rows.clear();
  for (int i = 0; i < m_kernels.count(); ++i) {
    const cost::Prediction::Kernel &kernel = m_kernels.kernel(i);
    const machine::BlockUse use = blockUse(m_kernels, i);
    const bench::KernelCounters *counted = m_kernels.counted(i);
    m_rows.push_back({m_kernels.name(i), sizeText(kernel.load), m_kernels.assembled(i).has_value(),
                      use, machine::occupancy(m_kernels.facts().machine, use),
                      counted ? counted->occupancy : std::nullopt});
  }
  m_others.clear();
  if (const ShownSchedulePtr before = m_compares ? m_kernels.before() : nullptr)
    for (const cost::Prediction::Kernel &kernel : before->found.prediction.kernels) {
      Row row = rowOf(*before, kernel, m_kernels.facts().machine);
      m_others.emplace(row.name, std::move(row));
    }
  endResetModel();
}

void OccupancyTableModel::setCompares(bool compares) {
  m_compares = compares;
  reload();
}

// A kernel of a compared schedule. Its register count is the model's estimate.
OccupancyTableModel::Row OccupancyTableModel::rowOf(const ShownSchedule &shown,
                                                    const cost::Prediction::Kernel &kernel,
                                                    const machine::Machine &machine) {
  const machine::BlockUse use{kernel.load.threads(), kernel.time.registers,
                              kernel.load.sharedBytes};
  return {QString::fromStdString(shown.found.schedule.pipeline()->stageName(kernel.load.stage)),
          sizeText(kernel.load),
          false,
          use,
          machine::occupancy(machine, use),
          {}};
}

int OccupancyTableModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_rows.size());
}

int OccupancyTableModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QString OccupancyTableModel::textOf(const Row &kernel, int column) {
  switch (column) {
  case Name:
    return kernel.name;
  case Threads:
    return kernel.threads;
  case Registers:
    return countText(kernel.use.registers);
  case SharedBytes:
    return countText(kernel.use.sharedBytes);
  case Fraction:
    return percentText(kernel.occupancy.fraction);
  case Achieved:
    return kernel.achieved ? percentText(*kernel.achieved) : QString();
  case Blocks:
    return countText(kernel.occupancy.blocks);
  case Warps:
    return countText(kernel.occupancy.warps);
  case Limiting:
    return resourceText(kernel.occupancy.limiting);
  default:
    return {};
  }
}

// If the other schedule has no kernel of the same name, only the cell with the name differs.
bool OccupancyTableModel::isDifferent(int row, int column) const {
  if (m_others.empty() || column == Number || column == Achieved) return false;
  const Row &kernel = m_rows[static_cast<std::size_t>(row)];
  const auto other = m_others.find(kernel.name);
  if (other == m_others.end()) return column == Name;
  return textOf(kernel, column) != textOf(other->second, column);
}

QString OccupancyTableModel::display(int row, int column) const {
  if (column == Number) return countText(row + 1);
  const Row &kernel = m_rows[static_cast<std::size_t>(row)];
  const QString own = textOf(kernel, column);
  if (column == Name || !isDifferent(row, column)) return own;
  return QStringLiteral("%1 ≠ %2").arg(own, textOf(m_others.at(kernel.name), column));
}

QVariant OccupancyTableModel::sortKey(int row, int column) const {
  const Row &kernel = m_rows[static_cast<std::size_t>(row)];
  switch (column) {
  case Number:
    return row;
  case Threads:
    return qint64(kernel.use.threads);
  case Registers:
    return qint64(kernel.use.registers);
  case SharedBytes:
    return qint64(kernel.use.sharedBytes);
  case Fraction:
    return kernel.occupancy.fraction;
  case Achieved:
    return kernel.achieved.value_or(-1);
  case Blocks:
    return qint64(kernel.occupancy.blocks);
  case Warps:
    return qint64(kernel.occupancy.warps);
  default:
    return display(row, column);
  }
}

QString OccupancyTableModel::registersTip(int row) const {
  const cost::KernelTime &time = m_kernels.kernel(row).time;
  QString tip = m_rows[static_cast<std::size_t>(row)].isAssembled
                    ? tr("%1 according to ptxas, %2 according to the estimate")
                          .arg(display(row, Registers), countText(time.registers))
                    : tr("%1 according to the estimate").arg(display(row, Registers));
  if (const QString spill = spillText(m_kernels, row); !spill.isEmpty())
    tip += QLatin1Char('\n') + spill;
  return tip;
}

QVariant OccupancyTableModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  switch (role) {
  case Qt::DisplayRole:
    return display(index.row(), index.column());
  case Qt::ToolTipRole:
    return index.column() == Registers ? registersTip(index.row())
                                       : display(index.row(), index.column());
  case Qt::TextAlignmentRole:
    return QVariant::fromValue(
        (index.column() == Name || index.column() == Limiting ? Qt::AlignLeft : Qt::AlignRight) |
        Qt::AlignVCenter);
  case SortRole:
    return sortKey(index.row(), index.column());
  case DifferentRole:
    if (index.column() != Number) return isDifferent(index.row(), index.column());
    for (int column = 0; column < ColumnCount; ++column) // here: whether any cell differs
      if (isDifferent(index.row(), column)) return true;
    return false;
  default:
    return {};
  }
}

QVariant OccupancyTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const ColumnHead heads[ColumnCount] = {
      {tr("#"), tr("Kernels in the order of their launches")},
      {tr("Kernel"), tr("Each kernel is named after the stage that has its block loops")},
      {tr("Occupancy"),
       tr("Resident warps × 32, divided by the threads that a multiprocessor can hold")},
      {tr("Achieved"), tr("Warps that were resident, divided by the most that can be resident; "
                          "counted by the hardware while the kernel ran")},
      {tr("Limited by"), tr("The resource that allows the fewest blocks")},
      {tr("Threads"), tr("Threads per block")},
      {tr("Registers"), tr("Registers per thread, as reported by ptxas if the schedule was "
                           "compiled; otherwise an estimate")},
      {tr("Shared"), tr("Bytes of shared memory per block")},
      {tr("Blocks"), tr("Blocks that a multiprocessor holds at the same time: the fewest that "
                        "threads, registers, shared memory and the number of blocks allow")},
      {tr("Warps"),
       tr("Warps that a multiprocessor holds at the same time: blocks × warps per block")}};
  return heads[section].data(role, section == Name || section == Limiting ? Qt::AlignLeft
                                                                          : Qt::AlignRight);
}

} // namespace tessera::views
