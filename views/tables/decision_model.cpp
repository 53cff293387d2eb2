// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/decision_model.h"
#include "engine/pipeline/stage_names.h"
#include "views/text/from_std.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace tessera::views {

using pipeline::Pipeline;
using pipeline::StageId;
using schedule::DecisionColumn;
using schedule::DecisionKey;
using schedule::Origin;
using schedule::Schedule;

namespace {

constexpr std::array kBySay{Origin::User, Origin::Imported, Origin::Search};

std::string textOf(const Schedule &schedule, std::optional<StageId> stage, DecisionColumn column) {
  return stage ? cellText(schedule, *stage, column) : settingText(schedule, column);
}

} // namespace

DecisionModel::DecisionModel(QObject *parent) : QAbstractTableModel(parent) {}

// If the rows are still the same stages, the model is not reset, so that a view keeps its scroll
// position and selection.
void DecisionModel::setSchedule(ShownSchedulePtr shown) {
  if (shown == m_shown) return;
  std::vector<Row> rows = shown ? rowsOf(*shown) : std::vector<Row>();
  const bool isSame = std::ranges::equal(rows, m_rows, {}, &Row::name, &Row::name);
  if (!isSame) beginResetModel();
  m_shown = std::move(shown);
  m_rows = std::move(rows);
  if (!isSame) return endResetModel();
  if (!m_rows.empty())
    emit dataChanged(index(0, 0), index(int(m_rows.size()) - 1, columnCount() - 1));
}

std::vector<DecisionModel::Row> DecisionModel::rowsOf(const ShownSchedule &shown) const {
  const Schedule &schedule = shown.found.schedule;
  const Pipeline &pipeline = *schedule.pipeline();
  const auto base = stagesByName(*schedule.base());
  std::vector<Row> rows(1 + pipeline.stages().size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Row &row = rows[r];
    if (r > 0) {
      row.stage = static_cast<StageId>(r - 1);
      row.name = pipeline.stageName(*row.stage);
      if (const auto at = base.find(row.name); at != base.end())
        row.subject = Subject::stage(at->second);
      if (row.subject) row.kernel = shown.placeOf(*row.subject).kernel;
      row.colour = shown.colourOf(row.kernel);
    }
  }
  return rows;
}

void DecisionModel::setComparison(std::optional<Schedule> other, const QString &name) {
  m_other = std::move(other);
  m_otherName = name;
  m_otherStages = m_other ? stagesByName(*m_other->pipeline()) : decltype(m_otherStages)();
  if (!m_rows.empty())
    emit dataChanged(index(0, 0), index(int(m_rows.size()) - 1, columnCount() - 1));
}

QString DecisionModel::text(const Row &row, DecisionColumn column) const {
  return from(textOf(m_shown->found.schedule, row.stage, column));
}

QString DecisionModel::otherText(const Row &row, DecisionColumn column) const {
  if (!row.stage) return from(settingText(*m_other, column));
  const auto at = m_otherStages.find(row.name);
  return at == m_otherStages.end() ? QString() : from(cellText(*m_other, at->second, column));
}

QString DecisionModel::orNothing(const QString &text) {
  return text.isEmpty() ? tr("nothing") : text;
}

QString DecisionModel::bothTexts(const Row &row, DecisionColumn column) const {
  return QStringLiteral("%1 ≠ %2").arg(orNothing(text(row, column)),
                                       orNothing(otherText(row, column)));
}

bool DecisionModel::differsInColumn(DecisionColumn column) const {
  return std::ranges::any_of(m_rows, [&](const Row &row) { return isDifferent(row, column); });
}

bool DecisionModel::isDifferent(const Row &row, DecisionColumn column) const {
  return m_other && otherText(row, column) != text(row, column);
}

std::optional<DecisionColumn> DecisionModel::columnOf(int section) {
  if (section <= kStageColumn || section > schedule::kDecisionColumns) return std::nullopt;
  return static_cast<DecisionColumn>(section - 1);
}

int DecisionModel::sectionOf(DecisionColumn column) { return static_cast<int>(column) + 1; }

std::optional<StageId> DecisionModel::stageAt(int row) const {
  return m_rows[static_cast<std::size_t>(row)].stage;
}

QString DecisionModel::nameAt(int row) const {
  const Row &of = m_rows[static_cast<std::size_t>(row)];
  return of.stage ? from(of.name) : tr("all kernels");
}

std::optional<Subject> DecisionModel::subjectAt(int row) const {
  return m_rows[static_cast<std::size_t>(row)].subject;
}

std::optional<int> DecisionModel::rowOf(Subject subject) const {
  const auto at = std::ranges::find(m_rows, std::optional(subject), &Row::subject);
  if (at == m_rows.end()) return std::nullopt;
  return static_cast<int>(at - m_rows.begin());
}

std::vector<DecisionKey> DecisionModel::decisionsAt(const QModelIndex &index) const {
  const auto column = columnOf(index.column());
  if (!m_shown || !index.isValid()) return {};
  if (!column) return decisionsOfRow(index.row());
  const auto stage = stageAt(index.row());
  return stage ? decisionsIn(m_shown->found.schedule, *stage, *column)
               : schedule::settingsIn(*column);
}

std::vector<DecisionKey> DecisionModel::decisionsOfRow(int row) const {
  return m_shown ? decisionsOf(m_shown->found.schedule, stageAt(row)) : std::vector<DecisionKey>();
}

DecisionModel::Frozen DecisionModel::frozenOf(std::span<const DecisionKey> decisions) const {
  const std::size_t frozen = frozenAmong(m_shown->found.schedule, decisions);
  return frozen == 0 ? Frozen::No : frozen == decisions.size() ? Frozen::Yes : Frozen::Partly;
}

bool DecisionModel::isEmptyColumn(DecisionColumn column) const {
  return std::ranges::all_of(m_rows, [&](const Row &row) { return text(row, column).isEmpty(); });
}

QString DecisionModel::titleOf(const QModelIndex &index) const {
  const auto column = columnOf(index.column());
  if (!column) return nameAt(index.row());
  return tr("%1 of %2")
      .arg(headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString().toLower(),
           nameAt(index.row()));
}

int DecisionModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DecisionModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : 1 + schedule::kDecisionColumns;
}

QVariant DecisionModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const Row &row = m_rows[static_cast<std::size_t>(index.row())];
  const auto column = columnOf(index.column());
  const Schedule &schedule = m_shown->found.schedule;
  switch (role) {
  case Qt::DisplayRole:
    return !column                     ? nameAt(index.row())
           : isDifferent(row, *column) ? bothTexts(row, *column)
                                       : text(row, *column);
  case OwnTextRole:
    return column ? text(row, *column) : nameAt(index.row());
  case OtherTextRole:
    return column && isDifferent(row, *column) ? otherText(row, *column) : QString();
  case Qt::AccessibleTextRole:
    return column && isDifferent(row, *column)
               ? tr("%1; in %2: %3")
                     .arg(orNothing(text(row, *column)), m_otherName,
                          orNothing(otherText(row, *column)))
               : data(index, Qt::DisplayRole);
  case Qt::ToolTipRole:
    return toolTip(index);
  case SortRole: // stages in the order of computation, other columns by their text
    return column ? QVariant(text(row, *column)) : QVariant(index.row());
  case FrozenRole:
    return int(frozenOf(decisionsAt(index)));
  case OriginRole: {
    const auto keys = decisionsAt(index);
    for (const Origin origin : kBySay)
      if (std::ranges::any_of(
              keys, [&](const DecisionKey &key) { return schedule.mark(key).origin == origin; }))
        return int(origin);
    return int(Origin::Search);
  }
  case DifferentRole:
    if (column) return isDifferent(row, *column);
    for (int c = 0; c < schedule::kDecisionColumns; ++c)
      if (isDifferent(row, static_cast<DecisionColumn>(c))) return true;
    return false;
  case DecidesRole:
    return !decisionsAt(index).empty();
  case KernelRole:
    return row.kernel;
  case ColourRole:
    return row.colour;
  default:
    return {};
  }
}

QString DecisionModel::toolTip(const QModelIndex &index) const {
  const Row &row = m_rows[static_cast<std::size_t>(index.row())];
  const auto column = columnOf(index.column());
  QStringList lines;
  if (!column) {
    lines << nameAt(index.row());
    if (!row.stage) lines << tr("Decisions about the whole schedule");
    if (row.stage && !row.subject) lines << tr("Added by the schedule");
  } else {
    const QString said = text(row, *column);
    if (!said.isEmpty()) lines << said;
    if (isDifferent(row, *column)) {
      const QString other = otherText(row, *column);
      lines << tr("%1: %2").arg(m_otherName, orNothing(other));
    }
  }
  if (!data(index, DecidesRole).toBool()) return lines.join('\n');
  switch (Origin(data(index, OriginRole).toInt())) {
  case Origin::User:
    lines << tr("Decided by you");
    break;
  case Origin::Imported:
    lines << tr("Imported");
    break;
  case Origin::Search:
    lines << tr("Decided by the search");
    break;
  }
  switch (Frozen(data(index, FrozenRole).toInt())) {
  case Frozen::Yes:
    lines << tr("Frozen: searches keep this decision (press Space to unfreeze it)");
    break;
  case Frozen::Partly:
    lines << tr("%1 of %2 decisions are frozen (press Space to unfreeze them)")
                 .arg(frozenAmong(m_shown->found.schedule, decisionsAt(index)))
                 .arg(decisionsAt(index).size());
    break;
  case Frozen::No:
    lines << tr("Free: searches may change this decision (press Space to freeze it)");
    break;
  }
  return lines.join('\n');
}

QVariant DecisionModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  struct Head {
    QString title, toolTip;
  };
  const auto head = [&]() -> Head {
    const auto column = columnOf(section);
    if (!column) return {tr("Stage"), tr("Stages in the order in which they are computed")};
    switch (*column) {
    case DecisionColumn::Compute:
      return {tr("Compute"), tr("Where the stage is computed: inlined, in a kernel of its own, or "
                                "at a loop of a consumer")};
    case DecisionColumn::Store:
      return {tr("Store"),
              tr("The loop at which the stage is stored, if it is outside the loop at which it is "
                 "computed. The column is empty because Tessera does not allow such schedules yet: "
                 "values would be reused from one iteration to the next (a sliding window), and it "
                 "is not known whether the results would be right")};
    case DecisionColumn::Memory:
      return {tr("Memory"), tr("Where the values of the stage are kept. With auto, Halide chooses: "
                               "global memory, shared memory in a block, registers in a thread")};
    case DecisionColumn::Tile:
      return {tr("Tile"), tr("Tile sizes: the number of iterations of each part of a split loop, "
                             "from the outside in; the outermost part is left out")};
    case DecisionColumn::Loops:
      return {tr("Loops"), tr("Loops from the outside in, and how each one is run")};
    case DecisionColumn::Unroll:
      return {tr("Unroll"), tr("Number of iterations that are unrolled")};
    case DecisionColumn::Vector:
      return {tr("Vector"), tr("Number of iterations that run together, as one vector")};
    case DecisionColumn::Tails:
      return {tr("Tails"),
              tr("What happens where the tile size does not divide the extent of the loop")};
    case DecisionColumn::Reduction:
      return {tr("Reduction"), tr("How the steps of the reduction run: one after another, or in "
                                  "parallel and in any order, with atomic updates")};
    case DecisionColumn::Other:
      return {tr("Other"), tr("Other decisions: storage layout, bounds, and loops shared with "
                              "another stage (compute_with)")};
    case DecisionColumn::Registers:
      return {tr("Registers"),
              tr("The most registers that a thread may use; this limit holds for all kernels")};
    }
    return {};
  }();
  if (role == Qt::DisplayRole) return head.title;
  if (role == Qt::ToolTipRole) return head.toolTip;
  return {};
}

} // namespace tessera::views
