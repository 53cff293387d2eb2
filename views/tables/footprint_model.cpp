// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/footprint_model.h"

#include "views/tables/occupancy_table_model.h"
#include "views/text/column_head.h"
#include "views/text/stage_summary.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::views {

using footprint::BoxSide;
using footprint::Entry;
using footprint::Level;
using footprint::LevelBox;

namespace {

QString signedText(bool isMinus, std::int64_t value) {
  return (isMinus ? QStringLiteral("−%1") : QStringLiteral("+%1")).arg(countText(std::abs(value)));
}

bool isNumeric(int column) { return column >= FootprintModel::Shared; }

bool hasSameRows(const KernelFootprintPtr &a, const KernelFootprintPtr &b) {
  return a && b && std::ranges::equal(a->entries, b->entries, {}, &Entry::name, &Entry::name);
}

} // namespace

QString roleText(footprint::Role role) {
  switch (role) {
  case footprint::Role::Output:
    return FootprintModel::tr("output");
  case footprint::Role::Member:
    return FootprintModel::tr("member");
  case footprint::Role::Inlined:
    return FootprintModel::tr("inlined");
  case footprint::Role::Read:
    break;
  }
  return FootprintModel::tr("read");
}

QString memoryText(const Entry &entry) {
  if (!entry.memory) return FootprintModel::tr("none");
  switch (*entry.memory) {
  case cost::MemorySpace::Global:
    return FootprintModel::tr("global");
  case cost::MemorySpace::Shared:
    return FootprintModel::tr("shared");
  case cost::MemorySpace::Registers:
    return FootprintModel::tr("registers");
  case cost::MemorySpace::Local:
  case cost::MemorySpace::Apart:
    break;
  }
  return FootprintModel::tr("local");
}

QString levelText(Level level) {
  switch (level) {
  case Level::Thread:
    return FootprintModel::tr("Thread");
  case Level::Warp:
    return FootprintModel::tr("Warp");
  case Level::Block:
    return FootprintModel::tr("Block");
  case Level::Grid:
    break;
  }
  return FootprintModel::tr("Grid");
}

QString extentText(const LevelBox &box) {
  QStringList extents;
  for (const BoxSide &side : box.sides)
    extents << (side.range.bounded() ? countText(side.range.extent()) : QStringLiteral("?"));
  return extents.isEmpty() ? FootprintModel::tr("scalar") : extents.join(QStringLiteral(" × "));
}

QString haloText(const Entry &entry, const LevelBox &box) {
  QStringList halos;
  for (std::size_t d = 0; d < box.sides.size(); ++d) {
    const BoxSide &side = box.sides[d];
    const QString dim = QString::fromStdString(entry.dims[d]);
    if (!entry.chosenBy[d].empty())
      halos << FootprintModel::tr("all of %1").arg(dim);
    else if (side.before != 0 || side.after != 0)
      halos << QStringLiteral("%1 %2 %3")
                   .arg(dim, signedText(side.before >= 0, side.before),
                        signedText(side.after < 0, side.after));
  }
  return halos.join(QStringLiteral(", "));
}

QString sharedText(const LevelBox &box) {
  if (box.shared() < footprint::kManyShared) return percentText(box.shared());
  return FootprintModel::tr("%1 tiles").arg(countText(std::llround(box.shared() + 1)));
}

FootprintModel::FootprintModel(QObject *parent) : QAbstractTableModel(parent) {}

void FootprintModel::show(KernelFootprintPtr kernel, Level level) {
  const bool isSame = hasSameRows(m_kernel, kernel);
  if (!isSame) beginResetModel();
  m_kernel = std::move(kernel);
  m_level = level;
  if (!isSame) return endResetModel();
  emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int FootprintModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() || !m_kernel ? 0 : int(m_kernel->entries.size());
}

int FootprintModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QString FootprintModel::display(const Entry &entry, int column) const {
  const LevelBox &box = entry.at(m_level);
  switch (column) {
  case Name:
    return QString::fromStdString(entry.name);
  case Part:
    return roleText(entry.role);
  case Memory:
    return memoryText(entry);
  case Box:
    return extentText(box);
  case Halo:
    return haloText(entry, box);
  case Shared:
    return sharedText(box);
  case Redundant:
    return entry.redundancy ? percentText(*entry.redundancy) : QString();
  case Bytes:
    return entry.memory ? countText(box.bytes) : QString();
  default:
    return {};
  }
}

QVariant FootprintModel::number(const Entry &entry, int column) const {
  const LevelBox &box = entry.at(m_level);
  switch (column) {
  case Box:
    return box.points;
  case Shared:
    return box.shared() * 100;
  case Redundant:
    return entry.redundancy ? QVariant(*entry.redundancy * 100) : QVariant();
  case Bytes:
    return qint64(box.bytes);
  default:
    return {};
  }
}

QString FootprintModel::toolTip(const Entry &entry, int column) const {
  if (column != Box && column != Halo) return display(entry, column);
  QStringList lines;
  const LevelBox &box = entry.at(m_level);
  for (std::size_t d = 0; d < box.sides.size(); ++d) {
    const BoxSide &side = box.sides[d];
    const QString dim = QString::fromStdString(entry.dims[d]);
    if (!entry.chosenBy[d].empty()) {
      lines << tr("%1: the whole range, because the index has no closer bounds: %2")
                   .arg(dim, QString::fromStdString(entry.chosenBy[d]));
      continue;
    }
    QString line =
        tr("%1: %2 to %3").arg(dim, countText(side.range.min), countText(side.range.max));
    if (side.movedBy)
      line += tr("; it moves by %1 per iteration of %2 and overlaps the box of the next tile by %3")
                  .arg(QLocale().toString(side.scale, 'g', 4),
                       QString::fromStdString(m_kernel->loops[*side.movedBy]),
                       QLocale().toString(side.overlap, 'g', 6));
    else
      line += tr(", which is the same for all tiles");
    lines << line;
  }
  return lines.isEmpty() ? display(entry, column) : lines.join(QLatin1Char('\n'));
}

QVariant FootprintModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const Entry &of = entry(index.row());
  switch (role) {
  case Qt::DisplayRole:
    return display(of, index.column());
  case Qt::ToolTipRole:
    return toolTip(of, index.column());
  case Qt::TextAlignmentRole:
    return QVariant::fromValue((isNumeric(index.column()) ? Qt::AlignRight : Qt::AlignLeft) |
                               Qt::AlignVCenter);
  case NumberRole:
    return number(of, index.column());
  case KindRole:
    return int(of.role);
  default:
    return {};
  }
}

QVariant FootprintModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const ColumnHead heads[ColumnCount] = {
      {tr("Func"), tr("Func or input that the kernel computes or reads")},
      {tr("Role"),
       tr("Output: its stage owns the kernel's blocks. Member: computed inside the loops of the "
          "output. Inlined: computed wherever it is read. Read: only read, from memory")},
      {tr("Memory"), tr("The memory that holds the values of the func or input")},
      {tr("Box"), tr("Size of the box that one tile needs, in elements of the func or input")},
      {tr("Halo"), tr("How far the box reaches beyond the tile, at the beginning and at the end of "
                      "each dimension")},
      {tr("Shared"), tr("How much tiles overlap: the points in the boxes of all tiles divided by "
                        "the points that are needed, minus 1. From 1,000 % on, how many tiles "
                        "need each point")},
      {tr("Redundant"), tr("How much is computed more than once: the points that are computed "
                           "divided by the points that are needed, minus 1")},
      {tr("Bytes"), tr("Bytes that are kept for one tile, or read from global memory for it")}};
  return heads[section].data(role, isNumeric(section) ? Qt::AlignRight : Qt::AlignLeft);
}

} // namespace tessera::views
