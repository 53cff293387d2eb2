// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/interface_model.h"

#include "engine/pipeline/scalar_value.h"
#include "views/settings/own_sizes.h"
#include "views/text/stage_summary.h"

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {

QString sizeText(const std::vector<pipeline::Estimate> &dims) {
  QStringList texts;
  for (const pipeline::Estimate &dim : dims) {
    if (dim.source == pipeline::EstimateSource::None) return {};
    texts << QStringLiteral("%1:%2").arg(dim.range.min).arg(dim.range.extent());
  }
  return texts.join(QStringLiteral(", "));
}

// The dimensions of one buffer can have sizes from different sources. The least reliable of these
// sources is shown for the buffer.
pipeline::EstimateSource sourceOf(const std::vector<pipeline::Estimate> &dims) {
  const auto least = std::ranges::min_element(dims, {}, &pipeline::Estimate::source);
  return least == dims.end() ? pipeline::EstimateSource::None : least->source;
}

bool isFixed(const std::vector<pipeline::Estimate> &dims) {
  return !dims.empty() && std::ranges::all_of(dims, &pipeline::Estimate::fixed);
}

QString noSizeText(const QString &name, int dims) {
  if (dims == 0) return InterfaceModel::tr("%1 is a scalar: its estimate is one value.").arg(name);
  if (dims == 1)
    return InterfaceModel::tr("%1 has one dimension: write its extent, or min:extent.").arg(name);
  return InterfaceModel::tr("%1 has %2 dimensions: write extents with × between them, or "
                            "min:extent for each, separated by commas.",
                            nullptr, dims)
      .arg(name)
      .arg(dims);
}

} // namespace

QString sourceText(pipeline::EstimateSource source) {
  switch (source) {
  case pipeline::EstimateSource::None:
    return InterfaceModel::tr("nowhere");
  case pipeline::EstimateSource::File:
    return InterfaceModel::tr("the pipeline");
  case pipeline::EstimateSource::Sidecar:
    return InterfaceModel::tr("estimates file");
  case pipeline::EstimateSource::Derived:
    return InterfaceModel::tr("the outputs");
  case pipeline::EstimateSource::User:
    return InterfaceModel::tr("you");
  }
  return {};
}

QString noValueText(const QString &scalar, pipeline::ScalarType type, const QString &typed) {
  return InterfaceModel::tr("%1 takes %2, not \u201c%3\u201d.")
      .arg(scalar, QString::fromStdString(pipeline::valuesOf(type)), typed);
}

InterfaceModel::InterfaceModel(QObject *parent) : QAbstractTableModel(parent) {}

void InterfaceModel::setPipeline(const pipeline::PipelinePtr &pipeline) {
  beginResetModel();
  m_rows.clear();
  const auto bytes = [&](Subject subject) {
    const std::int64_t count = summarize(*pipeline, subject).bytes;
    return count > 0 ? bytesText(count) : QString();
  };
  const auto typeOf = [&](Subject subject) { return summarize(*pipeline, subject).type; };
  if (pipeline) {
    for (const pipeline::Output &output : pipeline->outputs()) {
      const pipeline::Func &func = pipeline->func(output.func);
      const Subject subject = Subject::stage(func.firstStage);
      Row row;
      row.name = QString::fromStdString(func.name);
      row.role = tr("output");
      row.type = typeOf(subject);
      row.size = sizeText(output.dims);
      row.bytes = bytes(subject);
      row.from = sourceText(sourceOf(output.dims));
      row.isFixed = isFixed(output.dims);
      row.dims = output.dims.size();
      m_rows.push_back(std::move(row));
    }
    for (std::uint32_t i = 0; i < pipeline->inputs().size(); ++i) {
      const pipeline::Input &input = pipeline->inputs()[i];
      const Subject subject = Subject::input(pipeline::InputId{i});
      Row row;
      row.name = QString::fromStdString(input.name);
      row.role = input.isScalar ? tr("scalar") : tr("input");
      row.type = typeOf(subject);
      row.size =
          input.isScalar ? QString::fromStdString(input.scalarEstimate) : sizeText(input.dims);
      row.bytes = bytes(subject);
      row.from = sourceText(input.isScalar ? input.scalarSource : sourceOf(input.dims));
      row.isFixed = isFixed(input.dims);
      row.dims = input.dims.size();
      row.scalarType = input.type;
      m_rows.push_back(std::move(row));
    }
  }
  endResetModel();
  emit edited();
}

void InterfaceModel::revertSizes() {
  for (Row &row : m_rows)
    row.wish.clear();
  if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
  emit edited();
}

int InterfaceModel::changes() const {
  return int(std::ranges::count_if(m_rows, [](const Row &row) { return !row.wish.isEmpty(); }));
}

std::vector<open::EstimateOverride> InterfaceModel::changed() const {
  std::vector<open::EstimateOverride> all;
  for (const Row &row : m_rows)
    if (!row.wish.isEmpty()) all.push_back(row.parsedWish);
  return all;
}

QStringList InterfaceModel::texts() const {
  QStringList all;
  for (const Row &row : m_rows)
    if (!row.wish.isEmpty())
      all << estimateText(row.parsedWish);
    else if (!row.size.isEmpty())
      all << row.name + '=' + QString(row.size).remove(' ');
  return all;
}

int InterfaceModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_rows.size());
}

int InterfaceModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant InterfaceModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const Row &row = m_rows[std::size_t(index.row())];
  const bool isChanged = !row.wish.isEmpty();
  switch (role) {
  case Qt::DisplayRole:
  case Qt::EditRole:
    switch (index.column()) {
    case Name:
      return row.name;
    case Role:
      return row.role;
    case Type:
      return row.type;
    case Size:
      return isChanged ? row.wish : row.size;
    case Bytes:
      return isChanged ? QString() : row.bytes; // unknown until opened with this size
    default:
      return isChanged ? tr("not applied yet") : row.from;
    }
  case Qt::ToolTipRole:
    if (index.column() == From && !isChanged)
      return row.from == sourceText(pipeline::EstimateSource::Sidecar)
                 ? tr("The file of estimates beside the pipeline's file")
                 : QString();
    if (index.column() != Size) return {};
    return row.isFixed ? tr("The pipeline accepts only this size.")
           : row.dims  ? tr("1536×2560, or min:extent of each dimension, as for --estimate")
                       : tr("The value of this scalar; sizes can depend on it");
  case Qt::TextAlignmentRole:
    return int(index.column() == Bytes ? Qt::AlignRight : Qt::AlignLeft) | int(Qt::AlignVCenter);
  case ChangedRole:
    return isChanged;
  default:
    return {};
  }
}

bool InterfaceModel::setData(const QModelIndex &index, const QVariant &value, int role) {
  if (role != Qt::EditRole || !index.isValid() || index.column() != Size) return false;
  Row &row = m_rows[std::size_t(index.row())];
  const QString typed = value.toString().trimmed();
  if (typed == (row.wish.isEmpty() ? row.size : row.wish)) return false;
  if (typed.isEmpty()) {
    row.wish.clear();
  } else {
    auto parsed = open::parseEstimate((row.name + '=' + typed).toStdString());
    if (parsed && row.dims == 1) (void)open::readAsSize(*parsed);
    if (!parsed || parsed->dims.size() != row.dims) {
      emit refused(noSizeText(row.name, int(row.dims)));
      return false;
    }
    if (row.dims == 0 && !pipeline::isValueOf(row.scalarType, parsed->scalar)) {
      emit refused(noValueText(row.name, row.scalarType, typed));
      return false;
    }
    const bool isAsBefore = estimateText(*parsed) == row.name + '=' + QString(row.size).remove(' ');
    row.wish = isAsBefore ? QString() : typed;
    row.parsedWish = std::move(*parsed);
  }
  emit dataChanged(this->index(index.row(), 0), this->index(index.row(), ColumnCount - 1));
  emit edited();
  return true;
}

Qt::ItemFlags InterfaceModel::flags(const QModelIndex &index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  const bool canBe =
      index.isValid() && index.column() == Size && !m_rows[std::size_t(index.row())].isFixed;
  return canBe ? flags | Qt::ItemIsEditable : flags;
}

QVariant InterfaceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && section == Bytes)
    return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
  case Name:
    return tr("Name");
  case Role:
    return tr("Role");
  case Type:
    return tr("Type");
  case Size:
    return tr("Estimate");
  case Bytes:
    return tr("Bytes");
  default:
    return tr("From");
  }
}

} // namespace tessera::views
