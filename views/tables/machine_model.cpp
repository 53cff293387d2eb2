// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/machine_model.h"

#include "engine/machine/fields.h"
#include "views/text/quantity_text.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace tessera::views {

namespace {

// Splits "shared memory per block, bytes" into the description and the unit; the unit is empty if
// it cannot be scaled.
std::pair<QString, QString> split(const char *meaning) {
  const QString text = QString::fromUtf8(meaning);
  const qsizetype comma = text.lastIndexOf(QLatin1String(", "));
  const QString unit = comma < 0 ? QString() : text.mid(comma + 2);
  const bool scales = QStringList{"bytes", "bytes/s", "Hz", "s"}.contains(unit);
  QString what = scales ? text.left(comma) : text;
  if (!what.isEmpty()) what[0] = what[0].toUpper();
  return {what, scales ? unit : QString()};
}

std::map<std::string, double> valuesOf(const machine::Machine &machine) {
  std::map<std::string, double> values;
  machine::forEachField(machine, [&](const char *name, const auto &value, const char *) {
    values[name] = static_cast<double>(value);
  });
  return values;
}

} // namespace

MachineModel::MachineModel(QObject *parent) : QAbstractTableModel(parent) {}

void MachineModel::setMachine(std::optional<machine::Machine> machine,
                              std::optional<machine::Machine> original) {
  const auto before = original ? valuesOf(*original) : std::map<std::string, double>();
  std::vector<Row> rows;
  if (machine)
    machine::forEachField(*machine, [&](const char *name, const auto &value, const char *meaning) {
      auto [what, unit] = split(meaning);
      const auto source = machine->sources.find(name);
      Row row{QString::fromLatin1(name),
              std::move(what),
              std::move(unit),
              source == machine->sources.end() ? QString() : QString::fromStdString(source->second),
              static_cast<double>(value),
              {}};
      const auto was = before.find(name);
      if (was != before.end() && was->second != row.value) row.original = was->second;
      rows.push_back(std::move(row));
    });
  // Another machine has the same fields, so only the data changes, and the view keeps its place.
  if (rows.size() == m_rows.size() && !rows.empty()) {
    m_rows = std::move(rows);
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    return;
  }
  beginResetModel();
  m_rows = std::move(rows);
  endResetModel();
}

int MachineModel::changes() const {
  return int(
      std::ranges::count_if(m_rows, [](const Row &row) { return row.original.has_value(); }));
}

int MachineModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_rows.size());
}

int MachineModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant MachineModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const Row &row = m_rows[std::size_t(index.row())];
  const QString value = quantityText(row.value, row.unit);
  switch (role) {
  case Qt::DisplayRole:
    switch (index.column()) {
    case What:
      return row.what;
    case Value:
      return value;
    case Original:
      return row.original ? quantityText(*row.original, row.unit) : QString();
    default:
      return row.source;
    }
  case Qt::EditRole:
    return index.column() == Value ? QVariant(value) : QVariant();
  case Qt::ToolTipRole:
    return tr("%1: %2\nCalled %3 in machine files\nFrom: %4")
        .arg(row.what, value, row.field, row.source);
  case Qt::TextAlignmentRole:
    return int(index.column() == Value || index.column() == Original ? Qt::AlignRight
                                                                     : Qt::AlignLeft) |
           int(Qt::AlignVCenter);
  case FieldRole:
    return row.field;
  case ChangedRole:
    return row.original.has_value();
  default:
    return {};
  }
}

bool MachineModel::setData(const QModelIndex &index, const QVariant &value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.column() != Value) return false;
  const Row &row = m_rows[std::size_t(index.row())];
  const QString typed = value.toString();
  if (typed == quantityText(row.value, row.unit)) return false;
  const auto parsed = parseQuantity(typed, row.unit);
  if (!parsed) {
    emit refused(tr("“%1” is not a value of %2. Write for example %3.")
                     .arg(typed, row.what.toLower(), quantityText(row.value, row.unit)));
    return false;
  }
  emit changeWanted(row.field, *parsed);
  return true;
}

Qt::ItemFlags MachineModel::flags(const QModelIndex &index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (index.isValid() && index.column() == Value) flags |= Qt::ItemIsEditable;
  return flags;
}

QVariant MachineModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && (section == Value || section == Original))
    return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
  case What:
    return tr("What");
  case Value:
    return tr("Value");
  case Original:
    return tr("Original");
  default:
    return tr("From");
  }
}

} // namespace tessera::views
