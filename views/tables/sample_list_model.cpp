// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/sample_list_model.h"

#include "views/text/counted_text.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

namespace tessera::views {

std::vector<Sample> findSamples(const QString &folder, const QByteArray &descriptions) {
  std::vector<Sample> samples;
  QStringList files;
  if (!folder.isEmpty())
    files = QDir(folder).entryList({QStringLiteral("*.hlpipe")}, QDir::Files, QDir::Name);
  const auto pathOf = [&](const QString &name) {
    const QString file = name + ".hlpipe";
    return files.removeOne(file) ? QDir(folder).filePath(file) : QString();
  };
  for (const QJsonValue &value : QJsonDocument::fromJson(descriptions).array()) {
    const QJsonObject object = value.toObject();
    const QString name = object["name"].toString();
    if (const QString path = pathOf(name); !path.isEmpty())
      samples.push_back({name, path, object["description"].toString(), object["stages"].toInt()});
  }
  for (const QString &file : std::as_const(files))
    if (!file.endsWith(QLatin1String(".manual.hlpipe")))
      samples.push_back({file.chopped(7), QDir(folder).filePath(file), {}, 0});
  return samples;
}

SampleListModel::SampleListModel(std::vector<Sample> samples, QObject *parent)
    : QAbstractListModel(parent), m_samples(std::move(samples)) {}

int SampleListModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_samples.size());
}

QVariant SampleListModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const Sample &sample = m_samples[static_cast<std::size_t>(index.row())];
  switch (role) {
  case Qt::DisplayRole:
    return sample.name;
  case Qt::ToolTipRole:
    return QDir::toNativeSeparators(sample.path);
  case Qt::AccessibleTextRole:
    return sample.stages
               ? tr("%1: %2, %3").arg(sample.name, sample.description, stagesText(sample.stages))
               : tr("%1: %2").arg(sample.name, sample.description);
  case PathRole:
    return sample.path;
  case DescriptionRole:
    return sample.description;
  case CountRole:
    return sample.stages;
  default:
    return {};
  }
}

} // namespace tessera::views
