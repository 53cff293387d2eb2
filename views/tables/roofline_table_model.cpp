// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/roofline_table_model.h"

#include "engine/chart/quantity_text.h"
#include "views/text/column_head.h"
#include "views/text/stage_summary.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace tessera::views {

using cost::Roof;

namespace {

QString percent(double part) {
  return QCoreApplication::translate("Roofline", "%1 %")
      .arg(QLocale().toString(part * 100, 'f', 0));
}

QString quantity(double value, const char *unit) {
  return QString::fromStdString(chart::withPrefix(value, unit));
}

} // namespace

QString roofText(Roof roof) {
  switch (roof) {
  case Roof::Dram:
    return QCoreApplication::translate("Roofline", "DRAM");
  case Roof::L2:
    return QCoreApplication::translate("Roofline", "L2");
  case Roof::Cache:
    return QCoreApplication::translate("Roofline", "L1/shared");
  case Roof::Fp64:
    return QCoreApplication::translate("Roofline", "FP64");
  case Roof::Fp32:
    return QCoreApplication::translate("Roofline", "FP32");
  case Roof::Fp16:
    return QCoreApplication::translate("Roofline", "FP16");
  case Roof::Integer:
    break;
  }
  return QCoreApplication::translate("Roofline", "integers");
}

RooflineTableModel::RooflineTableModel(QObject *parent) : QAbstractTableModel(parent) {}

void RooflineTableModel::setRoofline(std::shared_ptr<const cost::Roofline> roofline,
                                     std::vector<std::optional<double>> measured,
                                     std::shared_ptr<const cost::Roofline> other) {
  beginResetModel();
  m_other = std::move(other);
  m_roofline = std::move(roofline);
  m_measured = std::move(measured);
  endResetModel();
}

const cost::Placed &RooflineTableModel::kernel(int row) const {
  return m_roofline->kernels[static_cast<std::size_t>(row)];
}

std::optional<double> RooflineTableModel::measured(int row) const {
  const auto index = static_cast<std::size_t>(row);
  return index < m_measured.size() ? m_measured[index] : std::nullopt;
}

double RooflineTableModel::share(const cost::Roofline &roofline, const cost::Placed &placed) {
  const double whole = roofline.pipelines.empty() ? 0 : roofline.pipelines[0].work.seconds;
  return whole > 0 ? placed.work.seconds / whole : 0;
}

int RooflineTableModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() || !m_roofline ? 0 : int(m_roofline->kernels.size());
}

int RooflineTableModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QString RooflineTableModel::textOf(const cost::Roofline &roofline, const cost::Placed &placed,
                                   int column) {
  const auto bytes = [&](cost::Level level) {
    const auto known = placed.work.traffic.at(level);
    return known ? quantity(*known, "B") : tr("?");
  };
  switch (column) {
  case Name:
    return QString::fromStdString(placed.work.name);
  case Time:
    return QString::fromStdString(chart::timeText(placed.work.seconds));
  case Share:
    return percent(share(roofline, placed));
  case Binding:
    return roofText(placed.binding);
  case Reached:
    return placed.work.seconds > 0 ? percent(placed.reached()) : tr("?");
  case Dram:
    return bytes(cost::Level::Dram);
  case L2:
    return bytes(cost::Level::L2);
  case Cache:
    return bytes(cost::Level::Cache);
  case Operations:
    return quantity(placed.work.operations.of(roofline.counted), "");
  default:
    return {};
  }
}

const cost::Placed *RooflineTableModel::otherOf(int row) const {
  if (!m_other) return nullptr;
  const auto other = std::ranges::find_if(m_other->kernels, [&](const cost::Placed &placed) {
    return placed.work.name == kernel(row).work.name;
  });
  return other == m_other->kernels.end() ? nullptr : &*other;
}

// If the other schedule has no kernel of the same name, only the cell with the name differs.
bool RooflineTableModel::isDifferent(int row, int column) const {
  if (!m_other || column == Number || column == Measured) return false;
  const cost::Placed *other = otherOf(row);
  if (!other) return column == Name;
  return textOf(*m_roofline, kernel(row), column) != textOf(*m_other, *other, column);
}

QString RooflineTableModel::display(int row, int column) const {
  if (column == Number) return countText(row + 1);
  if (column == Measured) {
    const auto seconds = measured(row);
    return seconds ? QString::fromStdString(chart::timeText(*seconds)) : QString();
  }
  const QString own = textOf(*m_roofline, kernel(row), column);
  if (column == Name || !isDifferent(row, column)) return own;
  return QStringLiteral("%1 ≠ %2").arg(own, textOf(*m_other, *otherOf(row), column));
}

QVariant RooflineTableModel::sortKey(int row, int column) const {
  const cost::Placed &placed = kernel(row);
  switch (column) {
  case Number:
    return row;
  case Time:
  case Share:
    return placed.work.seconds;
  case Measured:
    return measured(row).value_or(-1);
  case Reached:
    return placed.reached();
  case Dram:
    return placed.work.traffic.at(cost::Level::Dram).value_or(0);
  case L2:
    return placed.work.traffic.at(cost::Level::L2).value_or(0);
  case Cache:
    return placed.work.traffic.at(cost::Level::Cache).value_or(0);
  case Operations:
    return placed.work.operations.of(m_roofline->counted);
  default:
    return display(row, column);
  }
}

QVariant RooflineTableModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  switch (role) {
  case Qt::DisplayRole:
  case Qt::ToolTipRole:
    return display(index.row(), index.column());
  case Qt::TextAlignmentRole:
    return QVariant::fromValue(
        (index.column() == Name || index.column() == Binding ? Qt::AlignLeft : Qt::AlignRight) |
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

QVariant RooflineTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const bool countsIntegers = m_roofline && m_roofline->counted == cost::Arithmetic::Integer;
  const ColumnHead heads[ColumnCount] = {
      {tr("#"), tr("Kernels in the order of their launches")},
      {tr("Kernel"), tr("Each kernel is named after the stage that has its block loops")},
      {tr("Time"), tr("Predicted time of all launches of the kernel in one run")},
      {tr("Measured"), tr("Measured time of all launches of the kernel in one run")},
      {tr("Share"), tr("Time of the kernel ÷ time of the pipeline")},
      {tr("Binds"), tr("The roof that limits the kernel: the one with the longest time, which is "
                       "bytes ÷ bandwidth or operations ÷ rate")},
      {tr("Reached"), tr("The time that the binding roof alone would allow, divided by the "
                         "predicted time of the kernel")},
      {tr("DRAM"), tr("Bytes to and from device memory")},
      {tr("L2"), tr("Bytes to and from the second-level cache")},
      {tr("L1/shared"), tr("Bytes through the first-level cache and shared memory")},
      {countsIntegers ? tr("Integers") : tr("Float ops"),
       countsIntegers ? tr("Integer instructions, including those for addresses")
                      : tr("Float operations; a fused multiply-add counts as two")}};
  return heads[section].data(role, section == Name || section == Binding ? Qt::AlignLeft
                                                                         : Qt::AlignRight);
}

} // namespace tessera::views
