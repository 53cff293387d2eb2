// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/input_model.h"

#include "views/tables/interface_model.h"
#include "engine/pipeline/measures.h"
#include "engine/pipeline/scalar_value.h"
#include "views/text/from_std.h"

#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace tessera::views {

namespace {

// The dropped file if there is exactly one; otherwise empty.
QString droppedFile(const QMimeData &data) {
  const QList<QUrl> urls = data.urls();
  return urls.size() == 1 ? urls.front().toLocalFile() : QString();
}

} // namespace

InputModel::InputModel(QObject *parent) : QAbstractTableModel(parent) {}

void InputModel::setPipeline(const pipeline::PipelinePtr &pipeline) {
  beginResetModel();
  m_rows.clear();
  m_inputs = {};
  const auto inputs = pipeline ? pipeline->inputs() : std::span<const pipeline::Input>();
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    const pipeline::Box region = pipeline->producerRegion({pipeline::Producer::Kind::Input, i});
    m_rows.push_back({from(inputs[i].name), from(toString(inputs[i].type)),
                      from(extentsText(region)), from(inputs[i].scalarEstimate), inputs[i].isScalar,
                      inputs[i].type, inputs[i].scalarSource == pipeline::EstimateSource::User});
  }
  endResetModel();
}

void InputModel::setInputs(const measure::RunInputs &inputs) {
  if (inputs == m_inputs) return;
  m_inputs = inputs;
  if (!m_rows.empty()) emit dataChanged(index(0, RunsOn), index(rowCount() - 1, RunsOn));
}

QString InputModel::nameAt(int row) const { return m_rows[std::size_t(row)].name; }

QString InputModel::pathAt(int row) const {
  return QString::fromStdString(m_inputs.pathOf(nameAt(row).toStdString()));
}

bool InputModel::takesFile(int row) const { return !m_rows[std::size_t(row)].isScalar; }

int InputModel::rowOf(const QString &input) const {
  const auto row = std::ranges::find(m_rows, input, &Row::name);
  return row == m_rows.end() ? -1 : int(row - m_rows.begin());
}

int InputModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(m_rows.size());
}

int InputModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : int(ColumnCount);
}

QString InputModel::toolTipAt(int row) const {
  if (!takesFile(row))
    return tr("Sizes can depend on scalars, so a new value opens the pipeline again, as on the "
              "Sizes page. This scalar takes %1.")
        .arg(QString::fromStdString(pipeline::valuesOf(m_rows[std::size_t(row)].scalarType)));
  const QString path = pathAt(row);
  if (!path.isEmpty()) return QDir::toNativeSeparators(path);
  return tr("Drop a file here, or type its path: .png, .pgm, .ppm, or NumPy's .npy, whose first "
            "axis is the last dimension.");
}

QVariant InputModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row &row = m_rows[std::size_t(index.row())];
  const QString path = pathAt(index.row());
  if (role == GivenRole) return row.isScalar ? row.isChanged : !path.isEmpty();
  if (role == Qt::ToolTipRole) return toolTipAt(index.row());
  if (role == Qt::EditRole && index.column() == RunsOn) return row.isScalar ? row.value : path;
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
  case Name:
    return row.name;
  case Type:
    return row.type;
  case Size:
    return row.size;
  case RunsOn:
    if (row.isScalar) return row.value;
    return path.isEmpty() ? tr("random numbers") : QFileInfo(path).fileName();
  default:
    return {};
  }
}

bool InputModel::setData(const QModelIndex &index, const QVariant &value, int role) {
  if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
  const QString typed = value.toString().trimmed();
  const Row row = m_rows[std::size_t(index.row())]; // those who hear of a wish may change m_rows
  if (!row.isScalar) {
    if (typed != pathAt(index.row())) emit wished(row.name, typed);
  } else if (!pipeline::isValueOf(row.scalarType, typed.toStdString())) {
    emit refused(noValueText(row.name, row.scalarType, typed));
    return false;
  } else if (typed != row.value) {
    emit numberWished(row.name, typed);
  }
  return true;
}

Qt::ItemFlags InputModel::flags(const QModelIndex &index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (!index.isValid()) return flags;
  if (takesFile(index.row())) flags |= Qt::ItemIsDropEnabled;
  return index.column() == RunsOn ? flags | Qt::ItemIsEditable : flags;
}

QVariant InputModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const QStringList titles{tr("Input"), tr("Type"), tr("Size"), tr("Runs on")};
  return section < titles.size() ? titles[section] : QVariant();
}

QStringList InputModel::mimeTypes() const { return {QStringLiteral("text/uri-list")}; }

bool InputModel::canDropMimeData(const QMimeData *data, Qt::DropAction, int, int,
                                 const QModelIndex &parent) const {
  return parent.isValid() && takesFile(parent.row()) && !droppedFile(*data).isEmpty();
}

bool InputModel::dropMimeData(const QMimeData *data, Qt::DropAction action, int row, int column,
                              const QModelIndex &parent) {
  if (!canDropMimeData(data, action, row, column, parent)) return false;
  emit wished(nameAt(parent.row()), droppedFile(*data));
  return true;
}

} // namespace tessera::views
