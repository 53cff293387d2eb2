// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/stage_table_model.h"

#include "views/text/column_head.h"
#include "views/text/prediction_formula.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tessera::views {

namespace {

constexpr double kMicro = 1e6;

bool isStageNumber(int column) {
  return column == StageTableModel::Kernel || column == StageTableModel::Predicted ||
         column == StageTableModel::Measured || column >= StageTableModel::Points;
}

} // namespace

StageTableModel::StageTableModel(QObject *parent) : QAbstractTableModel(parent) {}

void StageTableModel::setPipeline(pipeline::PipelinePtr pipeline) {
  beginResetModel();
  m_rows.clear();
  m_schedule.reset();
  m_other.reset();
  m_measured.clear();
  if (pipeline) {
    for (std::uint32_t i = 0; i < pipeline->inputs().size(); ++i)
      m_rows.push_back(summarize(*pipeline, Subject::input(pipeline::InputId{i})));
    for (std::uint32_t i = 0; i < pipeline->stages().size(); ++i)
      m_rows.push_back(summarize(*pipeline, Subject::stage(pipeline::StageId{i})));
  }
  endResetModel();
}

void StageTableModel::setSchedule(ShownSchedulePtr schedule) {
  if (schedule == m_schedule) return;
  m_schedule = std::move(schedule);
  if (!m_rows.empty()) emit dataChanged(index(0, Kernel), index(int(m_rows.size()) - 1, Predicted));
}

void StageTableModel::setCompared(ShownSchedulePtr other) {
  if (other == m_other) return;
  m_other = std::move(other);
  if (!m_rows.empty()) emit dataChanged(index(0, Name), index(int(m_rows.size()) - 1, Predicted));
}

void StageTableModel::setMeasured(std::vector<std::optional<double>> seconds) {
  if (seconds == m_measured) return;
  m_measured = std::move(seconds);
  if (!m_rows.empty())
    emit dataChanged(index(0, Measured), index(int(m_rows.size()) - 1, Measured));
}

std::optional<double> StageTableModel::measured(const StagePlace &place) const {
  const auto kernel = static_cast<std::size_t>(place.kernel) - 1;
  return place.ownsBlocks && kernel < m_measured.size() ? m_measured[kernel] : std::nullopt;
}

StagePlace StageTableModel::placeOf(const StageSummary &row) const {
  return m_schedule ? m_schedule->placeOf(row.subject) : StagePlace();
}

std::optional<int> StageTableModel::rowOf(Subject subject) const {
  const auto found = std::ranges::find(m_rows, subject, &StageSummary::subject);
  if (found == m_rows.end()) return {};
  return static_cast<int>(found - m_rows.begin());
}

int StageTableModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int StageTableModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant StageTableModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const StageSummary &row = m_rows[static_cast<std::size_t>(index.row())];
  switch (role) {
  case Qt::DisplayRole:
    return display(row, index.column());
  case Qt::ToolTipRole:
    return index.column() == Name ? row.name : display(row, index.column());
  case Qt::TextAlignmentRole:
    return isStageNumber(index.column()) ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter)
                                         : QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
  case SortRole:
    return sortKey(row, index.row(), index.column());
  case KindRole:
    return static_cast<int>(row.kind);
  case OutputRole:
    return row.isOutput;
  case DifferentRole:
    return both(row, kernelText) != kernelText(placeOf(row)) ||
           both(row, predictedText) != predictedText(placeOf(row));
  default:
    return {};
  }
}

QString StageTableModel::kernelText(const StagePlace &place) {
  return place.isInlined ? tr("inlined") : place.kernel ? countText(place.kernel) : QString();
}

QString StageTableModel::predictedText(const StagePlace &place) {
  return place.ownsBlocks ? threeDigits(place.seconds * kMicro)
         : place.kernel   ? tr("in %1").arg(countText(place.kernel))
                          : QString();
}

QString StageTableModel::both(const StageSummary &row, QString (*text)(const StagePlace &)) const {
  const QString own = text(placeOf(row));
  if (!m_schedule || !m_other || !row.subject.isStage()) return own;
  const QString other = text(m_other->placeOf(row.subject));
  if (own == other) return own;
  const auto orNone = [](const QString &value) { return value.isEmpty() ? tr("none") : value; };
  return QStringLiteral("%1 ≠ %2").arg(orNone(own), orNone(other));
}

QVariant StageTableModel::display(const StageSummary &row, int column) const {
  const bool isStage = row.subject.isStage();
  const StagePlace place = placeOf(row);
  switch (column) {
  case Name:
    return row.name;
  case Kind:
    return row.isOutput ? tr("%1, output").arg(kindText(row.kind)) : kindText(row.kind);
  case Kernel:
    return both(row, kernelText);
  case Predicted:
    return both(row, predictedText);
  case Measured: {
    const auto seconds = measured(place);
    return seconds ? threeDigits(*seconds * kMicro) : QString();
  }
  case Type:
    return row.type;
  case Extents:
    return row.extents;
  case Points:
    return row.points ? countText(row.points) : isStage ? tr("?") : QString();
  case Operations:
    return isStage ? countText(qint64(row.operations)) : QString();
  case Loads:
    return isStage ? countText(qint64(row.loads)) : QString();
  case Bytes:
    return bytesText(row.bytes);
  default:
    return {};
  }
}

QVariant StageTableModel::sortKey(const StageSummary &row, int position, int column) const {
  constexpr int kLast = std::numeric_limits<int>::max() - 1;
  const StagePlace place = placeOf(row);
  switch (column) {
  case Name:
    return position; // in the order of computation; names are found with the filter box
  case Kernel:       // stages without a kernel come last
    return place.kernel ? place.kernel : kLast + (place.isInlined ? 0 : 1);
  case Predicted:
    return place.ownsBlocks ? place.seconds * kMicro : place.kernel ? -1.0 : -2.0;
  case Measured:
    return measured(place).value_or(-1e-6) * kMicro;
  case Points:
    return qlonglong(row.points);
  case Operations:
    return qulonglong(row.operations);
  case Loads:
    return qulonglong(row.loads);
  case Bytes:
    return qlonglong(row.bytes);
  default:
    return display(row, column);
  }
}

QVariant StageTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const auto head = [&]() -> ColumnHead {
    switch (section) {
    case Name:
      return {tr("Stage"), tr("Inputs, then stages in the order of computation")};
    case Kind:
      return {tr("Kind"), tr("Pure definition, update, or update over a reduction domain")};
    case Kernel:
      return {tr("Kernel"), tr("The kernel that computes the stage; kernels are numbered in the "
                               "order of their launches")};
    case Predicted:
      return {tr("Predicted µs"),
              tr("Predicted time of the kernel, shown at the stage that has its block loops") +
                  '\n' + predictionFormula()};
    case Measured:
      return {tr("Measured µs"), tr("Measured time of all launches of the kernel in one run")};
    case Type:
      return {tr("Type"), tr("Type of the values")};
    case Extents:
      return {tr("Extents"), tr("Loop extents under the estimates, innermost first")};
    case Points:
      return {tr("Points"), tr("Evaluations of the definition: product of the extents")};
    case Operations:
      return {tr("Ops"), tr("Operations per evaluation, not counting loads")};
    case Loads:
      return {tr("Loads"), tr("Loads per evaluation")};
    case Bytes:
      return {tr("Size"), tr("Size of the whole func or input: points × bytes per value")};
    default:
      return {};
    }
  }();
  return head.data(role, isStageNumber(section) ? Qt::AlignRight : Qt::AlignLeft);
}

} // namespace tessera::views
